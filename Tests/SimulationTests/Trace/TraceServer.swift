import HubSupport
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import NIOCore

@testable import MarqueeServer

/// A server without sockets, threads and a clock: a store, a hub, a writer and sessions, each doing one thing on
/// request.
///
/// Work passed between threads waits in queues here, so that a schedule can interleave anything.
final class TraceServer {
    let store: MemoryStore
    let settings: SessionSettings
    private let programme: Programme
    private let bounds: VersionLibrary.Bounds
    private let partLimits: WireLimits
    private(set) var library: VersionLibrary
    private(set) var sessions: [TraceSession] = []
    private var hub: Hub?
    private(set) var positions = Positions()
    private var lastHandle: UInt64 = 0
    /// The hub thread's pending work, in order.
    private var hubJobs: [(Hub) -> Void] = []
    /// Writes that wait for the committer.
    /// Called when something was written.
    var onWrite: (() -> Void)?
    private var writes: [(write: StoreWrite, done: (StoreOutcome) -> Void)] = []

    /// - Parameter partLimits: how data is split into parts.
    init(
        store: MemoryStore, programme: Programme, settings: SessionSettings,
        bounds: VersionLibrary.Bounds = VersionLibrary.Bounds(), partLimits: WireLimits = .client
    ) throws {
        self.store = store
        self.programme = programme
        self.settings = settings
        self.bounds = bounds
        self.partLimits = partLimits
        library = VersionLibrary(bounds: bounds, limits: partLimits)
        try startHub()
    }

    private func startHub() throws {
        positions = Positions()
        hub = try Hub(
            store: store, library: library, programme: programme, positions: positions,
            // In the document, handles are numbered as they come.
            handle: { [unowned self] _ in
                lastHandle += 1
                return lastHandle
            }, now: 0,
            publish: { [unowned self] publication in
                for session in sessions { session.post { core, _ in core.published(publication) } }
            }, report: { _ in })
    }

    /// The process dies and restarts over the same store: connections break, and anything only in memory is gone.
    func restart() throws {
        for session in sessions { session.connection.cut() }
        sessions.removeAll()
        hubJobs.removeAll()
        writes.removeAll()
        library = VersionLibrary(bounds: bounds, limits: partLimits)
        try startHub()
    }

    func accept(_ connection: TraceConnection, now: UInt64) {
        sessions.append(TraceSession(server: self, connection: connection, now: now))
    }

    func session(of connection: TraceConnection) -> TraceSession? {
        sessions.first { $0.connection === connection }
    }

    func forget(_ session: TraceSession) { sessions.removeAll { $0 === session } }

    // MARK: - Queues

    func onHub(_ job: @escaping (Hub) -> Void) { hubJobs.append(job) }

    func submit(_ write: StoreWrite, done: @escaping (StoreOutcome) -> Void) { writes.append((write, done)) }

    var hasWrites: Bool { !writes.isEmpty }
    var hasWork: Bool { !hubJobs.isEmpty || !writes.isEmpty }

    /// The hub's thread does one thing.
    func runHubJob() {
        guard let hub, !hubJobs.isEmpty else { return }
        hubJobs.removeFirst()(hub)
    }

    /// The committer commits one write.
    func runWrite() throws {
        guard !writes.isEmpty else { return }
        let (write, done) = writes.removeFirst()
        let outcomes = try store.write([write])
        onWrite?()
        for outcome in outcomes { done(outcome) }
    }

    /// Commits something from outside.
    @discardableResult
    func commit(_ changes: [Change]) throws -> StoreOutcome? {
        let outcome = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first
        onWrite?()
        onHub { [store] in try? $0.catchUp(from: store) }
        return outcome
    }

    /// Runs all queued work, without any bytes to or from clients.
    func settle(now: UInt64) throws {
        while hasWork || sessions.contains(where: \.hasEvents) {
            try runWrite()
            runHubJob()
            for session in sessions { session.runEvent(now: now) }
        }
    }
}
