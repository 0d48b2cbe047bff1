import Dispatch
import Logging
import MarqueeModel
import MarqueeStore
import MarqueeTLS
import MarqueeWire
import NIOCore
import Synchronization

/// The state that all connections of a server share. Each member is immutable or thread safe.
final class ServerServices: Sendable {
    /// The settings at the server's start.
    let settings: SessionSettings
    let library: VersionLibrary
    let source: any ContentSource
    let authenticator: any Authenticator
    /// How connections are protected; `nil` for plain TCP.
    let tls: TLSServer?
    let logger: Logger
    let started: UInt64
    private let clock: @Sendable () -> UInt64
    /// Data frames written since start.
    let deliveries = Atomic<UInt64>(0)
    let isDraining = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)
    /// The byte budgets that all sessions share.
    let budgets: SessionBudgets
    let connections: ConnectionSet
    let hits: LimitHits
    /// Live sessions, and their subscriptions.
    let sessionCount = Atomic<Int>(0)
    let subscriptionCount = Atomic<Int>(0)
    /// Clients welcomed since start.
    let welcomes = Atomic<UInt64>(0)
    let calls = CallTally()
    /// Readers that follow a screen through a door.
    let feedReaders = Atomic<Int>(0)
    /// Requests that came through a door and are being answered.
    let doorRequests = Atomic<Int>(0)
    /// When the newest revisions were published.
    private let revisionTimes = Mutex(RevisionTimes())
    private let loops = Mutex<[Loop]>([])

    /// An event loop, the registry it owns, and its queue of publications.
    private struct Loop {
        let loop: any EventLoop
        let registry: NIOLoopBound<LoopRegistry>
        let publications: PublicationQueue
    }

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
        self.authenticator = authenticator
        self.tls = tls
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

    /// Whether identities may end before their connections do.
    var canRevoke: Bool { authenticator.canRevoke || tls?.asksClients == true }

    /// The standing of an identity, by both the client's credentials and the certificate that its connection presented.
    func standing(of identity: Identity) -> Standing {
        let standing = authenticator.standing(of: identity)
        guard let certificate = identity.certificate else { return standing }
        return standing.earlier(self.standing(of: certificate))
    }

    private func standing(of certificate: CertificateValidity) -> Standing {
        tls?.remaining(of: certificate).map { .until($0) } ?? .ended
    }

    /// Why an identity has ended; `nil` while it stands.
    func ended(_ identity: Identity) -> Status? { standing(of: identity) == .ended ? ending(of: identity) : nil }

    /// The reason why an identity has ended, for its client.
    func ending(of identity: Identity) -> Status {
        guard let certificate = identity.certificate, standing(of: certificate) == .ended else { return .tokenEnded }
        return .certificateEnded
    }

    /// Stops passing work between threads, because the event loops are about to end.
    func stop() {
        isStopped.store(true, ordering: .releasing)
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
        answer.hasCounts = identity.scopes.allowsCounts
        guard answer.hasCounts else { return answer }
        answer.sessions = UInt32(clamping: sessionCount.load(ordering: .relaxed))
        answer.subscriptions = UInt32(clamping: subscriptionCount.load(ordering: .relaxed))
        answer.records = source.records
        answer.encodes = library.counters.encodes
        answer.deliveries = deliveries.load(ordering: .relaxed)
        return answer
    }

    // MARK: - The event loops

    /// - Parameter publications: the queue through which the hub's publications reach the loop.
    func addLoop(
        _ loop: any EventLoop, _ registry: NIOLoopBound<LoopRegistry>, _ publications: PublicationQueue
    ) {
        loops.withLock { $0.append(Loop(loop: loop, registry: registry, publications: publications)) }
    }

    func registry(of loop: any EventLoop) -> LoopRegistry? {
        loops.withLock { $0.first { $0.loop === loop }?.registry }?.value
    }

    /// Passes a publication to every event loop.
    func publish(_ publication: Publication) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        revisionTimes.withLock { times in
            if publication.end != nil { times.startOver() }
            times.note(publication.catalogueRevision, at: now())
        }
        for loop in loops.withLock({ $0 }) { loop.publications.add(publication) }
    }

    /// The users of all sessions.
    var users: Set<String> { loops.withLock { $0 }.reduce(into: []) { $0.formUnion($1.publications.users) } }

    /// How long ago the first revision after this one was published, in milliseconds; 0 if there is none.
    func age(after revision: UInt64, now: UInt64) -> UInt64 {
        revisionTimes.withLock { $0.age(after: revision, now: now) }
    }

    /// The event loops and their registries.
    var loopsAndRegistries: [(loop: any EventLoop, registry: NIOLoopBound<LoopRegistry>)] {
        loops.withLock { $0.map { ($0.loop, $0.registry) } }
    }

    func drain() {
        isDraining.store(true, ordering: .relaxed)
        for loop in loops.withLock({ $0 }) {
            loop.loop.execute { loop.registry.value.drain() }
        }
    }

    /// The load of each session.
    func sessionLoads() async throws -> [SessionLoad] {
        var loads: [SessionLoad] = []
        for loop in loops.withLock({ $0 }) {
            loads += try await loop.loop.submit { loop.registry.value.loads }.get()
        }
        return loads
    }
}
