import Dispatch
import Foundation
package import Logging
import MarqueeModel
package import MarqueeScreens
package import MarqueeStore
import MarqueeWire
import NIOCore
import NIOPosix
import Synchronization

/// A server: one store, one hub, and the sessions of all connections.
///
/// `start` binds and serves; `drain` tells clients to go, waits for them, and stops everything. All methods may be
/// called from any thread.
package final class MarqueeServer: Sendable {
    /// The version of this software.
    package static let version = "0.1.0"
    /// Connections that wait to be accepted.
    private static let backlog: CInt = 4_096
    /// Bytes that may wait in a connection's buffer before no more data is bound (G8).
    private static let writeBuffer = 32 << 10...64 << 10
    /// Bytes that may wait unsent in the kernel before a connection counts as not writable. Its buffer would take
    /// megabytes otherwise, of patches that nothing newer can replace any more: a client would read the past for as
    /// long as it takes to empty it.
    package static let unsentBytes = 16 << 10

    package struct Configuration: Sendable {
        package var host: String
        /// 0: any that is free.
        package var port: Int
        package var programme: Programme
        package var imageBaseURL: String?
        package var authenticator: any Authenticator = OpenAuthenticator()
        /// Threads that serve connections.
        package var threads: Int
        /// Connections at once, fewer where the process may not have as many files open. A further one takes the place
        /// of the one that has shown nothing for longest, or is closed when there is none.
        package var maximumConnections = 20_000
        /// Changes what all sessions have in common, such as intervals.
        package var adjustSettings: (@Sendable (inout SessionSettings) -> Void)?

        package init(host: String, port: Int, programme: Programme, threads: Int = 1) {
            self.host = host
            self.port = port
            self.programme = programme
            self.threads = threads
        }
    }

    /// What a started server can say of itself.
    package struct Summary: Sendable {
        package var host: String
        package var port: Int
        package var movies: Int
        package var revision: UInt64
    }

    package let summary: Summary
    let services: ServerServices
    private let groups: [MultiThreadedEventLoopGroup]
    let listener: any Channel
    private var connections: ConnectionSet { services.connections }

    private init(
        summary: Summary, services: ServerServices, groups: [MultiThreadedEventLoopGroup], listener: any Channel
    ) {
        self.summary = summary
        self.services = services
        self.groups = groups
        self.listener = listener
    }

    // MARK: - Starting

    /// Reads the catalogue, binds, and serves.
    /// - Throws: `IOError` when the address can't be bound, `StoreError` when the store can't be read.
    package static func start(
        _ configuration: Configuration, store: any StoreEngine, logger: Logger
    ) async throws -> MarqueeServer {
        let hubGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let workers = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.threads))
        do {
            return try await start(configuration, store: store, logger: logger, hubGroup: hubGroup, workers: workers)
        } catch {
            try? await hubGroup.shutdownGracefully()
            try? await workers.shutdownGracefully()
            throw error
        }
    }

    private static func start(
        _ configuration: Configuration, store: any StoreEngine, logger: Logger, hubGroup: MultiThreadedEventLoopGroup,
        workers: MultiThreadedEventLoopGroup
    ) async throws -> MarqueeServer {
        let hubLoop = hubGroup.next()
        var settings = SessionSettings(
            cluster: store.cluster, node: String(UInt64.random(in: .min ... .max), radix: 36),
            agent: "marquee-server/\(version)", locales: configuration.programme.locales)
        settings.imageBaseURL = configuration.imageBaseURL
        configuration.adjustSettings?(&settings)
        let connections = ConnectionSet(
            limit: DescriptorLimit.connections(
                wanted: configuration.maximumConnections, descriptors: DescriptorLimit.raise()))
        let library = VersionLibrary { refused in logger.warning("a patch was refused: \(refused)") }
        let services = ServerServices(
            settings: settings, library: library, store: store, authenticator: configuration.authenticator,
            logger: logger, hubLoop: hubLoop, connections: connections)
        for loop in workers.makeIterator() {
            let registry = try await loop.submit { NIOLoopBound(LoopRegistry(loop: loop), eventLoop: loop) }.get()
            services.addLoop(loop, registry)
            loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak services] _ in
                guard let services else { return }
                registry.value.tick(now: services.now())
            }
        }
        let programme = configuration.programme
        let (movies, revision) = try await hubLoop.submit {
            let hub = try Hub(
                store: store, library: services.library, programme: programme,
                positions: services.positions, now: services.now(),
                publish: { [weak services] in services?.publish($0) },
                report: { logger.error("\($0)") })
            services.setHub(NIOLoopBound(hub, eventLoop: hubLoop))
            return (hub.movieCount, hub.catalogueRevision)
        }.get()
        hubLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak services] _ in
            guard let services else { return }
            let now = services.now()
            services.onHub { $0.tick(now: now) }
        }
        store.onWake { [weak services] in services?.storeMoved() }
        services.storeMoved()

        let listener = try await bind(configuration, workers, services)
        let address = listener.localAddress
        return MarqueeServer(
            summary: Summary(
                host: address?.ipAddress ?? configuration.host, port: address?.port ?? configuration.port,
                movies: movies, revision: revision),
            services: services, groups: [hubGroup, workers], listener: listener)
    }

    private static func bind(
        _ configuration: Configuration, _ workers: MultiThreadedEventLoopGroup, _ services: ServerServices
    ) async throws -> any Channel {
        let logger = services.logger
        let connections = services.connections
        return try await ServerBootstrap(group: workers, childGroup: workers)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(logger: logger))
                }
            }
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: writeBuffer.lowerBound, high: writeBuffer.upperBound)
            )
            // One read, then it is another connection's turn.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                boundUnsentBytes(of: channel)
                return channel.eventLoop.makeCompletedFuture {
                    guard let registry = services.registry(of: channel.eventLoop) else { return }
                    guard let connection = connections.add(channel) else {
                        logger.debug("a connection was refused: all \(connections.limit) are in use")
                        channel.close(promise: nil)
                        return
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        SessionHandler(services: services, registry: registry, connection: connection))
                }
            }
            .bind(host: configuration.host, port: configuration.port).get()
    }

    /// A system that does not know the option has larger buffers, no more.
    private static func boundUnsentBytes(of channel: any Channel) {
        let option = ChannelOptions.Types.SocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
        channel.setOption(option, value: unsentBytes).whenFailure { _ in }
    }

    // MARK: - While serving

    /// The only writer of the store while the server runs.
    package var committer: Committer { services.committer }

    /// Chooses another item of a pool, by chance.
    /// - Parameters:
    ///   - key: of the commit; a choice of this key is made once.
    ///   - putOff: called when the store is full or busy and the choice has to wait.
    /// - Throws: `StoreError` when it can't be committed.
    package func rotate(
        _ pool: String, key: String? = nil, putOff: (StoreError) -> Void = { _ in }
    ) async throws -> Rotation.Event {
        let (all, now) = try await services.askHub { $0.choices(of: pool) }
        guard let choice = all.filter({ $0 != now }).randomElement() else { return .nothingToChoose }
        switch try await committer.commitPatiently(
            .catalogue(key: key, changes: [choice], mutation: nil), putOff: putOff)
        {
        case .done(let revision, changed: true): return .chosen(choice, revision: revision)
        case .done(_, changed: false): return .chosenBefore
        default: return .nothingToChoose
        }
    }

    package var counters: VersionLibrary.Counters { services.library.counters }

    /// Data frames written since start.
    package var deliveries: UInt64 { services.deliveries.load(ordering: .relaxed) }

    /// Bytes that all sessions share: remembered versions, encoded patches.
    package var libraryBytes: (versions: Int, patches: Int) { services.library.bytes }

    /// What each session holds for its client.
    package func sessionLoads() async throws -> [SessionLoad] { try await services.sessionLoads() }

    /// Connections that are open now.
    package var connectionCount: Int { connections.count }

    // MARK: - Stopping

    /// Stops accepting, asks every client to go, waits for them, closes what is left, and commits what was handed in.
    /// - Parameter grace: how long clients have to go.
    package func drain(grace: Duration = .seconds(3)) async {
        try? await listener.close()
        services.drain()
        let clock = ContinuousClock()
        let deadline = clock.now + grace
        while connections.count > 0, clock.now < deadline {
            try? await clock.sleep(for: .milliseconds(20))
        }
        await connections.closeAll()
        // What was handed in is read, then committed.
        await services.reading.flush()
        await services.answering.flush()
        services.committer.flush()
        // From here on nothing is handed from one thread to another: their loops end.
        services.stop()
        for group in groups { try? await group.shutdownGracefully() }
    }
}
