import Dispatch
import Logging
import MarqueeModel
import MarqueeStore
import MarqueeTLS
import MarqueeWire
import Synchronization

/// The state that all connections of a server share. Each member is immutable or thread safe.
final class ServerServices: Sendable {
    /// The settings at the server's start.
    let settings: SessionSettings
    let library: VersionLibrary
    let source: any ContentSource
    let identities: IdentityChecks
    let logger: Logger
    let started: UInt64
    private let clock: @Sendable () -> UInt64
    let isDraining = Atomic<Bool>(false)
    /// The byte budgets that all sessions share.
    let budgets: SessionBudgets
    let connections: ConnectionSet
    let hits: LimitHits
    let counts = ServerCounts()
    let loops = ServerLoops()
    /// When it was last logged that clients have seen more than the store has, by the clock.
    private let reportedClientAhead = Mutex<UInt64?>(nil)
    /// The shortest time between two such lines, in milliseconds.
    private static let aheadPause: UInt64 = 600_000

    /// Handles a client that has seen more than the store has, although it waited.
    func note(ahead client: ClientAhead) {
        source.note(ahead: client)
        let now = clock()
        let isNews = reportedClientAhead.withLock { said in
            if let said, now - min(now, said) < Self.aheadPause { return false }
            said = now
            return true
        }
        guard isNews else { return }
        logger.warning(
            """
            clients have seen more than the store has: this server lags, or the store was restored without new epochs; \
            then stop all servers, run 'marquee-server epoch new', and start them again
            """)
    }

    /// A monotonic clock, in milliseconds.
    static let uptime: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds / 1_000_000 }

    init(
        settings: SessionSettings, library: VersionLibrary, source: any ContentSource, authenticator: any Authenticator,
        tls: TLSServer? = nil, logger: Logger, connections: ConnectionSet, hits: LimitHits,
        budgets: SessionBudgets = SessionBudgets(),
        clock: @escaping @Sendable () -> UInt64 = ServerServices.uptime
    ) {
        self.settings = settings
        self.library = library
        self.source = source
        identities = IdentityChecks(authenticator: authenticator, tls: tls)
        self.logger = logger
        self.connections = connections
        self.hits = hits
        self.budgets = budgets
        self.clock = clock
        started = clock()
    }

    /// The monotonic clock, in milliseconds.
    func now() -> UInt64 { clock() }

    /// The settings for a session that begins now.
    func settingsNow() -> SessionSettings {
        var settings = settings
        settings.locales = source.locales
        return settings
    }

    /// Stops passing work between threads, because the event loops are about to end.
    func stop() {
        loops.stop()
        source.stop()
    }

    /// The server's health, as reported to a client.
    /// - Parameters:
    ///   - cut: its position, including the position of the client's user.
    ///   - identity: the client's. Counts of things that it may not see are left out.
    func health(at cut: Cut, for identity: Identity) -> HealthAnswer {
        var answer = HealthAnswer()
        answer.state = isDraining.load(ordering: .relaxed) ? "draining" : "serving"
        answer.cut = cut
        answer.uptimeMilliseconds = now() - started
        answer.version = settings.agent
        answer.staleMilliseconds = source.staleMilliseconds
        answer.unwritableMilliseconds = source.unwritableMilliseconds
        answer.hasCounts = identity.scopes.allowsCounts
        guard answer.hasCounts else { return answer }
        answer.sessions = UInt32(clamping: counts.sessions.load(ordering: .relaxed))
        answer.subscriptions = UInt32(clamping: counts.subscriptions.load(ordering: .relaxed))
        answer.records = source.records
        answer.encodes = library.counters.encodes
        answer.deliveries = counts.deliveries.load(ordering: .relaxed)
        return answer
    }

    func drain() {
        isDraining.store(true, ordering: .relaxed)
        loops.drain()
    }
}
