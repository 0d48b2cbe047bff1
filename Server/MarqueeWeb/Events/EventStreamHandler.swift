import Foundation
import MarqueeModel
import MarqueeServer
import MarqueeWire
import NIOCore
import NIOHTTP1

/// The source of a stream's events. Belongs to the connection's event loop.
protocol EventSource: AnyObject {
    /// Begins to send events. The caller calls `leave` if nothing can be sent.
    /// - Parameter then: called once with the reason why nothing can be sent, or with `nil`: then the stream has to be
    ///   in the pipeline when the call returns.
    func begin(to stream: EventStreamHandler, then: @escaping (Status?) -> Void)
    /// Called when the client can take more.
    func isReady()
    /// Called every few seconds.
    func pulse()
    /// Sends nothing more.
    func leave()
}

/// A connection that sends events to a client until either side ends it. Anything that the client sends is dropped.
final class EventStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The time between two keep-alives of a stream, in seconds.
    private static let pulseSeconds: Int64 = 15
    /// How long a client may take nothing, in milliseconds.
    private static let blockedMilliseconds: UInt64 = 60_000
    /// The pause after which a client comes back, in milliseconds; those that the server asks to leave take up to the
    /// longest, so that they don't all come at once.
    private static let pauseMilliseconds = 1_000
    private static let longestPauseMilliseconds = 6_000
    /// How long a client may take to close after the last byte, in milliseconds.
    private static let closeMilliseconds: Int64 = 1_000
    private static let comment = EventTexts.chunk(":\n\n")

    private let connection: DoorConnection
    private let source: any EventSource
    private var context: ChannelHandlerContext?
    private var pulse: Scheduled<Void>?
    /// Whether nothing was sent since the last pulse.
    private var isQuiet = true
    /// The time since which the client takes nothing, by the server's clock.
    private var blockedSince: UInt64?
    private var hasEnded = false

    init(_ connection: DoorConnection, _ source: any EventSource) {
        self.connection = connection
        self.source = source
    }

    /// The fields of the response's head. They tell proxies not to buffer events.
    static let fields: HTTPHeaders = [
        "Content-Type": mediaType, "Connection": "close", "Transfer-Encoding": "chunked", "X-Accel-Buffering": "no",
    ]
    private static let mediaType = "text/event-stream"

    /// Whether a request is for events: it names their type and not that of the whole screen.
    static func isWanted(by head: HTTPRequestHead) -> Bool {
        let ranges = head.headers[canonicalForm: "accept"]
        return head.method == .GET && WebReading.accepts(ranges, oneOf: [mediaType])
            && !WebReading.accepts(ranges, oneOf: [WebReading.mediaType])
    }

    /// Begins to send events. The caller calls `leave` if nothing can be sent.
    /// - Parameter then: see `EventSource`.
    func begin(then: @escaping (Status?) -> Void) { source.begin(to: self, then: then) }

    /// Sends nothing more.
    func leave() { source.leave() }

    // MARK: - Events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let me = NIOLoopBound(self, eventLoop: context.eventLoop)
        connection.onDrain = { me.value.drain() }
        connection.write(shared: EventTexts.chunk("retry: \(Self.pauseMilliseconds)\n\n"))
        schedulePulse(context)
        if connection.isDraining { drain() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        pulse?.cancel()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            blockedSince = nil
            source.isReady()
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is RoomNeeded { return end() }
        // The client has nothing more to say, and may go on reading.
        if case ChannelEvent.inputClosed = event { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    // MARK: - Time

    private func schedulePulse(_ context: ChannelHandlerContext) {
        let me = NIOLoopBound(self, eventLoop: context.eventLoop)
        pulse = context.eventLoop.scheduleTask(in: .seconds(Self.pulseSeconds)) { me.value.beat() }
    }

    private func beat() {
        guard let context, !hasEnded else { return }
        if let blockedSince, connection.now() - blockedSince >= Self.blockedMilliseconds {
            return context.close(promise: nil)
        }
        if isQuiet, blockedSince == nil { _ = write(Self.comment) }
        isQuiet = true
        schedulePulse(context)
        source.pulse()
    }

    // MARK: - Ends

    /// Ends the stream because the server asks its clients to leave.
    private func drain() {
        let pause = Int.random(in: Self.pauseMilliseconds...Self.longestPauseMilliseconds)
        connection.write(shared: EventTexts.chunk("retry: \(pause)\n\n"))
        end()
    }

    private func end() {
        guard !hasEnded, let context else { return }
        hasEnded = true
        leave()
        let channel = context.channel
        channel.writeAndFlush(EventTexts.lastChunk, promise: nil)
        channel.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
        context.eventLoop.scheduleTask(in: .milliseconds(Self.closeMilliseconds)) { channel.close(promise: nil) }
    }

    // MARK: - For the source

    /// Sends text, as a chunk.
    /// - Returns: whether the client takes more at once; otherwise the source's `isReady` is called later.
    func send(_ text: ByteBuffer) -> Bool {
        isQuiet = false
        return write(text)
    }

    private func write(_ bytes: ByteBuffer) -> Bool {
        guard context != nil, !hasEnded else { return false }
        if !connection.write(shared: bytes) { blockedSince = connection.now() }
        return blockedSince == nil
    }

    /// Ends the stream with the reason why nothing more is sent.
    func end(_ status: Status) {
        guard !hasEnded else { return }
        connection.write(shared: EventTexts.end(WebProblem(status)))
        end()
    }
}
