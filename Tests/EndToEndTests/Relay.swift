import MarqueeWire
import NIOCore
import NIOPosix
import Synchronization

/// Sits between clients and a server: forwards frames, changed if a test wants that, and cuts connections on demand.
final class Relay: Sendable {
    /// Sees each frame from the server; returns what the client gets instead, `nil` for nothing.
    typealias Transform = @Sendable (Frame) -> Frame?

    private let listener: any Channel
    private let connections = Mutex<[any Channel]>([])
    /// Bytes passed from the server, by kind.
    let passed = Mutex<[FrameKind: Int]>([:])
    private let isSilent = Mutex(false)

    var port: Int { listener.localAddress?.port ?? 0 }

    private init(listener: any Channel) { self.listener = listener }

    static func start(to port: Int, transform: @escaping Transform = { $0 }) async throws -> Relay {
        let relay = Mutex<Relay?>(nil)
        let group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                relay.withLock { $0 }?.connections.withLock { $0.append(client) }
                return ClientBootstrap(group: client.eventLoop)
                    .channelInitializer { server in
                        server.eventLoop.makeCompletedFuture {
                            try server.pipeline.syncOperations.addHandler(
                                FramePipe(to: client) { frame in
                                    if relay.withLock({ $0 })?.isSilent.withLock({ $0 }) == true { return nil }
                                    relay.withLock { $0 }?.passed.withLock {
                                        $0[frame.kind, default: 0] += frame.wireBytes
                                    }
                                    return transform(frame)
                                })
                        }
                    }
                    .connect(host: "127.0.0.1", port: port)
                    .flatMapThrowing { server in
                        // It may have been cut before the server was reached: no handler would hear of that.
                        client.closeFuture.whenComplete { _ in server.close(promise: nil) }
                        try client.pipeline.syncOperations.addHandler(BytePipe(to: server))
                    }
                    .flatMap { client.setOption(.autoRead, value: true) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let made = Relay(listener: listener)
        relay.withLock { $0 = made }
        return made
    }

    /// Cuts every connection, and passes nothing of the server's to new ones until `restore`: if a client is back at
    /// once, nobody has time to see that it was gone.
    func interrupt() async {
        isSilent.withLock { $0 = true }
        await cut()
    }

    func restore() async {
        isSilent.withLock { $0 = false }
        await cut()
    }

    /// Cuts every connection.
    func cut() async {
        for channel in connections.withLock({ list in
            defer { list.removeAll() }; return list
        }) {
            try? await channel.close()
        }
    }

    func stop() async {
        try? await listener.close()
        await cut()
    }
}

private final class BytePipe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let other: any Channel
    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

private final class FramePipe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let other: any Channel
    private let transform: Relay.Transform
    private var decoder = FrameDecoder(maximumLength: WireLimits.client.frameBytes)

    init(to other: any Channel, transform: @escaping Relay.Transform) {
        self.other = other
        self.transform = transform
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        decoder.append(unwrapInboundIn(data))
        while let frame = try? decoder.next() {
            guard let changed = transform(frame) else { continue }
            var buffer = ByteBuffer()
            buffer.writeFrame(changed)
            other.writeAndFlush(buffer, promise: nil)
        }
    }
    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
