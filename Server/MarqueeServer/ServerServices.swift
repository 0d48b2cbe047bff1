import Dispatch
import Logging
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import NIOCore
import Synchronization

/// The state that all connections of a server share. Each member is immutable or thread safe.
final class ServerServices: Sendable {
    /// The settings at the server's start.
    let settings: SessionSettings
    /// The current programme.
    private let programmeInForce: Mutex<Programme>
    let library: VersionLibrary
    let store: any StoreEngine
    let committer: Committer
    private let userMoves = UserMoves()
    let authenticator: any Authenticator
    let logger: Logger
    let started: UInt64
    private let clock: @Sendable () -> UInt64
    /// Data frames written since start.
    let deliveries = Atomic<UInt64>(0)
    let isDraining = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)
    /// The byte budgets that all sessions share.
    let budgets = SessionBudgets()
    /// The hub's position.
    let positions = Positions()
    let connections: ConnectionSet
    let hits: LimitHits
    /// Live sessions, and their subscriptions.
    let sessionCount = Atomic<Int>(0)
    let subscriptionCount = Atomic<Int>(0)
    /// Clients welcomed since start.
    let welcomes = Atomic<UInt64>(0)
    let calls = CallTally()
    /// When the newest revisions were published.
    private let revisionTimes = Mutex(RevisionTimes())
    /// Connections' requests to the hub.
    let asking: WorkLane
    /// Variants for the hub to release, a bounded number at a time, so that a crowd of departing connections delays
    /// nobody.
    let releasing: WorkLane
    /// Looks up each client's starting position in the store, so that a welcome never waits for evaluation.
    let welcoming = WorkLane.onItsOwnThread("marquee.welcomes")
    /// Runs searches and encodes answers.
    let answering = WorkLane.onItsOwnThread("marquee.answers")
    /// Parses publications: megabytes of JSON would block everybody else on an event loop.
    let reading = WorkLane.onItsOwnThread("marquee.publications")
    /// Reads and decodes the catalogue's log, and the whole catalogue where the log doesn't reach back far enough.
    private let following = DispatchQueue(label: "marquee.log")
    /// Jobs requested when the store changes.
    private let jobs = Mutex(CoalescedJobs<Job>())
    private let hubLoop: any EventLoop
    private let hub = Mutex<NIOLoopBound<Hub>?>(nil)
    private let loops = Mutex<[Loop]>([])

    /// An event loop, the registry it owns, and its queue of publications from the hub.
    private struct Loop {
        let loop: any EventLoop
        let registry: NIOLoopBound<LoopRegistry>
        let publications: PublicationQueue
    }

    /// - Parameter clock: a monotonic clock, in milliseconds.
    init(
        settings: SessionSettings, programme: Programme, library: VersionLibrary, store: any StoreEngine,
        authenticator: any Authenticator, logger: Logger, hubLoop: any EventLoop, connections: ConnectionSet,
        hits: LimitHits,
        clock: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds / 1_000_000 }
    ) {
        self.settings = settings
        self.connections = connections
        self.hits = hits
        asking = WorkLane { hubLoop.execute($0) }
        releasing = WorkLane { hubLoop.execute($0) }
        programmeInForce = Mutex(programme)
        self.library = library
        self.store = store
        self.authenticator = authenticator
        self.logger = logger
        self.hubLoop = hubLoop
        committer = Committer(store: store)
        self.clock = clock
        started = clock()
    }

    /// The monotonic clock, in milliseconds.
    func now() -> UInt64 { clock() }

    /// The settings for a session that begins now.
    func settingsNow() -> SessionSettings {
        var settings = settings
        settings.locales = programme.locales
        return settings
    }

    /// The current programme, readable without waiting for the hub.
    var programme: Programme { programmeInForce.withLock { $0 } }

    // MARK: - The hub

    /// Called once the hub's thread has created it.
    func setHub(_ value: NIOLoopBound<Hub>) {
        hub.withLock { $0 = value }
        programmeInForce.withLock { $0 = value.value.programme }
    }

    /// Runs `work` on the hub's thread; work submitted from one thread runs in order.
    func onHub(_ work: @escaping @Sendable (Hub) -> Void) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        hubLoop.execute { [self] in onHubNow(work) }
    }

    /// Runs `question` on the hub's thread and returns its result.
    /// - Throws: `StoreError` if there is no hub yet, or whatever `question` throws.
    func askHub<Value: Sendable>(_ question: @escaping @Sendable (Hub) throws -> Value) async throws -> Value {
        try await answer(question).get()
    }

    /// The same, but gives up after a bound.
    /// - Throws: `AnswerBound.Passed` too.
    func askHub<Value: Sendable>(
        within bound: AnswerBound, _ question: @escaping @Sendable (Hub) throws -> Value
    ) async throws -> Value {
        try await answer(question).value(within: bound)
    }

    private func answer<Value: Sendable>(
        _ question: @escaping @Sendable (Hub) throws -> Value
    ) -> EventLoopFuture<Value> {
        hubLoop.submit { [self] in
            guard let hub = hub.withLock({ $0 }) else { throw StoreError(.closed, "the server isn't serving yet") }
            return try question(hub.value)
        }
    }

    /// Completes once the hub's thread has done what it had to do before.
    func hubTurn() -> EventLoopFuture<Void> { answer { _ in } }

    /// Runs a connection's request on the hub's thread when it is that connection's turn.
    func ask(for connection: ConnectionID, _ work: @escaping @Sendable (Hub) -> Void) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        asking.submit(for: connection) { [self] in onHubNow(work) }
    }

    /// Runs `work` at once. Must be called on the hub's thread.
    private func onHubNow(_ work: (Hub) -> Void) {
        guard let hub = hub.withLock({ $0 }) else { return }
        work(hub.value)
    }

    /// The most handles released in one job, so that other work gets a turn in between.
    private static let releasedAtOnce = 64

    /// Releases variants that a session no longer shows.
    func release(_ handles: [UInt64]) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        for start in stride(from: 0, to: handles.count, by: Self.releasedAtOnce) {
            let part = Array(handles[start..<min(start + Self.releasedAtOnce, handles.count)])
            releasing.submit(for: 0) { [self] in
                onHubNow { $0.release(part) }
            }
        }
    }

    /// Drops the waiting requests of a connection that has closed.
    func drop(_ connection: ConnectionID) {
        for lane in [asking, welcoming, answering, reading] { lane.drop(connection) }
    }

    // MARK: - Changes in the store

    /// A job to run when the store has changed.
    private enum Job: Hashable {
        case catalogue
        case user(String)
    }

    /// The store has new commits.
    func storeMoved() { ask(.catalogue) }

    /// A user's log has moved. Called by the writing thread, in order.
    func userMoved(_ user: String, _ move: MemberMove) {
        if userMoves.add(move, of: user) { ask(.user(user)) }
    }

    /// A user's log may have moved without having been heard of.
    func userMayHaveMoved(_ user: String) { ask(.user(user)) }

    /// Something has happened to a store that other processes write to as well. Called on a thread of the store's own;
    /// returns once the hub has taken it, so that no more waits for the hub than one call brings.
    func heard(_ news: StoreNews) {
        switch news {
        case .catalogue: return storeMoved()
        case .moves(let moves): for entry in moves { userMoved(entry.user, entry.move) }
        case .missed:
            storeMoved()
            onHub { [self] hub in
                for user in hub.knownUsers { ask(.user(user)) }
            }
        case .unreachable(let error):
            return logger.error("serving what is known and storing nothing, trying again: \(error)")
        case .reachable: return logger.notice("the store can be reached again")
        // Whoever runs the server asks the store, which refuses everything from now on.
        case .lost(let error): return logger.critical("\(error)")
        }
        // Fails when the server ends; then nobody waits.
        try? hubTurn().wait()
    }

    private func ask(_ job: Job) {
        if jobs.withLock({ $0.ask(job) }) { run(job) }
    }

    private func run(_ job: Job) {
        switch job {
        case .catalogue: follow()
        case .user(let user):
            onHub { [self] hub in
                do {
                    try hub.userChanged(user, moves: userMoves.take(user))
                    ended(job)
                } catch {
                    failed(job, "a user's log can't be read, trying again: \(error)")
                }
            }
        }
    }

    private func ended(_ job: Job) {
        if jobs.withLock({ $0.done(job) }) { run(job) }
    }

    /// Runs the job again after a pause, as nothing else would.
    private func failed(_ job: Job, _ message: String) {
        logger.error("\(message)")
        jobs.withLock { $0.failed(job) }
        hubLoop.scheduleTask(in: .seconds(1)) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            jobs.withLock { $0.retry(job) }
            run(job)
        }
    }

    /// Reads new commits of the catalogue's log without blocking the hub, and hands them to it in bounded batches.
    private func follow() {
        following.async { [self] in
            guard !isStopped.load(ordering: .acquiring) else { return }
            do throws(StoreError) {
                let commits = try store.commits(
                    after: positions.catalogueRevision, limit: Hub.commitsPerPublication)
                if commits.isEmpty { return ended(.catalogue) }
                onHub { [self] in follow(commits, on: $0) }
            } catch {
                if error.code == .historyCut { return onHub { [self] in reload($0.writtenProgramme) } }
                failed(.catalogue, "the catalogue's log can't be read, trying again: \(error)")
            }
        }
    }

    /// Reads the whole catalogue again without blocking the hub, which serves the state it has meanwhile.
    private func reload(_ programme: Programme) {
        following.async { [self] in
            guard !isStopped.load(ordering: .acquiring) else { return }
            do throws(StoreError) {
                let screens = try Screens(store: store, programmeFallback: programme)
                onHub { [self] hub in
                    let old = hub.replace(by: screens)
                    // Releasing a million records would block the hub too.
                    following.async { withExtendedLifetime(old) {} }
                    advanced(hub)
                }
            } catch {
                failed(.catalogue, "the catalogue can't be read, trying again: \(error)")
            }
        }
    }

    private func follow(_ commits: [CatalogueCommit], on hub: Hub) {
        if let advance = hub.begin(commits) { return run(advance, hub.writtenProgramme) }
        do throws(StoreError) {
            try hub.follow(commits)
            advanced(hub)
        } catch {
            failed(.catalogue, "the catalogue can't be read, trying again: \(error)")
        }
    }

    /// Applies many changes without blocking the hub.
    /// - Parameter programme: in force if the catalogue has to be read again.
    private func run(_ advance: Advance, _ programme: Programme) {
        following.async { [self] in
            guard !isStopped.load(ordering: .acquiring) else { return }
            do throws(Status) { try advance.run() } catch { return reload(programme) }
            onHub { [self] hub in
                hub.finish(advance)
                following.async { withExtendedLifetime(advance) {} }
                advanced(hub)
            }
        }
    }

    private func advanced(_ hub: Hub) {
        programmeInForce.withLock { $0 = hub.programme }
        // There may be more.
        follow()
    }

    /// Stops passing work between threads, because the event loops are about to end.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        store.onWake {}
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
        revisionTimes.withLock { $0.note(publication.catalogueRevision, at: now()) }
        for loop in loops.withLock({ $0 }) { loop.publications.add(publication) }
    }

    /// How long ago the first revision after this one was published, in milliseconds; 0 if there is none.
    func age(after revision: UInt64, now: UInt64) -> UInt64 {
        revisionTimes.withLock { $0.age(after: revision, now: now) }
    }

    /// The event loops and what each owns.
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
