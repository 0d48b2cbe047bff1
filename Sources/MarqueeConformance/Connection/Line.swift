package import MarqueeWire
import NIOCore
import NIOPosix
import Synchronization

/// One connection, as the script sees it: bytes and frames go out, arrivals come in. Keeps the last frames of both
/// directions for the report. Used by one task at a time.
package final class Line: Sendable {
    /// The most frames, of both directions together, that a report shows.
    private static let transcriptFrames = 14

    private let channel: any Channel
    private let inbox: Inbox<Arrival>
    private let hasEnded = Mutex(false)
    private let entries = Mutex<[String]>([])
    /// The other side's name in the transcript: `client` or `server`.
    private let peer: String

    init(channel: any Channel, inbox: Inbox<Arrival>, peer: String) {
        self.channel = channel
        self.inbox = inbox
        self.peer = peer
    }

    /// Connects to a server.
    /// - Parameter webSocketPath: the path at which the server speaks the protocol over WebSocket; `nil` for TCP.
    static func connect(
        host: String, port: Int, webSocketPath: String? = nil, limits: WireLimits, within limit: Duration
    ) async throws -> Line {
        if let webSocketPath {
            return try await connect(webSocket: webSocketPath, host: host, port: port, limits: limits, within: limit)
        }
        let inbox = Inbox.ofArrivals()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(TimeAmount(limit))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FrameReader(inbox, limits: limits))
                }
            }
            .connect(host: host, port: port).get()
        return Line(channel: channel, inbox: inbox, peer: "server")
    }

    // Outgoing

    package func send(_ message: Message, flags: FrameFlags = []) async {
        note("  runner: \(FrameText.describe(message, flags: flags))")
        await write(MessageCodec.encode(message, flags: flags))
    }

    package func send(_ frame: Frame) async {
        note("  runner: kind \(frame.kind.rawValue), flags \(frame.flags.rawValue), \(frame.body.readableBytes) bytes")
        var buffer = ByteBuffer()
        buffer.writeFrame(frame)
        await write(buffer)
    }

    /// Sends bytes as they are, valid or not.
    package func send(bytes: [UInt8], as name: String) async {
        note("  runner: \(name)")
        await write(ByteBuffer(bytes: bytes))
    }

    /// Ignores failures: a write to a peer that has closed is lost, but what the peer sent before can still be read.
    private func write(_ buffer: ByteBuffer) async { try? await channel.writeAndFlush(buffer) }

    /// Closes the connection without a close message.
    package func close() async {
        note("  runner: (ends the connection)")
        try? await channel.close()
    }

    // Incoming

    /// The next arrival; `nil` if nothing comes in time. After the end of the stream, it is always `end`.
    package func next(within limit: Duration) async -> Arrival? {
        guard !hasEnded.withLock({ $0 }) else { return .end }
        guard let arrival = await inbox.next(within: limit, on: channel.eventLoop) else { return nil }
        note("  \(peer): \(FrameText.describe(arrival))")
        if case .end = arrival { hasEnded.withLock { $0 = true } }
        return arrival
    }

    private func note(_ entry: String) {
        entries.withLock { entries in
            if entries.count == Line.transcriptFrames { entries.removeFirst() }
            entries.append(entry)
        }
    }

    /// The last frames of both directions, oldest first.
    package var transcript: [String] { entries.withLock { $0 } }
}

extension Inbox<Arrival> {
    /// The most unread bytes, which no script needs; a connection with more is closed.
    private static var maximumBytes: Int { 160 << 20 }

    static func ofArrivals() -> Inbox<Arrival> {
        Inbox(maximumCost: maximumBytes) { arrival in
            if case .frame(let frame, _) = arrival { frame.wireBytes } else { 0 }
        }
    }
}

/// Splits the bytes that arrive into frames, and decodes their messages.
final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: Inbox<Arrival>
    private let limits: WireLimits
    private var decoder: FrameDecoder
    private var isBroken = false

    init(_ inbox: Inbox<Arrival>, limits: WireLimits) {
        self.inbox = inbox
        self.limits = limits
        decoder = FrameDecoder(maximumLength: limits.frameBytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        decoder.append(unwrapInboundIn(data))
        do throws(WireError) {
            while let frame = try decoder.next() {
                let message = try MessageCodec.decode(frame, limits: limits)
                if !inbox.append(.frame(frame, message)) { return context.close(promise: nil) }
            }
        } catch {
            isBroken = true
            _ = inbox.append(.broken(error))
        }
    }

    func channelInactive(context: ChannelHandlerContext) { _ = inbox.append(.end) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
