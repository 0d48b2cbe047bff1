import Dispatch
import Foundation
package import Logging
package import MarqueeModel
package import MarqueeScreens
package import MarqueeStore
package import MarqueeTLS
import MarqueeWire
import NIOCore
package import NIOPosix
import Synchronization

/// A server: the sessions of all connections, and the source of the content they show.
///
/// `start` binds and serves; `drain` asks clients to leave, waits for them, and stops everything. All methods may be
/// called from any thread.
package final class MarqueeServer: Sendable {
    /// The version of this software.
    package static let version = MarqueeVersion.current
    /// The most connections that may wait to be accepted.
    private static let backlog: CInt = 4_096
    /// Write-buffer watermarks in bytes: a connection gets no more data above the upper bound until its buffer has
    /// drained to the lower (G8).
    private static let writeBuffer = 32 << 10...64 << 10
    /// Unsent bytes in the kernel above which a connection counts as not writable. Without this bound, the kernel would
    /// buffer megabytes of patches that newer ones can't replace any more, and the client would receive outdated states
    /// until they are drained.
    package static let unsentBytes = 16 << 10
    /// Bytes to read from a connection at once. NIO keeps a connection's receive buffer at the largest size it has
    /// reached, so an idle client costs as much as its largest read, up to this maximum.
    private static let receiveBuffer = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 8 << 10)

    package struct Configuration: Sendable {
        package var host: String
        /// 0 means any free port.
        package var port: Int
        /// A socket that already listens there; `nil` to open one.
        package var socket: CInt?
        package var imageBaseURL: String?
        package var authenticator: any Authenticator = OpenAuthenticator()
        /// How connections are protected; `nil` for plain TCP.
        package var tls: TLSServer?
        /// Threads that serve connections.
        package var threads: Int
        package var limits = ServerLimits()
        /// Load balancers that begin each connection with a PROXY header of version 2; the client's address is taken
        /// from it. Other peers must not send one.
        package var proxies: [AddressNetwork] = []
        /// Another way in, besides the protocol's own port.
        package var door: DoorPlace?
        /// Adjusts the settings that all sessions share, such as intervals.
        package var adjustSettings: (@Sendable (inout SessionSettings) -> Void)?

        package init(host: String, port: Int, threads: Int = 1) {
            self.host = host
            self.port = port
            self.threads = threads
        }
    }

    /// The monotonic clock of servers, in milliseconds.
    package static var clock: @Sendable () -> UInt64 { ServerServices.uptime }

    /// Facts about a server that has started.
    package struct Summary: Sendable {
        package var host: String
        package var port: Int
        package var counts: CatalogueCounts
        package var revision: UInt64
        /// The address that the door listens on.
        package var door: (host: String, port: Int)?
    }

    package let summary: Summary
    let services: ServerServices
    private let groups: [MultiThreadedEventLoopGroup]
    let listener: any Channel
    /// The door's listener; `nil` without a door.
    private let doorListener: (any Channel)?
    private var connections: ConnectionSet { services.connections }

    private init(
        summary: Summary, services: ServerServices, groups: [MultiThreadedEventLoopGroup], listener: any Channel,
        doorListener: (any Channel)?
    ) {
        self.summary = summary
        self.services = services
        self.groups = groups
        self.listener = listener
        self.doorListener = doorListener
    }

    // MARK: - Starting

    /// Reads the catalogue of a store, binds, and serves.
    /// - Parameter programme: used until the catalogue holds a programme of its own.
    /// - Returns: the server, and the source of its screens, which ends with it.
    /// - Throws: `IOError` when the address can't be bound, `StoreError` when the store can't be read.
    package static func start(
        _ configuration: Configuration, store: any StoreEngine, programme: Programme, logger: Logger
    ) async throws -> (server: MarqueeServer, hub: HubSource) {
        let library = VersionLibrary { refused in logger.warning("a patch was refused: \(refused)") }
        let hits = LimitHits(logger: logger)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let hub = HubSource(
            store: store, programme: programme, logger: logger, hits: hits, hubLoop: group.next(),
            clock: ServerServices.uptime)
        let server = try await start(
            configuration, cluster: store.cluster, source: hub, library: library, hits: hits, on: group, logger: logger
        ) { audience in
            try await hub.begin(library, variantLimit: configuration.limits.variants, for: audience)
        }
        return (server, hub)
    }

    /// Binds and serves the content of a source.
    /// - Parameters:
    ///   - group: the source's own threads, which end with the server.
    ///   - begin: makes the source publish from now on; returns the catalogue's counts and its revision.
    /// - Throws: `IOError` when the address can't be bound, and any error of `begin`.
    package static func start(
        _ configuration: Configuration, cluster: String, source: any ContentSource, library: VersionLibrary,
        hits: LimitHits, on group: MultiThreadedEventLoopGroup, logger: Logger,
        begin: (Audience) async throws -> (counts: CatalogueCounts, revision: UInt64)
    ) async throws -> MarqueeServer {
        let workers = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.threads))
        do {
            var settings = SessionSettings(
                cluster: cluster, node: String(UInt64.random(in: .min ... .max), radix: 36),
                agent: "marquee-server/\(version)", locales: source.locales)
            settings.imageBaseURL = configuration.imageBaseURL
            settings.apply(configuration.limits)
            configuration.adjustSettings?(&settings)
            var limits = configuration.limits
            limits.connections = DescriptorLimit.connections(
                wanted: limits.connections, descriptors: DescriptorLimit.raise())
            let services = ServerServices(
                settings: settings, library: library, source: source, authenticator: configuration.authenticator,
                tls: configuration.tls, logger: logger, connections: ConnectionSet(limits: limits, hits: hits),
                hits: hits,
                budgets: SessionBudgets(limits))
            try await addLoops(of: workers, to: services)
            let audience = Audience(
                publish: { [weak services] in
                    if let services { services.loops.publish($0, now: services.now()) }
                },
                users: { [weak services] in services?.loops.users ?? [] })
            let (counts, revision) = try await begin(audience)
            group.next().scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak services] _ in
                if let services { tick(services) }
            }
            let listener = try await bind(configuration, workers, services)
            let address = listener.localAddress
            var summary = Summary(
                host: address?.ipAddress ?? configuration.host, port: address?.port ?? configuration.port,
                counts: counts, revision: revision)
            let doorListener = try await bindDoor(configuration, workers, services)
            if let place = configuration.door {
                let address = doorListener?.localAddress
                summary.door = (address?.ipAddress ?? place.host, address?.port ?? place.port)
            }
            return MarqueeServer(
                summary: summary, services: services, groups: [group, workers], listener: listener,
                doorListener: doorListener)
        } catch {
            source.stop()
            try? await group.shutdownGracefully()
            try? await workers.shutdownGracefully()
            throw error
        }
    }

    private static func addLoops(
        of workers: MultiThreadedEventLoopGroup, to services: ServerServices
    ) async throws {
        for loop in workers.makeIterator() {
            let (registry, publications) = try await loop.submit {
                let registry = LoopRegistry(loop: loop, services: services)
                return (NIOLoopBound(registry, eventLoop: loop), registry.publications)
            }.get()
            services.loops.add(loop, registry, publications)
            loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak services] _ in
                guard let services else { return }
                registry.value.tick(now: services.now())
            }
        }
    }

    /// Called about once a second.
    private static func tick(_ services: ServerServices) {
        services.source.tick(now: services.now())
        FreeMemory.tick()
    }

    private static func bind(
        _ configuration: Configuration, _ workers: MultiThreadedEventLoopGroup, _ services: ServerServices
    ) async throws -> any Channel {
        let bootstrap = bootstrap(configuration, workers, services) { channel, peer in
            try serve(channel, from: peer, services)
        }
        return try await bootstrap.listening(as: configuration).get()
    }

    /// - Returns: `nil` if there is no door.
    private static func bindDoor(
        _ configuration: Configuration, _ workers: MultiThreadedEventLoopGroup, _ services: ServerServices
    ) async throws -> (any Channel)? {
        guard let place = configuration.door else { return nil }
        let bootstrap = bootstrap(configuration, workers, services) { channel, peer in
            try serve(channel, from: peer, by: place.door, services)
        }
        do {
            return try await bootstrap.bind(host: place.host, port: place.port).get()
        } catch {
            throw DoorFailure(place, cause: error)
        }
    }

    private static func bootstrap(
        _ configuration: Configuration, _ workers: MultiThreadedEventLoopGroup, _ services: ServerServices,
        serve: @escaping @Sendable (any Channel, SocketAddress?) throws -> Void
    ) -> ServerBootstrap {
        ServerBootstrap(group: workers, childGroup: workers)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptPause(rate: configuration.limits.accepts, hits: services.hits))
                }
            }
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // One connection, then everybody else's turn: accepting one costs as much as several frames.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: writeBuffer.lowerBound, high: writeBuffer.upperBound)
            )
            .childChannelOption(.recvAllocator, value: receiveBuffer)
            // One read, then the next connection's turn.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                boundUnsentBytes(of: channel)
                return channel.eventLoop.makeCompletedFuture { try admit(channel, configuration, services, serve) }
            }
    }

    /// Builds the pipeline of an accepted connection, or one that first learns the client's address from the load
    /// balancer.
    private static func admit(
        _ channel: any Channel, _ configuration: Configuration, _ services: ServerServices,
        _ serve: @escaping (any Channel, SocketAddress?) throws -> Void
    ) throws {
        let peer = channel.remoteAddress
        let pipeline = channel.pipeline.syncOperations
        guard !configuration.proxies.isEmpty else { return try serve(channel, peer) }
        let refuse: (any Channel, String) -> Void = { _, why in
            services.hits.hit(.proxies, ["address": "\(peer?.ipAddress ?? "unknown")", "reason": "\(why)"])
        }
        if configuration.proxies.contains(where: { $0.contains(peer) }) {
            try pipeline.addHandler(
                ProxyHeaderHandler(
                    patience: .seconds(Int64(configuration.limits.helloSeconds)),
                    serve: serve, refuse: refuse))
        } else {
            try serve(channel, peer)
            try pipeline.addHandler(ProxyHeaderGuard(refuse: refuse), position: .first)
        }
    }

    /// Builds the pipeline of a connection.
    /// - Parameter peer: the client's address.
    private static func serve(_ channel: any Channel, from peer: SocketAddress?, _ services: ServerServices) throws {
        guard let admitted = try Admitted(channel, from: peer, services) else { return }
        try channel.pipeline.syncOperations.addHandler(
            SessionHandler(
                services: services, registry: admitted.registry, connection: admitted.connection, peer: peer,
                direct: admitted.direct))
    }

    /// Builds the pipeline of a connection that came through a door.
    private static func serve(
        _ channel: any Channel, from peer: SocketAddress?, by door: any Door, _ services: ServerServices
    ) throws {
        guard let admitted = try Admitted(channel, from: peer, forWeb: true, services) else { return }
        try door.serve(DoorConnection(channel, from: peer, admitted, services))
    }

    /// Bounds unsent bytes in the kernel. A failure is ignored: the kernel's buffers are then larger, nothing more.
    private static func boundUnsentBytes(of channel: any Channel) {
        let option = ChannelOptions.Types.SocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
        channel.setOption(option, value: unsentBytes).whenFailure { _ in }
    }

    // MARK: - While serving

    package var counters: VersionLibrary.Counters { services.library.counters }

    /// Data frames written since start.
    package var deliveries: UInt64 { services.counts.deliveries.load(ordering: .relaxed) }

    /// Bytes that all sessions share: remembered versions and encoded patches.
    package var libraryBytes: (versions: Int, patches: Int) { services.library.bytes }

    /// The load of each session.
    package func sessionLoads() async throws -> [SessionLoad] { try await services.loops.sessionLoads() }

    /// How often each limit was hit since start.
    package var limitHits: [Limit: UInt64] { services.hits.counts }

    /// Connections that are open now.
    package var connectionCount: Int { connections.count }

    // MARK: - Stopping

    /// Stops accepting, asks every client to leave, waits for them, closes the rest, and commits submitted writes.
    /// - Parameters:
    ///   - grace: how long to wait for clients to leave.
    ///   - beforeEnd: called once they are gone. After it returns, nothing may wait for an answer from the hub any
    ///     more, as it may never come.
    package func drain(grace: Duration = .seconds(3), beforeEnd: () async -> Void = {}) async {
        try? await listener.close()
        try? await doorListener?.close()
        services.drain()
        let clock = ContinuousClock()
        let deadline = clock.now + grace
        while connections.count > 0, clock.now < deadline {
            try? await clock.sleep(for: .milliseconds(20))
        }
        await connections.closeAll()
        await beforeEnd()
        await services.source.finish()
        // The loops are about to end: from here on, no work may pass between threads.
        services.stop()
        for group in groups { try? await group.shutdownGracefully() }
    }
}

extension ServerBootstrap {
    fileprivate func listening(as configuration: MarqueeServer.Configuration) -> EventLoopFuture<any Channel> {
        configuration.socket.map { withBoundSocket($0) } ?? bind(host: configuration.host, port: configuration.port)
    }
}
