import Dispatch
import MarqueeModel
import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOPosix
import Synchronization

/// A socket for a `PublishingCore`, used by a thread that blocks.
final class PublishingConnection: Sendable {
    /// The interval of the core's timer.
    private static let tick = TimeAmount.milliseconds(500)
    /// How often a blocked thread checks whether to keep waiting.
    private static let pollInterval = DispatchTimeInterval.milliseconds(50)
    /// How long closing may take.
    private static let closeTimeout = DispatchTimeInterval.seconds(1)

    private let channel: any Channel
    private let handler: NIOLoopBound<PublishingHandler>
    private let events: EventBox

    private init(channel: any Channel, handler: NIOLoopBound<PublishingHandler>, events: EventBox) {
        self.channel = channel
        self.handler = handler
        self.events = events
    }

    deinit { channel.close(promise: nil) }

    /// Closes the connection and waits until it is closed, for `closeTimeout` at most.
    func close() {
        let closed = DispatchSemaphore(value: 0)
        channel.closeFuture.whenComplete { _ in closed.signal() }
        channel.close(promise: nil)
        _ = closed.wait(timeout: .now() + PublishingConnection.closeTimeout)
    }

    /// Connects. The server's welcome is still to come.
    /// - Throws: `Status` when the connection can't be made.
    static func open(
        _ host: String, _ port: Int, _ tls: TLSClient?, hello: Hello, on group: MultiThreadedEventLoopGroup,
        within time: TimeAmount
    ) throws(Status) -> PublishingConnection {
        let loop = group.next()
        let events = EventBox()
        let connected = loop.flatSubmit {
            let handler = NIOLoopBound(PublishingHandler(hello: hello, events: events), eventLoop: loop)
            return ClientBootstrap(group: loop)
                .connectTimeout(time)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls { try channel.pipeline.syncOperations.addHandlers(tls.handlers()) }
                        try channel.pipeline.syncOperations.addHandler(handler.value)
                    }
                }
                .connect(host: host, port: port)
                .map { channel in
                    let task = loop.scheduleRepeatedTask(initialDelay: tick, delay: tick) { _ in handler.value.tick() }
                    channel.closeFuture.whenComplete { _ in task.cancel() }
                    return PublishingConnection(channel: channel, handler: handler, events: events)
                }
        }
        do {
            return try connected.wait()
        } catch {
            let problem = ConnectionProblem(error).description
            throw Status(.unavailable, reason: "CONNECTION_FAILED", remedy: .retrySame, message: problem)
        }
    }

    /// Waits for the welcome.
    func welcome(within milliseconds: UInt64, while shouldContinue: () -> Bool) throws(Status) -> Welcome {
        switch wait(within: milliseconds, while: shouldContinue) {
        case .open(let welcome)?: return welcome
        case .close(let status)?: throw status
        default: throw .overdue("no welcome came in time")
        }
    }

    /// Makes a call and waits for its answer.
    func call(
        _ method: Method, _ body: [UInt8], trace: TraceParent? = nil, within milliseconds: UInt32,
        while shouldContinue: () -> Bool
    ) throws(Status) -> [UInt8] {
        let handler = handler
        channel.eventLoop.execute {
            handler.value.begin(method, body, deadlineMilliseconds: milliseconds, trace: trace)
        }
        switch wait(within: UInt64(milliseconds), while: shouldContinue) {
        case .end(_, let result)?: return try result.get()
        case .close(let status)?: throw status
        default: throw .overdue("no answer came in time")
        }
    }

    /// The next event; `nil` if none arrives in time or the caller stopped waiting.
    private func wait(within milliseconds: UInt64, while shouldContinue: () -> Bool) -> EventBox.Event? {
        let deadline = NIODeadline.now() + .milliseconds(Int64(clamping: milliseconds))
        while shouldContinue(), NIODeadline.now() < deadline {
            if let event = events.next(within: PublishingConnection.pollInterval) { return event }
        }
        return nil
    }
}

/// Passes a connection's events to the blocked thread. At most one call is in flight, so few events queue up.
private final class EventBox: Sendable {
    enum Event {
        case open(Welcome)
        case end(call: UInt32, Result<[UInt8], Status>)
        case close(Status)
    }

    private let events = Mutex<[Event]>([])
    private let arrival = DispatchSemaphore(value: 0)

    func put(_ event: Event) {
        events.withLock { $0.append(event) }
        arrival.signal()
    }

    func next(within time: DispatchTimeInterval) -> Event? {
        guard arrival.wait(timeout: .now() + time) == .success else { return nil }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// Turns bytes into messages, and the core's actions into bytes.
private final class PublishingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var core: PublishingCore
    private var frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
    /// Whether the first bytes look like a web server's; `nil` until they arrive.
    private var isWeb: Bool?
    private let events: EventBox
    private var channel: (any Channel)?
    private var unsentAnswers = UnsentAnswers()

    init(hello: Hello, events: EventBox) {
        core = PublishingCore(hello: hello, now: PublishingHandler.now())
        self.events = events
    }

    private static func now() -> UInt64 { NIODeadline.now().uptimeNanoseconds / 1_000_000 }

    func begin(_ method: Method, _ body: [UInt8], deadlineMilliseconds: UInt32, trace: TraceParent?) {
        perform(core.begin(method, body, deadlineMilliseconds: deadlineMilliseconds, trace: trace).actions)
    }

    func tick() { perform(core.tick(now: PublishingHandler.now())) }

    func channelActive(context: ChannelHandlerContext) {
        channel = context.channel
        perform(core.begin())
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        isWeb = isWeb ?? WebPort.answers(with: bytes.readableBytesView)
        frames.append(bytes)
        do throws(WireError) {
            while let frame = try frames.next() {
                guard let message = try MessageCodec.decode(frame, limits: .client) else { continue }
                perform(core.received(message, now: PublishingHandler.now()))
            }
        } catch {
            perform(core.failed(isWeb == true ? WebPort.advice : "\(error)"))
        }
    }

    func channelInactive(context: ChannelHandlerContext) { perform(core.ended("the server closed the connection")) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        perform(core.ended(ConnectionProblem(error).description))
        context.close(promise: nil)
    }

    private func send(_ message: Message) {
        guard let channel else { return }
        let frame = MessageCodec.encode(message)
        guard message.isProvoked else { return channel.writeAndFlush(frame, promise: nil) }
        let size = frame.readableBytes
        guard unsentAnswers.add(bytes: size) else {
            return perform(core.ended("the server doesn't read what it asks for"))
        }
        let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.writeAndFlush(frame).whenComplete { _ in me.value.unsentAnswers.sent(bytes: size) }
    }

    private func perform(_ actions: [PublishingCore.Action]) {
        for action in actions {
            switch action {
            case .send(let message): send(message)
            case .open(let welcome): events.put(.open(welcome))
            case .end(let call, let result): events.put(.end(call: call, result))
            case .close(let status):
                events.put(.close(status))
                channel?.close(promise: nil)
            }
        }
    }
}

extension Status {
    /// The other side takes too long, or the caller stopped waiting.
    fileprivate static func overdue(_ message: String) -> Status {
        Status(.deadlineExceeded, reason: "DEADLINE_EXCEEDED", remedy: .retrySame, message: message)
    }
}
