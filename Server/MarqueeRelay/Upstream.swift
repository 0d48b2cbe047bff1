import Logging
import MarqueeModel
import MarqueeServer
import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOPosix

/// A server that a relay may connect to.
package struct UpstreamAddress: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The relay's connection upstream: one at a time, to each address in turn, with growing random pauses in between.
/// Used on the relay's loop only.
final class Upstream {
    private static let connectTimeout = TimeAmount.seconds(5)

    private let loop: any EventLoop
    private let addresses: [(address: UpstreamAddress, tls: TLSClient?)]
    private let logger: Logger
    private let clock: @Sendable () -> UInt64
    private unowned let core: RelayCore
    private let onEvent: () -> Void
    /// The number of attempts so far, which selects the next address.
    private var attempts = 0
    private var backoff = Backoff(bounds: .milliseconds(250)...(.seconds(10)))
    /// When the newest connection began, in milliseconds.
    private var openedAt: UInt64 = 0
    /// Whether everything that is shown has arrived over the newest connection.
    private var isUseful = false
    private var hasEnded = false
    private var handler: UpstreamHandler?

    /// - Parameters:
    ///   - addresses: at least one.
    ///   - onEvent: called after each event that may have changed the core.
    init(
        loop: any EventLoop, addresses: [(address: UpstreamAddress, tls: TLSClient?)], core: RelayCore,
        logger: Logger, clock: @escaping @Sendable () -> UInt64, onEvent: @escaping () -> Void
    ) {
        self.loop = loop
        self.addresses = addresses
        self.core = core
        self.logger = logger
        self.clock = clock
        self.onEvent = onEvent
    }

    func send(_ message: Message) { handler?.send(message) }

    /// Connects to the next address.
    func connect() {
        guard !hasEnded else { return }
        let (address, tls) = addresses[attempts % addresses.count]
        attempts += 1
        let handler = NIOLoopBound(UpstreamHandler(self, core: core, clock: clock), eventLoop: loop)
        let me = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandlers(tls.handlers()) }
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .connect(host: address.host, port: address.port)
            .whenComplete { result in
                switch result {
                case .success: me.value.connected(handler.value, to: address)
                case .failure(let error):
                    me.value.logger.warning("\(address) can't be reached: \(ConnectionProblem(error))")
                    me.value.tryAgain(within: nil)
                }
            }
    }

    private func connected(_ handler: UpstreamHandler, to address: UpstreamAddress) {
        guard !hasEnded else { return handler.close() }
        logger.notice("connected to \(address)")
        self.handler = handler
        openedAt = clock()
        handler.begin()
    }

    /// Closes the connection, as the core decided.
    func disconnect(_ why: RelayCore.Disconnection) {
        guard let handler else { return }
        self.handler = nil
        handler.close()
        lost(why)
    }

    /// Called by a handler whose connection is lost.
    func lost(_ handler: UpstreamHandler, _ reason: String) {
        guard self.handler === handler else { return }
        self.handler = nil
        core.disconnected(now: clock())
        onEvent()
        lost(RelayCore.Disconnection(reason))
    }

    private func lost(_ why: RelayCore.Disconnection) {
        logger.warning("lost the server upstream, serving cached screens: \(why.reason)")
        tryAgain(within: why.within)
    }

    /// Called when everything that is shown has arrived.
    func succeeded() { isUseful = true }

    func coreChanged() { onEvent() }

    private func tryAgain(within asked: ClosedRange<UInt32>?) {
        guard !hasEnded else { return }
        let now = clock()
        if isUseful { backoff.ended(after: .milliseconds(now - min(now, openedAt))) }
        isUseful = false
        let fraction = Double.random(in: 0..<1)
        let pause =
            asked.map { backoff.next(atLeast: .milliseconds(UInt32.random(in: $0)), fraction: fraction) }
            ?? backoff.next(fraction: fraction)
        loop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) { [weak self] in self?.connect() }
    }

    func end() {
        hasEnded = true
        handler?.close()
        handler = nil
    }
}

/// Turns bytes into messages for the core.
final class UpstreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private unowned let upstream: Upstream
    private unowned let core: RelayCore
    private let clock: @Sendable () -> UInt64
    private var frames = FrameDecoder(maximumLength: RelayCore.limits.frameBytes)
    private var context: ChannelHandlerContext?
    private var isReading = false
    private var mustFlush = false
    private var unsentAnswers = UnsentAnswers()
    /// Whether too many answers are unsent, because the server asks for them but doesn't read.
    private var isOverrun = false

    init(_ upstream: Upstream, core: RelayCore, clock: @escaping @Sendable () -> UInt64) {
        self.upstream = upstream
        self.core = core
        self.clock = clock
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func begin() {
        core.connected(now: clock())
        upstream.coreChanged()
    }

    /// Writes a message. Messages sent while arriving bytes are being handled are flushed together.
    func send(_ message: Message) {
        guard let context, !isOverrun else { return }
        let frame = MessageCodec.encode(message)
        context.write(NIOAny(frame), promise: message.isProvoked ? counting(frame.readableBytes, context) : nil)
        if isReading { mustFlush = true } else { context.flush() }
    }

    /// Counts an answer until it has been sent. Too many unsent ones end the connection, as soon as the message that
    /// caused the last one has been handled.
    private func counting(_ size: Int, _ context: ChannelHandlerContext) -> EventLoopPromise<Void>? {
        guard unsentAnswers.add(bytes: size) else {
            isOverrun = true
            return nil
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        let me = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { _ in me.value.unsentAnswers.sent(bytes: size) }
        return promise
    }

    /// Closes the connection once what was written has been sent.
    func close() {
        guard let context else { return }
        let channel = context.channel
        // If the server doesn't read, the writes would never finish.
        if isOverrun { return channel.close(promise: nil) }
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        core.heard(now: clock())
        frames.append(unwrapInboundIn(data))
        isReading = true
        var frameCount = 0
        do throws(WireError) {
            while let frame = try frames.next() {
                frameCount += 1
                guard let message = try MessageCodec.decode(frame, limits: RelayCore.limits) else { continue }
                core.received(message, frame)
                if isOverrun { break }
            }
            if isOverrun { core.failProtocol("it doesn't read what it asks for") }
            core.received(frames: frameCount, isWithinFrame: frames.pendingBytes > 0)
        } catch {
            core.failProtocol("\(error)")
        }
        isReading = false
        if mustFlush { context.flush() }
        mustFlush = false
        if core.isCurrent { upstream.succeeded() }
        upstream.coreChanged()
    }

    func channelInactive(context: ChannelHandlerContext) { upstream.lost(self, "it closed the connection") }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        upstream.lost(self, ConnectionProblem(error).description)
        context.close(promise: nil)
    }
}
