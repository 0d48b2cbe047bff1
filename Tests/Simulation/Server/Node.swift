import MarqueeDiff
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOCore

/// One server without sockets, threads and a clock: a hub, a committer and sessions over a store, each doing one thing
/// on request.
///
/// Work passed between threads waits in queues here, so that a schedule can interleave anything. Unchecked because a
/// schedule runs on a single thread.
final class Node: @unchecked Sendable {
    struct Settings {
        var session: SessionSettings
        var bounds = VersionLibrary.Bounds()
        /// How data is split into parts.
        var parts = WireLimits.client
        var programme: Programme
        /// `nil` to believe everybody.
        var authority: TokenAuthority?
        var limits = ServerLimits()
        /// Adds fields and kinds unknown to this build to the content.
        var dialect: Dialect?
    }

    let number: Int
    let settings: Settings
    let store: NodeStore
    unowned let judge: Judge
    /// What happens to a frame on its way to a client.
    var onTheWay: (Connection, ByteBuffer) -> ByteBuffer = { $1 }
    private(set) var library: VersionLibrary
    private(set) var sessions: [NodeSession] = []
    private(set) var loops: [NodeLoop] = []
    private(set) var isUp = false
    /// Whether new commits currently go unnoticed.
    var isLagging = false { didSet { if !isLagging { wake() } } }
    private var hub: Hub?
    private var committer: Committer
    /// The hub thread's pending work, in order.
    private var hubJobs: [(Hub) -> Void] = []
    /// The pending work of the committer's threads.
    private var writes: [() -> Void] = []
    private var missedCatalogue = false
    private var missedUsers: [String] = []
    private var userMoves = UserMoves()
    /// The commits that the hub has given away.
    var advance: Advance?
    /// Everything reported to operators.
    private(set) var reports: [String] = []
    /// Versions that sessions know of, by handle, newest last.
    private var known: [UInt64: [UInt64]] = [:]
    /// The screen that each handle belongs to.
    private var screens: [UInt64: String] = [:]
    /// How many views show each handle.
    private var shown: [UInt64: Int] = [:]
    /// Who may connect.
    var table: ConnectionTable

    init(number: Int, shared: SharedStore, settings: Settings, judge: Judge) {
        self.number = number
        self.settings = settings
        self.judge = judge
        table = ConnectionTable(limits: settings.limits)
        store = NodeStore(shared)
        library = VersionLibrary(bounds: settings.bounds, limits: settings.parts)
        committer = Committer(store: store)
        store.onHistoryCut = { [unowned judge] in
            judge.count(.historyCut)
            judge.note("node \(number) finds the log cut")
        }
    }

    // MARK: - Life

    /// Starts over from the store: anything only in memory is gone.
    func start(now: UInt64) throws(StoreError) {
        sessions.removeAll()
        hubJobs.removeAll()
        advance = nil
        writes.removeAll()
        missedCatalogue = false
        missedUsers.removeAll()
        userMoves = UserMoves()
        store.revive()
        known.removeAll()
        screens.removeAll()
        shown.removeAll()
        table = ConnectionTable(limits: settings.limits)
        library = VersionLibrary(bounds: settings.bounds, limits: settings.parts)
        committer = Committer(store: store) { [unowned self] in writes.append($0) }
        // Content in a dialect is kept on the sessions' side, see `translated`.
        let remembered = settings.dialect == nil ? library : VersionLibrary()
        library.tick(now: now)
        hub = try Hub(
            store: store, library: remembered, programme: settings.programme,
            variantLimit: settings.limits.variants, now: now,
            publish: { [unowned self] publication in
                let translated = translated(publication)
                for (handle, current) in translated.changes { known[handle, default: []].append(current.version.sum) }
                for loop in loops { loop.publish(translated) }
            }, report: { [unowned self] in reports.append($0) })
        let revision = hub?.catalogueRevision ?? 0
        // The first node has one: that way, more sessions share a cohort.
        loops = (0...number).map { _ in NodeLoop(library: library, settings: settings.session, judge: judge) }
        for loop in loops { loop.publish(Publication(catalogueRevision: revision, changes: [:])) }
        isUp = true
    }

    /// The process dies: connections break.
    func crash() {
        guard isUp else { return }
        for session in sessions { session.connection.cut() }
        for session in sessions { judge.record(.ended(connection: session.connection.number)) }
        sessions.removeAll()
        hubJobs.removeAll()
        advance = nil
        writes.removeAll()
        hub = nil
        isUp = false
    }

    func accept(_ connection: Connection, now: UInt64) {
        guard admit(connection) else { return }
        let loop = loops[connection.number % loops.count]
        sessions.append(NodeSession(node: self, loop: loop, connection: connection, now: now))
    }

    func session(of connection: Connection) -> NodeSession? { sessions.first { $0.connection === connection } }

