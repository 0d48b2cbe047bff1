import MarqueeModel
import MarqueeWire
import NIOCore
import NIOPosix

/// A connection that sends whatever a test wants, right or wrong, and exposes every frame that comes back.
final class RawConnection: Sendable {
    private let channel: any Channel
    let frames: AsyncStream<Frame>
    /// Messages of frames that this side understands, in order; ends when the server closes.
    var messages: AsyncCompactMapSequence<AsyncStream<Frame>, Message> {
        frames.compactMap { try? MessageCodec.decode($0, limits: .client) }
    }

    private init(channel: any Channel, frames: AsyncStream<Frame>) {
        self.channel = channel
        self.frames = frames
    }

    /// - Parameter receiveBuffer: bytes of the socket's buffer; what the system takes by default.
    static func open(
        port: Int, group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup, receiveBuffer: Int? = nil
    ) async throws -> RawConnection {
        let (stream, continuation) = AsyncStream.makeStream(of: Frame.self)
        var bootstrap = ClientBootstrap(group: group)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer)
        }
        let channel =
            try await bootstrap
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FrameCollector(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return RawConnection(channel: channel, frames: stream)
    }

    func send(_ message: Message) async throws {
        try await send(MessageCodec.encode(message, flags: []))
    }

    func send(_ bytes: ByteBuffer) async throws {
        try await channel.writeAndFlush(bytes)
    }

    func send(_ bytes: [UInt8]) async throws { try await send(ByteBuffer(bytes: bytes)) }

    func close() async { try? await channel.close() }

    /// Leaves incoming bytes in the socket, or reads them again.
    func read(_ reads: Bool) async throws { try await channel.setOption(.autoRead, value: reads).get() }

    /// The port of this end.
    var localPort: Int { channel.localAddress?.port ?? 0 }

    /// Says hello and waits for welcome.
    /// - Parameter id: that of the client; a random one without it.
    func greet(user: String? = nil, id: [UInt8]? = nil) async throws -> Welcome? {
        var hello = Hello()
        hello.clientID = id ?? (0..<Hello.clientIDBytes).map { _ in UInt8.random(in: .min ... .max) }
        hello.user = user
        try await send(.hello(hello))
        for await message in messages {
            if case .welcome(let welcome) = message { return welcome }
            return nil
        }
        return nil
    }

    /// The status of the close frame with which the server ends the connection.
    func closingStatus() async -> Status? {
        for await message in messages {
            if case .close(let status) = message { return status }
        }
        return nil
    }
}

private final class FrameCollector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<Frame>.Continuation
    private var decoder = FrameDecoder(maximumLength: WireLimits.client.frameBytes)

    init(_ continuation: AsyncStream<Frame>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        decoder.append(unwrapInboundIn(data))
        while let frame = try? decoder.next() { continuation.yield(frame) }
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
