import Dispatch
import Logging
import MarqueeModel
import MarqueeStore
import MarqueeWire
import NIOCore
import Synchronization

/// What all connections of a server share. Immutable, or safe by itself.
final class ServerServices: Sendable {
    /// As they were when the server started.
    let settings: SessionSettings
    /// Those of the programme in force.
    private let locales: Mutex<[String]>
    let library: VersionLibrary
    let store: any StoreEngine
    let committer: Committer
    private let userMoves = UserMoves()
    let authenticator: any Authenticator
    let logger: Logger
    let started: UInt64
    /// Data frames written since start.
    let deliveries = Atomic<UInt64>(0)
    let isDraining = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)
    /// What sessions may hold in bytes, all together.
    let budgets = SessionBudgets()
    /// Where the hub is.
    let positions = Positions()
    let connections: ConnectionSet
    /// Live sessions, and their subscriptions.
    let sessionCount = Atomic<Int>(0)
    let subscriptionCount = Atomic<Int>(0)
    /// What connections ask of the hub.
    let asking: WorkLane
    /// Where the store is asked where a client is to begin: nobody waits for evaluation to be welcomed.
    let welcoming = WorkLane.onItsOwnThread("marquee.welcomes")
    /// Where searches are done and answers encoded.
    let answering = WorkLane.onItsOwnThread("marquee.answers")
    /// Where publications are read: megabytes of JSON would hold up everybody on an event loop.
    let reading = WorkLane.onItsOwnThread("marquee.publications")
    /// Where the catalogue's log is read and decoded.
    private let following = DispatchQueue(label: "marquee.log")
    /// What the store's wake-ups have asked for.
    private let errands = Mutex(Errands<Errand>())
    private let hubLoop: any EventLoop
    private let hub = Mutex<NIOLoopBound<Hub>?>(nil)
    private let registries = Mutex<[(loop: any EventLoop, registry: NIOLoopBound<LoopRegistry>)]>([])

    init(
        settings: SessionSettings, library: VersionLibrary, store: any StoreEngine, authenticator: any Authenticator,
        logger: Logger, hubLoop: any EventLoop, connections: ConnectionSet
    ) {
        self.settings = settings
        self.connections = connections
        asking = WorkLane { hubLoop.execute($0) }
        locales = Mutex(settings.locales)
        self.library = library
        self.store = store
        self.authenticator = authenticator
        self.logger = logger
        self.hubLoop = hubLoop
        committer = Committer(store: store)
        started = Self.uptimeMilliseconds()
    }

    /// Milliseconds of a clock that never goes back.
    func now() -> UInt64 { Self.uptimeMilliseconds() }

    private static func uptimeMilliseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }

    /// What a session that begins now is told.
    func settingsNow() -> SessionSettings {
        var settings = settings
        settings.locales = locales.withLock { $0 }
        return settings
    }

    // MARK: - The hub

    /// The hub's thread has made it.
    func setHub(_ value: NIOLoopBound<Hub>) {
        hub.withLock { $0 = value }
        locales.withLock { $0 = value.value.locales }
    }

    /// Runs `work` on the hub's thread; what is handed in from one thread runs in that order.
    func onHub(_ work: @escaping @Sendable (Hub) -> Void) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        hubLoop.execute { [self] in
            guard let hub = hub.withLock({ $0 }) else { return }
            work(hub.value)
        }
    }

    /// Asks the hub something on its thread.
    /// - Throws: when there is no hub yet, or what `question` throws.
    func askHub<Value: Sendable>(_ question: @escaping @Sendable (Hub) throws -> Value) async throws -> Value {
        try await hubLoop.submit { [self] in
            guard let hub = hub.withLock({ $0 }) else { throw StoreError(.closed, "the server does not serve yet") }
            return try question(hub.value)
        }.get()
    }

    /// Does on the hub's thread what a connection asks for, when it is that connection's turn.
    func ask(for connection: ConnectionID, _ work: @escaping @Sendable (Hub) -> Void) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        asking.submit(for: connection) { [self] in
            guard let hub = hub.withLock({ $0 }) else { return }
            work(hub.value)
        }
    }

    /// A connection has closed: what it has asked for and not got yet is dropped.
    func drop(_ connection: ConnectionID) {
        for lane in [asking, welcoming, answering, reading] { lane.drop(connection) }
    }

    // MARK: - What is new in the store

    /// What is to be done when the store has moved.
    private enum Errand: Hashable {
        case catalogue
        case user(String)
    }

    /// The store has new commits.
    func storeMoved() { ask(.catalogue) }

    /// A user's log has moved. Called by the writing thread, in order.
    func userMoved(_ user: String, _ move: FavoriteMove) {
        if userMoves.add(move, of: user) { ask(.user(user)) }
    }

    private func ask(_ errand: Errand) {
        if errands.withLock({ $0.ask(errand) }) { run(errand) }
    }

    private func run(_ errand: Errand) {
        switch errand {
        case .catalogue: follow()
        case .user(let user):
            onHub { [self] hub in
                do {
                    try hub.userChanged(user, moves: userMoves.take(user))
                    ended(errand)
                } catch {
                    failed(errand, "the log of a user can't be read, trying again: \(error)")
                }
            }
        }
    }

    private func ended(_ errand: Errand) {
        if errands.withLock({ $0.done(errand) }) { run(errand) }
    }

    /// Does it again after a while: nobody else would.
    private func failed(_ errand: Errand, _ message: String) {
        logger.error("\(message)")
        errands.withLock { $0.failed(errand) }
        hubLoop.scheduleTask(in: .seconds(1)) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            errands.withLock { $0.retry(errand) }
            run(errand)
        }
    }

    /// Reads what is new in the catalogue's log, beside the hub, and hands it over, a bounded number of commits at a
    /// time.
    private func follow() {
        following.async { [self] in
            guard !isStopped.load(ordering: .acquiring) else { return }
            do throws(StoreError) {
                let commits = try store.commits(
                    after: positions.catalogueRevision, limit: Hub.commitsPerPublication)
                if commits.isEmpty { return ended(.catalogue) }
                onHub { [self] in follow(commits, on: $0) }
            } catch {
                if error.code == .historyCut {
                    return onHub { [self] hub in advance(hub) { () throws(StoreError) in try hub.reload() } }
                }
                failed(.catalogue, "the catalogue's log can't be read, trying again: \(error)")
            }
        }
    }

    private func follow(_ commits: [CatalogueCommit], on hub: Hub) {
        advance(hub) { () throws(StoreError) in try hub.follow(commits) }
    }

    private func advance(_ hub: Hub, _ step: () throws(StoreError) -> Void) {
        do throws(StoreError) {
            try step()
            locales.withLock { $0 = hub.locales }
            // There may be more.
            follow()
        } catch {
            failed(.catalogue, "the catalogue can't be read, trying again: \(error)")
        }
    }

    /// The event loops are about to end.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        store.onWake {}
    }

    // MARK: - The event loops

    func addLoop(_ loop: any EventLoop, _ registry: NIOLoopBound<LoopRegistry>) {
        registries.withLock { $0.append((loop, registry)) }
    }

    func registry(of loop: any EventLoop) -> LoopRegistry? {
        registries.withLock { $0.first { $0.loop === loop }?.registry }?.value
    }

    /// Tells every event loop once.
    func publish(_ publication: Publication) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        for (loop, registry) in registries.withLock({ $0 }) {
            loop.execute { registry.value.published(publication) }
        }
    }

    func drain() {
        isDraining.store(true, ordering: .relaxed)
        for (loop, registry) in registries.withLock({ $0 }) {
            loop.execute { registry.value.drain() }
        }
    }

    /// What each session holds for its client.
    func sessionLoads() async throws -> [SessionLoad] {
        var loads: [SessionLoad] = []
        for (loop, registry) in registries.withLock({ $0 }) {
            loads += try await loop.submit { registry.value.loads }.get()
        }
        return loads
    }
}
