import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The disk behind all nodes: a store, and saved copies of it.
final class SharedStore: @unchecked Sendable {
    private(set) var engine: any StoreEngine
    /// Whether nothing can be written.
    var isFull = false
    /// Called with the writes, in order, as soon as they are durable.
    var onWrite: (([StoreWrite], [StoreOutcome]) -> Void)?

    init(engine: any StoreEngine) { self.engine = engine }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        guard !isFull else { throw StoreError(.diskFull, "the simulated disk is full") }
        let outcomes = try engine.write(writes)
        onWrite?(writes, outcomes)
        return outcomes
    }

    /// Replaces this store, as after restoring a backup.
    func replace(by engine: any StoreEngine) { self.engine = engine }
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

    private let shared: SharedStore
    /// The node dies at its next write.
    var crash: Crash?
    /// Whether the node has died in a write. Anything its code still does has no effect.
    private(set) var hasCrashed = false
    /// Whether nothing can currently be read or written.
    var isUnreachable = false
    /// Called when the log no longer reaches back to where the node is.
    var onHistoryCut: (() -> Void)?

    init(_ shared: SharedStore) { self.shared = shared }

    /// The node starts over.
    func revive() {
        crash = nil
        hasCrashed = false
        isUnreachable = false
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
        let outcomes = try shared.write(writes)
        if crash == .afterWriting { hasCrashed = true }
        return outcomes
    }

    /// The schedule wakes nodes, some later than others.
    func onWake(_ wake: @escaping @Sendable () -> Void) {}

    func close() throws(StoreError) {}
}
