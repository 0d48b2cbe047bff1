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
    /// Where publications are read: megabytes of JSON would hold up everybody on an event loop.
    let reading = DispatchQueue(label: "marquee.publications")
    /// Where searches are done, one after the other.
    let searching = DispatchQueue(label: "marquee.searches")
    private let hubLoop: any EventLoop
    private let hub = Mutex<NIOLoopBound<Hub>?>(nil)
    private let registries = Mutex<[(loop: any EventLoop, registry: NIOLoopBound<LoopRegistry>)]>([])

    init(
        settings: SessionSettings, library: VersionLibrary, store: any StoreEngine, authenticator: any Authenticator,
        logger: Logger, hubLoop: any EventLoop
    ) {
        self.settings = settings
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

    /// The store has new commits.
    func storeMoved() {
        onHub { [self] hub in
            do {
                try hub.catchUp()
                locales.withLock { $0 = hub.locales }
            } catch {
                logger.error("the catalogue's log can't be read, trying again: \(error)")
                later { $0.storeMoved() }
            }
        }
    }

    /// A user's log has moved. Called by the writing thread, in order.
    func userMoved(_ user: String, _ move: FavoriteMove) {
        if userMoves.add(move, of: user) { readUser(user) }
    }

    private func readUser(_ user: String) {
        onHub { [self] hub in
            do {
                try hub.userChanged(user, moves: userMoves.take(user))
            } catch {
                logger.error("the log of a user can't be read, trying again: \(error)")
                later { $0.readUser(user) }
            }
        }
    }

    /// Does something again that could not be done now: nobody else would.
    private func later(_ work: @escaping @Sendable (ServerServices) -> Void) {
        hubLoop.scheduleTask(in: .seconds(1)) { [weak self] in
            if let self { work(self) }
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

    /// Subscriptions of each live session.
    func subscriptionCounts() async throws -> [Int] {
        var counts: [Int] = []
        for (loop, registry) in registries.withLock({ $0 }) {
            counts += try await loop.submit { registry.value.subscriptionCounts }.get()
        }
        return counts
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
