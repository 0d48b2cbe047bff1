import Dispatch
import Foundation
package import Logging
package import MarqueeModel
package import MarqueeScreens
package import MarqueeStore
package import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOPosix
import Synchronization

/// A server: one store, one hub, and the sessions of all connections.
///
/// `start` binds and serves; `drain` asks clients to leave, waits for them, and stops everything. All methods may be
/// called from any thread.
package final class MarqueeServer: Sendable {
    /// The version of this software.
    package static let version = "0.1.0"
    /// Connections that may wait to be accepted.
    private static let backlog: CInt = 4_096
    /// Write-buffer watermarks in bytes: a connection gets no more data above the upper bound until its buffer has
    /// drained to the lower (G8).
    private static let writeBuffer = 32 << 10...64 << 10
    /// Unsent bytes in the kernel above which a connection counts as not writable. Otherwise the kernel would buffer
    /// megabytes of patches that newer ones can no longer replace, and the client would receive outdated states until
    /// they are drained.
    package static let unsentBytes = 16 << 10
    /// Bytes to read from a connection at once. NIO keeps a connection's receive buffer at the largest size it has
    /// reached, so an idle client costs as much as its largest read, up to this maximum.
    private static let receiveBuffer = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 8 << 10)

    package struct Configuration: Sendable {
        package var host: String
        /// 0 means any free port.
        package var port: Int
        package var programme: Programme
        package var imageBaseURL: String?
        package var authenticator: any Authenticator = OpenAuthenticator()
        /// How connections are protected; `nil` for plain TCP.
        package var tls: TLSServer?
        /// Threads that serve connections.
        package var threads: Int
        package var limits = ServerLimits()
        /// Adjusts the settings that all sessions share, such as intervals.
        package var adjustSettings: (@Sendable (inout SessionSettings) -> Void)?

        package init(host: String, port: Int, programme: Programme, threads: Int = 1) {
            self.host = host
            self.port = port
            self.programme = programme
            self.threads = threads
        }
    }

    /// Facts about a server that has started.
    package struct Summary: Sendable {
        package var host: String
        package var port: Int
        package var counts: CatalogueCounts
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
        var limits = configuration.limits
        limits.connections = DescriptorLimit.connections(
            wanted: limits.connections, descriptors: DescriptorLimit.raise())
        settings.variantsPerConnection = limits.variantsPerConnection
        let hits = LimitHits(logger: logger)
        let connections = ConnectionSet(limits: limits, hits: hits)
        let library = VersionLibrary { refused in logger.warning("a patch was refused: \(refused)") }
        let services = ServerServices(
            settings: settings, programme: configuration.programme, library: library, store: store,
            authenticator: configuration.authenticator, logger: logger, hubLoop: hubLoop, connections: connections,
            hits: hits)
        for loop in workers.makeIterator() {
            let (registry, publications) = try await loop.submit {
                let registry = LoopRegistry(loop: loop, services: services)
                return (NIOLoopBound(registry, eventLoop: loop), registry.publications)
            }.get()
            services.addLoop(loop, registry, publications)
            loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak services] _ in
                guard let services else { return }
                registry.value.tick(now: services.now())
            }
        }
        let (programme, variantLimit) = (configuration.programme, limits.variants)
        let (counts, revision) = try await hubLoop.submit {
            let hub = try Hub(
                store: store, library: services.library, programme: programme,
                positions: services.positions, variantLimit: variantLimit, now: services.now(),
                limitHit: { hits.hit(.variants) },
                publish: { [weak services] in services?.publish($0) },
                report: { logger.error("\($0)") })
            services.setHub(NIOLoopBound(hub, eventLoop: hubLoop))
            // Tells the session loops the catalogue's position.
            services.publish(Publication(catalogueRevision: hub.catalogueRevision, changes: [:]))
            return (hub.counts, hub.catalogueRevision)
        }.get()
        hubLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak services] _ in
            guard let services else { return }
            let now = services.now()
            services.onHub { $0.tick(now: now) }
            let haveSessions = services.budgets.haveGivenBack()
            if services.library.hasForgotten(SessionBudgets.worthwhileBytes) || haveSessions { FreeMemory.giveBack() }
        }
        store.onWake { [weak services] in services?.storeMoved() }
        if let shared = store as? any SharedStore { try shared.follow { [weak services] in services?.heard($0) } }
        services.storeMoved()

        let listener = try await bind(configuration, workers, services)
        let address = listener.localAddress
        return MarqueeServer(
            summary: Summary(
                host: address?.ipAddress ?? configuration.host, port: address?.port ?? configuration.port,
                counts: counts, revision: revision),
            services: services, groups: [hubGroup, workers], listener: listener)
    }

    private static func bind(
        _ configuration: Configuration, _ workers: MultiThreadedEventLoopGroup, _ services: ServerServices
    ) async throws -> any Channel {
        let connections = services.connections
        let tls = configuration.tls
        return try await ServerBootstrap(group: workers, childGroup: workers)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptPause(rate: configuration.limits.accepts, hits: services.hits))
                }
            }
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: writeBuffer.lowerBound, high: writeBuffer.upperBound)
            )
            .childChannelOption(.recvAllocator, value: receiveBuffer)
            // One read, then the next connection's turn.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                boundUnsentBytes(of: channel)
                return channel.eventLoop.makeCompletedFuture {
                    guard let registry = services.registry(of: channel.eventLoop) else { return }
                    guard let connection = connections.add(channel) else {
                        channel.close(promise: nil)
                        return
                    }
                    // What is written past the pipeline isn't encrypted.
                    let direct = tls == nil ? try DirectOutput.add(to: channel) : nil
                    if let tls { try channel.pipeline.syncOperations.addHandlers(tls.handlers()) }
                    try channel.pipeline.syncOperations.addHandler(
                        SessionHandler(services: services, registry: registry, connection: connection, direct: direct))
                }
            }
            .bind(host: configuration.host, port: configuration.port).get()
    }

    /// Failure is ignored: without this option, kernel buffers are larger, nothing more.
    private static func boundUnsentBytes(of channel: any Channel) {
        let option = ChannelOptions.Types.SocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
        channel.setOption(option, value: unsentBytes).whenFailure { _ in }
    }

    // MARK: - While serving

    /// This process's only writer of the store while the server runs.
    package var committer: Committer { services.committer }

    /// Chooses another item of a pool at random.
    /// - Parameters:
    ///   - key: the commit's idempotency key: a choice with the same key is made once.
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

    /// Returns once the hub's thread has done what it had to do before: it isn't stuck.
    package func awaitHub() async throws { try await services.askHub { _ in } }

    package var counters: VersionLibrary.Counters { services.library.counters }

    /// Data frames written since start.
    package var deliveries: UInt64 { services.deliveries.load(ordering: .relaxed) }

    /// Bytes that all sessions share: remembered versions and encoded patches.
    package var libraryBytes: (versions: Int, patches: Int) { services.library.bytes }

    /// The load of each session.
    package func sessionLoads() async throws -> [SessionLoad] { try await services.sessionLoads() }

    /// How often each limit was hit since start.
    package var limitHits: [Limit: UInt64] { services.hits.counts }

    /// Connections that are open now.
    package var connectionCount: Int { connections.count }

    // MARK: - Stopping

    /// Stops accepting, asks every client to leave, waits for them, closes the rest, and commits submitted writes.
    /// - Parameters:
    ///   - grace: how long to wait for clients to leave.
    ///   - beforeEnd: called once they are gone. When it has returned, nothing may wait for an answer of the hub any
    ///     more, as it may never come.
    package func drain(grace: Duration = .seconds(3), beforeEnd: () async -> Void = {}) async {
        try? await listener.close()
        services.drain()
        let clock = ContinuousClock()
        let deadline = clock.now + grace
        while connections.count > 0, clock.now < deadline {
            try? await clock.sleep(for: .milliseconds(20))
        }
        await connections.closeAll()
        await beforeEnd()
        // Submitted publications are parsed first, then committed.
        await services.reading.flush()
        await services.answering.flush()
        services.committer.flush()
        // The loops are about to end: from here on, no work may pass between threads.
        services.stop()
        for group in groups { try? await group.shutdownGracefully() }
    }
}
