package import MarqueeModel
package import MarqueeStore
import MarqueeTypes
import Synchronization

/// The hub's position, for callers that must not wait for the hub: a client is welcomed even while the hub is busy.
///
/// Thread safe; written by the hub.
package final class Positions: Sendable {
    private struct State {
        var catalogue = LogHead(epoch: 0, revision: 0)
        var counts = CatalogueCounts()
        var types: TypeSet?
        /// Revisions of the users whose collections the hub holds.
        var users: [String: LogHead] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The catalogue's newest revision that the hub has published.
    var catalogueRevision: UInt64 { state.withLock { $0.catalogue.revision } }
    var counts: CatalogueCounts { state.withLock { $0.counts } }
    /// The types of records at that revision.
    var types: TypeSet? { state.withLock { $0.types } }

    /// The position to name in a client's welcome, never ahead of what the hub will show to that client.
    ///
    /// If the hub doesn't hold the user's collections, the store is asked. That happens under the lock, as in `load`,
    /// so the hub finds nothing older when it reads them later.
    package func cut(for user: String?, in store: any StoreEngine) throws(StoreError) -> Cut {
        try state.withLock { state throws(StoreError) in
            var cut = Cut(catalogueEpoch: state.catalogue.epoch, catalogueRevision: state.catalogue.revision)
            guard let user else { return cut }
            let head: LogHead
            if let known = state.users[user] { head = known } else { head = try store.userHead(user) }
            cut.userEpoch = head.epoch
            cut.userRevision = head.revision
            return cut
        }
    }

    /// Moves the hub's position to another revision of the catalogue.
    func move(to head: LogHead, counts: CatalogueCounts, types: TypeSet?) {
        state.withLock { state in
            state.catalogue = head
            state.counts = counts
            state.types = types
        }
    }

    /// Runs `read`, with which the hub reads a user's collections, and notes their revision.
    func load(
        _ user: String, _ read: () throws(StoreError) -> (head: LogHead, members: [StoredMember])
    ) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        try state.withLock { state throws(StoreError) in
            let loaded = try read()
            state.users[user] = loaded.head
            return loaded
        }
    }

    /// Notes that the hub holds a user's collections at another revision.
    func move(_ user: String, to head: LogHead) { state.withLock { $0.users[user] = head } }

    /// Notes that the hub no longer holds a user's collections.
    func forget(_ user: String) { state.withLock { $0.users[user] = nil } }
}