    func forget(_ session: NodeSession) {
        guard sessions.contains(where: { $0 === session }) else { return }
        sessions.removeAll { $0 === session }
        session.end()
        removeFromTable(session)
        judge.record(.ended(connection: session.connection.number))
    }

    // MARK: - Queues

    func onHub(_ job: @escaping (Hub) -> Void) { hubJobs.append(job) }

    func submit(_ write: StoreWrite, done: @escaping Committer.Completion) -> Bool {
        committer.submit(write, completion: done)
    }

    var hasWork: Bool { !hubJobs.isEmpty || !writes.isEmpty || loops.contains(where: \.hasEvents) }

    /// The hub's thread does one thing.
    func runHubJob() {
        guard let hub, !hubJobs.isEmpty else { return }
        hubJobs.removeFirst()(hub)
        countEvictions()
        let (versions, patches) = (library.supersededBytes, library.bytes.patches)
        if versions > settings.bounds.versionBytes || patches > settings.bounds.patchBytes {
            judge.fail(
                .bounded, "node \(number) remembers \(versions) of versions, \(patches) of patches, more than it may")
        }
    }

    /// Seen from outside: a published version is no longer available.
    private func countEvictions() {
        for (handle, sums) in known {
            guard let oldest = sums.first, library.version(oldest, of: handle) == nil else { continue }
            known[handle]?.removeFirst()
            judge.count(.eviction)
        }
    }

    /// One of the committer's threads commits all writes that wait for it.
    /// - Parameter overtakes: whether it is the one that was asked last.
    func runWrites(overtakes: Bool) {
        guard !writes.isEmpty else { return }
        writes.remove(at: overtakes ? writes.count - 1 : 0)()
    }

    func tick(now: UInt64) {
        for session in sessions { session.tick(now: now) }
        guard isUp else { return }
        onHub { [unowned self] hub in
            hub.tick(now: now)
            library.tick(now: now)
        }
    }

    func drain() {
        for session in sessions { session.drain() }
    }

    // MARK: - What is new in the store

    /// The catalogue's log has moved.
    func catalogueMoved() {
        missedCatalogue = true
        wake()
    }

    /// A user's log has moved.
    func userMoved(_ user: String) {
        if !missedUsers.contains(user) { missedUsers.append(user) }
        wake()
    }

    private func wake() {
        guard isUp, !isLagging else { return }
        if missedCatalogue { followCatalogue() }
        for user in missedUsers { readUser(user) }
        missedCatalogue = false
        missedUsers.removeAll()
    }

    /// This node has moved the user's log.
    func userChanged(_ user: String, _ move: MemberMove) {
        if userMoves.add(move, of: user) { readUser(user) }
    }

    /// This node, or another it has heard from, has moved the user's log.
    private func readUser(_ user: String) {
        onHub { [unowned self] hub in
            trying { () throws(StoreError) in
                try hub.userChanged(user, moves: userMoves.take(user))
            } else: {
                $0.userMoved(user)
            }
        }
    }

    /// Does it, or postpones it, as the shipping shell does.
    func trying(
        _ work: () throws(StoreError) -> Void, else later: (Node) -> Void = { $0.catalogueMoved() }
    ) {
        do throws(StoreError) { try work() } catch {
            judge.count(.storeUnreachable)
            later(self)
        }
    }

    // MARK: - Views

    /// Asks the hub for a view.
    func open(_ request: OpenRequest, of hub: Hub, for connection: Connection) -> Result<OpenedView, Status> {
        let result = hub.open(request)
        if case .failure(.tooManyVariants) = result {
            judge.record(.hit(.variants, connection: connection.number, evicted: nil))
            if shown.count + Programmes.variants(of: request.screen) <= settings.limits.variants {
                judge.fail(.bounded, "node \(number) refuses a view while \(shown.count) variants are shown")
            }
        }
        return result.map { view in
            for handle in view.handles {
                screens[handle] = request.screen
                shown[handle, default: 0] += 1
            }
            return translated(view)
        }
    }

    /// A view is closed.
    func release(_ handles: [UInt64]) {
        onHub { [unowned self] hub in
            hub.release(handles)
            for handle in handles { shown[handle] = shown[handle].flatMap { $0 > 1 ? $0 - 1 : nil } }
        }
    }

    /// The screen whose content a message carries.
    func screen(of message: Message) -> String? {
        switch message {
        case .join(let join): join.screen
        case .data(let part), .stage(let part): screens[part.handle]
        default: nil
        }
    }

    // MARK: - Tokens

    func identity(of token: String?, user: String?) -> Result<Identity, Status> {
        settings.authority?.identity(of: token, user: user)
            ?? .success(Identity(user: user, scopes: .everything))
    }

    func standing(of identity: Identity) -> Standing {
        settings.authority?.standing(of: identity) ?? .untilRevoked
    }
}
