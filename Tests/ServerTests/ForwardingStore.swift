import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// A test store that forwards every call to another store, except those its own type implements.
protocol ForwardingStore: StoreEngine {
    var store: MemoryStore { get }
}

extension ForwardingStore {
    var cluster: String { store.cluster }
    func catalogueHead() throws(StoreError) -> LogHead { try store.catalogueHead() }
    func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        try store.commits(after: revision, limit: limit)
    }
    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead { try store.snapshot(receive) }
    func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        try store.search(query, in: scope, offset: offset, limit: limit)
    }
    func userHead(_ user: String) throws(StoreError) -> LogHead { try store.userHead(user) }
    func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        try store.members(of: user)
    }
    func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? { try store.lastMutation(of: client) }
    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] { try store.write(writes) }
    func onWake(_ wake: @escaping @Sendable () -> Void) { store.onWake(wake) }
    func close() throws(StoreError) { try store.close() }
}
