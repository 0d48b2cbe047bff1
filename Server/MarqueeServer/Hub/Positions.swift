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
        /// The epoch of users' logs; `nil` until it is known.
        var userEpoch: UInt64?
        /// Revisions of the users whose collections the hub holds.
        var users: [String: LogHead] = [:]
        /// The users whose logs are being read, with one note for each request that waits for a read.
        var readings: [String: [UserReading.Note]] = [:]

        func cut(_ user: LogHead?) -> Cut { Cut(catalogue: catalogue, user: user) }

        func named(_ revision: UInt64, of user: String) {
            for note in readings[user] ?? [] { note.named(revision) }
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// The catalogue's newest revision that the hub has published.
    var catalogueRevision: UInt64 { state.withLock { $0.catalogue.revision } }
    var counts: CatalogueCounts { state.withLock { $0.counts } }
    /// The types of records at that revision.
    var types: TypeSet? { state.withLock { $0.types } }

    /// The position to announce in a client's welcome, never ahead of what the hub will show to that client.
    ///
    /// If the hub doesn't hold the user's collections, the store is asked. The call blocks then, but doesn't occupy the
    /// hub.
    package func cut(for user: String?, in store: any StoreEngine) throws(StoreError) -> Cut {
        guard let user else { return state.withLock { $0.cut(nil) } }
        if let known = state.withLock({ state in state.users[user].map { state.cut($0) } }) { return known }
        let head = try store.userHead(user)
        return state.withLock { state in
            state.userEpoch = head.epoch
            // The hub may hold them by now, and then shows what it holds.
            if let known = state.users[user] { return state.cut(known) }
            state.named(head.revision, of: user)
            return state.cut(head)
        }
    }

    /// Returns the values to announce in a client's welcome: its position, and the highest mutation number applied for
    /// it. Blocks.
    package func place(
        of caller: ContentCaller, in store: any StoreEngine
    ) throws(StoreError) -> (cut: Cut, lastMutation: UInt64?) {
        (try cut(for: caller.user, in: store), try store.lastMutation(of: caller.mutationClient))
    }

    /// Returns the values to announce in a client's welcome if the store couldn't be asked for them.
    ///
    /// If the store can't be reached, the client is believed, because nothing it does can take effect until the store
    /// is back: clients that reconnect during an outage are shown the cached screens. A client that has seen other logs
    /// than this server isn't believed. The user's log may have moved through other servers, so it has to be read as
    /// soon as possible.
    package func place(
        of caller: ContentCaller, _ claim: PositionClaim?, after error: StoreError
    ) -> (cut: Cut, lastMutation: UInt64?)? {
        guard error.code == .io, let claim, let cut = cut(for: caller.user, seen: claim.seen) else { return nil }
        return (cut, claim.answeredThrough == 0 ? nil : claim.answeredThrough)
    }

    /// The position to announce as long as the store can't be asked: the position that the hub shows. For a user's log
    /// of which it shows nothing, the position that the client has seen.
    private func cut(for user: String?, seen: Cut?) -> Cut? {
        state.withLock { state in
            if let seen, seen.catalogueEpoch != state.catalogue.epoch { return nil }
            guard let user else { return state.cut(nil) }
            guard let epoch = state.userEpoch else { return nil }
            if let seen, seen.userEpoch != 0, seen.userEpoch != epoch { return nil }
            if let known = state.users[user] { return state.cut(known) }
            let revision = seen?.userRevision ?? 0
            state.named(revision, of: user)
            return state.cut(LogHead(epoch: epoch, revision: revision))
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

    /// Records that the hub holds a user's collections at another revision.
    func move(_ user: String, to head: LogHead) {
        state.withLock { state in
            state.userEpoch = head.epoch
            state.users[user] = head
            state.named(head.revision, of: user)
        }
    }

    /// Records that the hub no longer holds a user's collections.
    func forget(_ user: String) { state.withLock { $0.users[user] = nil } }

    // MARK: - Readings of users' logs

    /// Records that a revision of a user's log was announced: a read under way must not be older.
    func named(_ revision: UInt64, of user: String) { state.withLock { $0.named(revision, of: user) } }

    /// Makes a user's log, as it was read, the hub's state, unless a newer revision was announced meanwhile.
    func take(_ log: UserSnapshot) -> Bool {
        state.withLock { state in
            if log.isOvertaken { return false }
            state.userEpoch = log.head.epoch
            state.users[log.user] = log.head
            state.named(log.head.revision, of: log.user)
            return true
        }
    }

    /// Starts recording, in a note, the revisions announced for a user's log.
    func begins(_ note: UserReading.Note, of user: String) {
        state.withLock { $0.readings[user, default: []].append(note) }
    }

    func ends(_ note: UserReading.Note, of user: String) {
        state.withLock { state in
            state.readings[user]?.removeAll { $0 === note }
            if state.readings[user]?.isEmpty == true { state.readings[user] = nil }
        }
    }
}

extension Cut {
    /// - Parameter user: `nil` if there is no user, or if the position of the user's log isn't needed.
    init(catalogue: LogHead, user: LogHead?) {
        self.init(
            catalogueEpoch: catalogue.epoch, catalogueRevision: catalogue.revision, userEpoch: user?.epoch ?? 0,
            userRevision: user?.revision ?? 0)
    }
}
