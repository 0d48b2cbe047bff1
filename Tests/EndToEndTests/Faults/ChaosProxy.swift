import NIOCore
import NIOPosix
import SeededRandom
import Synchronization

/// Sits between clients and a server and makes each connection go through its plan.
final class ChaosProxy: Sendable {
    struct Counts: Sendable {
        var connections = 0
        var fragments = 0
        var slowConnections = 0
        var faults: [ChaosPlan.Fault: Int] = [:]

        static func + (one: Counts, other: Counts) -> Counts {
            Counts(
                connections: one.connections + other.connections, fragments: one.fragments + other.fragments,
                slowConnections: one.slowConnections + other.slowConnections,
                faults: one.faults.merging(other.faults, uniquingKeysWith: +))
        }
    }

    private struct State {
        var random: SeededGenerator?
        var links: [ObjectIdentifier: NIOLoopBound<ChaosLink>] = [:]
        var counts = Counts()
    }

    private let listener: any Channel
    private let state: Mutex<State>

    var port: Int { listener.localAddress?.port ?? 0 }
    var counts: Counts { state.withLock { $0.counts } }

    private init(listener: any Channel, seed: UInt64?) {
        self.listener = listener
        state = Mutex(State(random: seed.map { SeededGenerator(seed: $0) }))
    }

    /// - Parameter seed: of the plans; with `nil`, all goes well until `strike`.
    static func start(to port: Int, seed: UInt64?) async throws -> ChaosProxy {
        let proxy = Mutex<ChaosProxy?>(nil)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { client in
                guard let proxy = proxy.withLock({ $0 }) else { return client.close() }
                return proxy.connect(client, to: port)
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let made = ChaosProxy(listener: listener, seed: seed)
        proxy.withLock { $0 = made }
        return made
    }

    private func connect(_ client: any Channel, to port: Int) -> EventLoopFuture<Void> {
        // The seed is for what the plan leaves open: sizes of fragments, the bit that is flipped.
        let (plan, seed) = state.withLock { state in
            var plan = ChaosPlan.calm
            var seed: UInt64 = 0
            if var random = state.random {
                plan = ChaosPlan.draw(using: &random)
                seed = random.next()
                state.random = random
            }
            state.counts.connections += 1
            if plan.toClient.bytesPerSecond ?? plan.toServer.bytesPerSecond != nil { state.counts.slowConnections += 1 }
            return (plan, seed)
        }
        return ClientBootstrap(group: client.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: port)
            .flatMapThrowing { server in
                let link = ChaosLink(client: client, server: server, plan: plan, seed: seed) { [weak self] event in
                    self?.heard(event)
                }
                try client.pipeline.syncOperations.addHandler(ChaosPipe(link, .toServer))
                try server.pipeline.syncOperations.addHandler(ChaosPipe(link, .toClient))
                let id = ObjectIdentifier(link)
                self.state.withLock { $0.links[id] = NIOLoopBound(link, eventLoop: client.eventLoop) }
                link.start()
            }
            // No server: the client's attempt fails as well.
            .flatMapError { _ in client.close() }
    }

    private func heard(_ event: ChaosLink.Event) {
        state.withLock { state in
            switch event {
            case .passed: state.counts.fragments += 1
            case .struck(let fault): state.counts.faults[fault, default: 0] += 1
            case .ended(let id): state.links[id] = nil
            }
        }
    }

    /// From now on connections go well. Half-open ones stay so: their ends have to find out.
    func calm() {
        for link in links(forgettingSeed: true) { link.eventLoop.execute { link.value.calm() } }
    }

    /// Strikes all current connections with a fault.
    func strike(_ fault: ChaosPlan.Fault) {
        for link in links(forgettingSeed: false) { link.eventLoop.execute { link.value.strike(fault) } }
    }

    func stop() async {
        try? await listener.close()
        for link in links(forgettingSeed: true) {
            try? await link.eventLoop.submit { link.value.close() }.get()
        }
    }

    private func links(forgettingSeed forgets: Bool) -> [NIOLoopBound<ChaosLink>] {
        state.withLock { state in
            if forgets { state.random = nil }
            return Array(state.links.values)
        }
    }
}
