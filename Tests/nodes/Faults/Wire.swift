import NIOCore
import NIOPosix
import Synchronization

/// A network between two programs: passes TCP connections on to another place. It can hold back what either side says,
/// break all connections, and lead elsewhere from then on.
final class Wire: Sendable {
    enum Place: Sendable {
        case port(Int)
        /// The path of a Unix socket.
        case socket(String)
    }

    enum Direction: CaseIterable, Hashable, Sendable {
        /// From those who connected.
        case requests
        case answers
    }

    private struct Link {
        let client: any Channel
        let server: any Channel
    }

    private struct State {
        var place: Place
        var held: Set<Direction> = []
        var links: [ObjectIdentifier: Link] = [:]
        var listener: (any Channel)?
    }

    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    private let state: Mutex<State>

    /// Where to connect to, on this machine.
    var port: Int { state.withLock { $0.listener?.localAddress?.port } ?? 0 }

    init(to place: Place) async throws {
        state = Mutex(State(place: place))
        let listener = try await ServerBootstrap(group: Self.threads)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [self] client in connect(client) }
            .bind(host: ServerProcess.host, port: 0).get()
        state.withLock { $0.listener = listener }
    }

    /// Keeps back what is said in these directions, also on connections to come, and delivers what was kept back in the
    /// others.
    func hold(_ directions: Set<Direction>) {
        let links = state.withLock { state in
            state.held = directions
            return Array(state.links.values)
        }
        for link in links { Self.hold(directions, on: link) }
    }

    /// Breaks all connections.
    func reset() {
        let links = state.withLock { Array($0.links.values) }
        for link in links {
            link.client.close(promise: nil)
            link.server.close(promise: nil)
        }
    }

    /// Leads elsewhere, and breaks what leads to the place before.
    func lead(to place: Place) {
        state.withLock { $0.place = place }
        reset()
    }

    /// Takes no further connections, and breaks those there are.
    func stop() async {
        try? await state.withLock { $0.listener }?.close()
        reset()
    }

    private static func hold(_ directions: Set<Direction>, on link: Link) {
        link.client.triggerUserOutboundEvent(Hold(isHeld: directions.contains(.requests)), promise: nil)
        link.server.triggerUserOutboundEvent(Hold(isHeld: directions.contains(.answers)), promise: nil)
    }

    private func connect(_ client: any Channel) -> EventLoopFuture<Void> {
        let bootstrap = ClientBootstrap(group: client.eventLoop).channelOption(.autoRead, value: false)
        let connecting =
            switch state.withLock({ $0.place }) {
            case .port(let port): bootstrap.connect(host: ServerProcess.host, port: port)
            case .socket(let path): bootstrap.connect(unixDomainSocketPath: path)
            }
        return connecting.flatMap { [self] server in
            client.eventLoop.makeCompletedFuture {
                try client.pipeline.syncOperations.addHandler(Valve(to: server))
                try server.pipeline.syncOperations.addHandler(Valve(to: client))
            }
            .flatMap { server.setOption(.autoRead, value: true) }
            .flatMap { client.setOption(.autoRead, value: true) }
            // Before anything is read: all of it is on one event loop.
            .map { self.begin(Link(client: client, server: server)) }
        }
    }

    private func begin(_ link: Link) {
        let id = ObjectIdentifier(link.client)
        let held = state.withLock { state in
            state.links[id] = link
            return state.held
        }
        Self.hold(held, on: link)
        link.client.closeFuture.whenComplete { [self] _ in state.withLock { $0.links[id] = nil } }
    }
}

/// Tells a valve whether to keep back what arrives.
private struct Hold: Sendable {
    var isHeld: Bool
}

/// Passes what arrives on to another channel of the same event loop, or holds it back: the bytes, and the end of them.
private final class Valve: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let other: any Channel
    private var isHeld = false
    private var isEnded = false
    private var kept: [ByteBuffer] = []

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if isHeld { kept.append(bytes) } else { other.write(bytes, promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { if !isHeld { other.flush() } }

    /// Nothing is read while it is held: whatever the peer sends stays in the system's buffers, which are bounded.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let hold = event as? Hold else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        guard hold.isHeld != isHeld else { return }
        isHeld = hold.isHeld
        if !isHeld {
            for bytes in kept { other.write(bytes, promise: nil) }
            kept = []
            other.flush()
            if isEnded { end() }
        }
        if context.channel.isActive { context.channel.setOption(.autoRead, value: !isHeld).whenFailure { _ in } }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isEnded = true
        if !isHeld { end() }
    }

    private func end() {
        other.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { [other] _ in other.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
