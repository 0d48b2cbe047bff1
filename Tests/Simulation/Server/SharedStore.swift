import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The disk, or the database, behind all nodes.
///
/// Unchecked because a schedule runs on a single thread.
final class SharedStore: @unchecked Sendable {
    private(set) var engine: any StoreEngine
    /// Whether nothing can be written.
    var isFull = false
    /// Whether it is a standby whose operator has not decided yet what becomes of it.
    var isReadOnly = false
    /// Called with the writes, in order, as soon as they are durable, and with the node that made them and knows it.
    var onWrite: (([StoreWrite], [StoreOutcome], NodeStore?) -> Void)?
    /// Commits whose nodes have lost their connections: the database completes them later, or never.
    private var doubtful: [[StoreWrite]] = []

    init(engine: any StoreEngine) { self.engine = engine }

    @discardableResult
    func write(_ writes: [StoreWrite], by author: NodeStore? = nil) throws(StoreError) -> [StoreOutcome] {
        guard !isFull else { throw StoreError(.diskFull, "the simulated disk is full") }
        guard !isReadOnly else { throw StoreError(.io, "the simulated database can only be read") }
        // Rows that they have locked are waited for.
        complete()
        let outcomes = try engine.write(writes)
        onWrite?(writes, outcomes, author)
        return outcomes
    }

    /// Their author will not hear what becomes of these writes.
    func writeLater(_ writes: [StoreWrite]) { doubtful.append(writes) }

    var hasDoubtful: Bool { !doubtful.isEmpty }

    /// What nobody waits for any more takes effect.
    func complete() {
        let waiting = doubtful
        doubtful = []
        for writes in waiting where !isReadOnly {
            guard let outcomes = try? engine.write(writes) else { continue }
            onWrite?(writes, outcomes, nil)
        }
    }

    /// What nobody waits for any more is undone.
    func abandon() { doubtful = [] }

    /// Replaces this store, as after restoring a backup.
    func replace(by engine: any StoreEngine) {
        abandon()
        self.engine = engine
    }
}

/// The store as seen by one node.
///
/// Unchecked because a schedule runs on a single thread.
final class NodeStore: StoreEngine, @unchecked Sendable {
    enum Crash {
        case beforeWriting
        /// The write is durable, but no one learns of it.
        case afterWriting
    }

    /// What becomes of a commit whose connection is lost.
    enum Doubt: CaseIterable {
        case never
        case atOnce
        case later
    }

    private let shared: SharedStore
    /// The node dies at its next write.
    var crash: Crash?
    /// Whether the node has died in a write. Anything its code still does has no effect.
    private(set) var hasCrashed = false
    /// Whether nothing can currently be read or written.
    var isUnreachable = false
    /// The node loses its connection at its next write.
    var doubt: Doubt?
    /// Called when the node doesn't learn what became of its writes.
    var onDoubt: (() -> Void)?
    /// What the node knows to be in the database.
    private(set) var witness = StoreWitness()
    /// Called when the log no longer reaches back to where the node is.
    var onHistoryCut: (() -> Void)?

    init(_ shared: SharedStore) { self.shared = shared }

    /// The node starts over.
    func revive() {
        crash = nil
        hasCrashed = false
        isUnreachable = false
        doubt = nil
        witness = StoreWitness()
    }

    var cluster: String { shared.engine.cluster }

    private func engine() throws(StoreError) -> any StoreEngine {
        guard !isUnreachable else { throw StoreError(.io, "the simulated store does not answer") }
        return shared.engine
    }

    func catalogueHead() throws(StoreError) -> LogHead { try engine().catalogueHead() }

    func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        do throws(StoreError) {
            return try engine().commits(after: revision, limit: limit)
        } catch {
            if error.code == .historyCut { onHistoryCut?() }
            throw error
        }
    }

    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead { try engine().snapshot(receive) }

    func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        try engine().search(query, in: scope, offset: offset, limit: limit)
    }

    func userHead(_ user: String) throws(StoreError) -> LogHead { try engine().userHead(user) }

    func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        try engine().members(of: user)
    }

    func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? { try engine().lastMutation(of: client) }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        _ = try engine()
        if crash == .beforeWriting { hasCrashed = true }
        guard !hasCrashed else { throw StoreError(.closed, "the node has died") }
        if let doubt {
            self.doubt = nil
            onDoubt?()
            try prove()
            switch doubt {
            case .never: break
            case .atOnce: try shared.write(writes, by: self)
            case .later: shared.writeLater(writes)
            }
            throw StoreError(.io, "the connection was lost in a commit")
        }
        try prove()
        let outcomes = try shared.write(writes, by: self)
        try note(writes, outcomes)
        if crash == .afterWriting { hasCrashed = true }
        return outcomes
    }

    // MARK: - The history

    /// What the database says about what the node has seen.
    func history(asked seen: SeenHistory) throws(StoreError) -> FoundHistory? {
        guard let database = try engine() as? MemoryStore else { return nil }
        return try database.history(asked: seen)
    }

    /// As each transaction of a database does before it writes.
    func prove() throws(StoreError) {
        let seen = witness.seen
        guard let found = try history(asked: seen) else { return }
        if let error = StoreError(witness.judge(found, asked: seen), at: "the simulated database") { throw error }
    }

    /// Notes what a batch of writes has made.
    private func note(_ writes: [StoreWrite], _ outcomes: [StoreOutcome]) throws(StoreError) {
        guard let database = shared.engine as? MemoryStore else { return }
        for (write, outcome) in zip(writes, outcomes) {
            guard case .done(_, changed: true) = outcome else { continue }
            switch write {
            case .catalogue: witness.note(catalogue: try database.history(asked: SeenHistory()).catalogue)
            case .member(let user, _, _): try note(user: user)
            }
        }
    }

    /// Notes where a user's log is.
    func note(user: String) throws(StoreError) {
        guard let database = shared.engine as? MemoryStore, let point = try database.point(of: user) else { return }
        witness.note(user: user, point)
    }

    /// The schedule wakes nodes, some later than others.
    func onWake(_ wake: @escaping @Sendable () -> Void) {}

    func close() throws(StoreError) {}
}
