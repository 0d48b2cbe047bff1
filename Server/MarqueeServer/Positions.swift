package import MarqueeModel
package import MarqueeStore
import Synchronization

/// Where the hub is, for those who must not wait for it: a client is welcomed while the hub is busy.
///
/// Thread safe; written by the hub.
package final class Positions: Sendable {
    private struct State {
        var catalogue = LogHead(epoch: 0, revision: 0)
        var movies = 0
        /// Of the users whose favorites the hub holds.
        var users: [String: LogHead] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The catalogue's newest revision that the hub has published.
    var catalogueRevision: UInt64 { state.withLock { $0.catalogue.revision } }
    var movies: Int { state.withLock { $0.movies } }

    /// The position to welcome a client with. Never ahead of what the hub will show to that client.
    ///
    /// Of a user whose favorites the hub does not hold, the store is asked. That happens under the lock, as `load`
    /// does: so the hub, when it reads the favorites later, finds no less.
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

    /// The hub has moved to another revision of the catalogue.
    func move(to head: LogHead, movies: Int) {
        state.withLock { state in
            state.catalogue = head
            state.movies = movies
        }
    }

    /// The hub reads a user's favorites.
    func load(
        _ user: String, _ read: () throws(StoreError) -> (head: LogHead, favorites: [Favorite])
    ) throws(StoreError) -> (head: LogHead, favorites: [Favorite]) {
        try state.withLock { state throws(StoreError) in
            let loaded = try read()
            state.users[user] = loaded.head
            return loaded
        }
    }

    /// The hub holds a user's favorites at another revision.
    func move(_ user: String, to head: LogHead) { state.withLock { $0.users[user] = head } }

    /// The hub holds a user's favorites no longer.
    func forget(_ user: String) { state.withLock { $0.users[user] = nil } }
}
