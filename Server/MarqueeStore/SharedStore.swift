package import MarqueeModel

/// A move of a user's log, as whoever follows a store hears of it.
package struct UserMove: Hashable, Sendable {
    package var user: String
    package var move: MemberMove

    package init(user: String, move: MemberMove) {
        self.user = user
        self.move = move
    }
}

/// An event in a store that other processes write to as well.
package enum StoreNews: Sendable {
    /// The catalogue's log has moved.
    case catalogue
    /// Moves that others have made. Those of one user ascend, but moves of this process may lie between them.
    case moves([UserMove])
    /// Moves may have been missed: what is known of any user may be old.
    case missed
    /// The store can't be reached now; it is tried again. It was last heard then.
    case unreachable(StoreError, since: ContinuousClock.Instant)
    /// It can be reached again.
    case reachable
    /// The store no longer has commits that this process knows of. What it serves can't be put right by reading on.
    case lost(StoreError)
}

/// A store that several processes have open and write to, each of which follows what the others do.
package protocol SharedStore: StoreEngine {
    /// Tells what others commit after this call has begun, until the store is closed. Called once.
    /// - Parameter hear: called on a thread of the store's own, one call after the other. Nothing more is read until it
    ///   returns, so whoever listens decides how much may wait.
    /// - Throws: if the store can't be read.
    func follow(_ hear: @escaping @Sendable (StoreNews) -> Void) throws(StoreError)

    /// The time of day by the database's clock, so that all processes go by the same one.
    /// - Throws: if it doesn't answer. May be called on any thread.
    func clock() throws(StoreError) -> Moment

    /// Notes clients that have seen more than the store has, for whoever decides what becomes of it. Not all of them
    /// need to be kept.
    /// - Throws: if they can't be written.
    func note(ahead clients: [ClientAhead]) throws(StoreError)
}

/// A client that has seen more than a store has.
package struct ClientAhead: Hashable, Sendable {
    /// Its id.
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
