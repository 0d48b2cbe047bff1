import MarqueeDiff
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOCore

/// One server without sockets, threads and a clock: sessions over what it shows, each doing one thing on request.
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
    unowned let judge: Judge
    /// Changes a frame on its way to a client.
    var onTheWay: (Connection, ByteBuffer) -> ByteBuffer = { $1 }
    private(set) var library: VersionLibrary
    private(set) var sessions: [NodeSession] = []
    private(set) var loops: [NodeLoop] = []
    private(set) var isUp = false
    private var made: (any NodeContent)?
    /// Versions that sessions know of, by handle, newest last.
    private var known: [UInt64: [UInt64]] = [:]
    /// The screen that each handle belongs to.
    private var screens: [UInt64: String] = [:]
    private var shown: [UInt64: Shown] = [:]
    /// The connections, up to the limits that decide which ones may be opened.
    var table: ConnectionTable

    /// - Parameter content: makes what it shows.
    init(number: Int, settings: Settings, judge: Judge, content: (Node) -> any NodeContent) {
        self.number = number
        self.settings = settings
        self.judge = judge
        table = ConnectionTable(limits: settings.limits)
        library = VersionLibrary(bounds: settings.bounds, limits: settings.parts)
        made = content(self)
    }

    /// Set once the node has been made.
    var content: any NodeContent {
        guard let made else { preconditionFailure("a node shows nothing before it has been made") }
        return made
    }

    /// Its content if that is a store's.
    var stored: HubContent? { content as? HubContent }
    /// Its content if it is a relay.
    var relayed: RelayContent? { content as? RelayContent }

    // MARK: - Life

    /// Starts over: anything only in memory is gone.
    func start(now: UInt64) throws(StoreError) {
        sessions.removeAll()
        known.removeAll()
        screens.removeAll()
        shown.removeAll()
        table = ConnectionTable(limits: settings.limits)
        library = VersionLibrary(bounds: settings.bounds, limits: settings.parts)
        library.tick(now: now)
        // The first node has one: that way, more sessions share a cohort.
        loops = (0...(number == 0 ? 0 : 1)).map { _ in
            NodeLoop(library: library, settings: settings.session, judge: judge)
        }
        let revision = try content.start(now: now)
        for loop in loops { loop.publish(Publication(catalogueRevision: revision, changes: [:])) }
        isUp = true
    }

    /// The process dies: connections break.
    func crash() {
        guard isUp else { return }
        isUp = false
        for session in sessions { session.connection.cut() }
        for session in sessions { judge.record(.ended(connection: session.connection.number)) }
        // A loop and its sessions refer to each other.
        for session in sessions { session.end() }
        sessions.removeAll()
        for loop in loops { loop.end() }
        content.crash()
    }

    func accept(_ connection: Connection, now: UInt64) {
        guard admit(connection) else { return }
        let loop = loops[connection.number % loops.count]
        sessions.append(NodeSession(node: self, loop: loop, connection: connection, now: now))
    }

    func session(of connection: Connection) -> NodeSession? { sessions.first { $0.connection === connection } }

    /// The users of all sessions.
    var users: Set<String> { sessions.reduce(into: []) { $0.formUnion($1.session.users) } }

    func forget(_ session: NodeSession) {
        guard sessions.contains(where: { $0 === session }) else { return }
        sessions.removeAll { $0 === session }
        session.end()
        removeFromTable(session)
        judge.record(.ended(connection: session.connection.number))
    }

    // MARK: - Work

    var hasWork: Bool { content.hasWork || loops.contains(where: \.hasEvents) }

    /// The thread that publishes does one thing.
    func runJob(now: UInt64) {
        content.runJob(now: now)
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

    func tick(now: UInt64) {
        for session in sessions { session.tick(now: now) }
        if isUp { content.tick(now: now) }
    }

    func drain() {
        for session in sessions { session.drain() }
    }

    func publish(_ publication: Publication) {
        for (handle, current) in publication.changes { known[handle, default: []].append(current.version.sum) }
        for loop in loops { loop.publish(publication) }
    }

    // MARK: - Views

    /// A view was opened.
    /// - Parameter user: who is charged for what nobody else shows.
    func opened(_ view: OpenedView, by user: String?) {
        for handle in view.handles {
            screens[handle] = view.screen
            shown[handle, default: Shown(user: user)].views += 1
        }
    }

    /// A view is closed.
    func closed(_ handles: [UInt64]) {
        for handle in handles {
            shown[handle]?.views -= 1
            if shown[handle]?.views == 0 { shown[handle] = nil }
        }
    }

    /// Variants that somebody shows.
    var shownCount: Int { shown.count }

    /// Whether a view of so many variants has to be admitted: there is room for all of them, and its user has brought
    /// less than four times what is free when the last of them is opened.
    func hasRoom(for count: Int, of user: String?) -> Bool {
        let free = settings.limits.variants - shown.count - (count - 1)
        let brought = user == nil ? 0 : shown.values.count { $0.user == user } + count - 1
        return free > 0 && brought < 4 * free
    }

    /// The screen whose content a message carries.
    func screen(of message: Message) -> String? {
        switch message {
        case .join(let join): join.screen
        case .data(let part), .stage(let part): screens[part.handle]
        default: nil
        }
    }
}

/// A variant that somebody shows.
private struct Shown {
    /// The user who opened it first.
    let user: String?
    /// How many show it.
    var views = 0
}
