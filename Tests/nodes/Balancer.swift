import NIOCore
import NIOPosix
import Synchronization

/// The TCP balancer before the servers: each connection goes to the server with the fewest of them, or to the next one
/// if that one doesn't answer. A client knows one address, so this is how it comes to another server.
final class Balancer: Sendable {
    private struct Backend {
        let port: Int
        var connections = 0
    }

    /// A thread of its own: the clients' are busy.
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let backends: Mutex<[Backend]>
    private let listener = Mutex<(any Channel)?>(nil)

    var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }

    /// - Parameter servers: in the order in which equals are chosen.
    init(before servers: [ServerProcess]) async throws {
        backends = Mutex(servers.map { Backend(port: $0.port) })
        let bound = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [self] client in connect(client, trying: ranked) }
            .bind(host: ServerProcess.host, port: 0).get()
        listener.withLock { $0 = bound }
    }

    /// Connections that lead to each server, in the servers' order.
    var connections: [Int] { backends.withLock { $0.map(\.connections) } }

    /// All of them, those with the fewest connections first.
    private var ranked: [Int] {
        backends.withLock { backends in
            backends.indices.sorted { (backends[$0].connections, $0) < (backends[$1].connections, $1) }
        }
    }

    /// Closes all connections.
    func stop() async { try? await group.shutdownGracefully() }

    /// - Returns: a failure if no server answers; the client's connection is closed then.
    private func connect(_ client: any Channel, trying candidates: [Int]) -> EventLoopFuture<Void> {
        guard let first = candidates.first else {
            return client.eventLoop.makeFailedFuture(NodesError("no server answers"))
        }
        // Counted before it answers, so that a crowd that comes at once is spread.
        let port = backends.withLock { backends in
            backends[first].connections += 1
            return backends[first].port
        }
        let leave: @Sendable () -> Void = { [self] in backends.withLock { $0[first].connections -= 1 } }
        return ClientBootstrap(group: client.eventLoop).channelOption(.autoRead, value: false)
            .connect(host: ServerProcess.host, port: port)
            .flatMap { server in
                server.closeFuture.whenComplete { _ in leave() }
                return client.eventLoop.makeCompletedFuture {
                    try client.pipeline.syncOperations.addHandler(Pipe(to: server))
                    try server.pipeline.syncOperations.addHandler(Pipe(to: client))
                }.flatMap { server.setOption(.autoRead, value: true) }
                    .flatMap { client.setOption(.autoRead, value: true) }
            }
            .flatMapError { [self] _ in
                leave()
                return connect(client, trying: Array(candidates.dropFirst()))
            }
    }
}

/// Passes what arrives on to another channel of the same event loop, as fast as that takes it.
private final class Pipe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { other.write(unwrapInboundIn(data), promise: nil) }

    func channelReadComplete(context: ChannelHandlerContext) { other.flush() }

    /// Lets the other side read only while this one can take more.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        other.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
    }

    /// Passes on what was received last before it closes the other side: it may say why.
    func channelInactive(context: ChannelHandlerContext) {
        other.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { [other] _ in other.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
