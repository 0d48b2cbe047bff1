package import MarqueeModel

/// A move of a user's log, as reported to followers of a store.
package struct UserMove: Hashable, Sendable {
    package var user: String
    package var move: MemberMove

    package init(user: String, move: MemberMove) {
        self.user = user
        self.move = move
    }
}

/// An event in a store that other processes write to as well.
package enum StoreEvent: Sendable {
    /// The catalogue's log has moved.
    case catalogue
    /// Drafts have changed; that doesn't move the catalogue's log.
    case drafts
    /// Moves that others have made. Those of one user ascend, but moves of this process may lie between them.
    case moves([UserMove])
    /// Moves may have been missed: anything known about a user may be stale.
    case missed
    /// The store can't be reached for now; attempts continue. It was last reached at `since`.
    case unreachable(StoreError, since: ContinuousClock.Instant)
    /// It can be reached again.
    case reachable
    /// The store no longer has commits that this process knows of. Reading further can't correct what it serves.
    case lost(StoreError)
}

/// A store that several processes have open and write to, each of which follows the others' commits.
package protocol SharedStore: StoreEngine {
    /// Reports others' commits from the beginning of this call until the store is closed. Called once.
    /// - Parameter hear: called on a thread of the store's own, one call after the other. Nothing more is read until it
    ///   returns, so the listener decides how much may wait.
    /// - Throws: if the store can't be read.
    func follow(_ hear: @escaping @Sendable (StoreEvent) -> Void) throws(StoreError)

    /// The time of day by the database's clock, so that all processes go by the same one.
    /// - Throws: if the database doesn't answer. May be called on any thread.
    func clock() throws(StoreError) -> Moment

    /// Notes clients that have seen more than the store has, for the operator who decides what to do. Not all of them
    /// need to be kept.
    /// - Throws: if they can't be written.
    func note(ahead clients: [ClientAhead]) throws(StoreError)
}

/// A client that has seen more than a store has.
package struct ClientAhead: Hashable, Sendable {
    /// The client's id.
    package var client: [UInt8]
    /// The revision of the catalogue that it has seen.
    package var revision: UInt64
    /// `nil` for an anonymous client.
    package var user: String?
    /// The revision of its user's log that it has seen.
    package var userRevision: UInt64

    package init(client: [UInt8], revision: UInt64, user: String?, userRevision: UInt64) {
        self.client = client
        self.revision = revision
        self.user = user
        self.userRevision = userRevision
    }
}
