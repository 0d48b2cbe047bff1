package import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore

/// A test store that forwards every call to another store, except those its own type implements.
package protocol ForwardingStore: StoreEngine {
    var store: MemoryStore { get }
}

extension ForwardingStore {
    package var cluster: String { store.cluster }
    package func catalogueHead() throws(StoreError) -> LogHead { try store.catalogueHead() }
    package func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        try store.commits(after: revision, limit: limit)
    }
    package func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead { try store.snapshot(receive) }
    package func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        try store.search(query, in: scope, offset: offset, limit: limit)
    }
    package func userHead(_ user: String) throws(StoreError) -> LogHead { try store.userHead(user) }
    package func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        try store.members(of: user)
    }
    package func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? { try store.lastMutation(of: client) }
    package func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] { try store.write(writes) }
    package func onWake(_ wake: @escaping @Sendable () -> Void) { store.onWake(wake) }
    package func close() throws(StoreError) { try store.close() }
}
