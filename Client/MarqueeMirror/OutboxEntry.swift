package import MarqueeModel

/// A change of a collection that was made here and that no received cut contains yet.
package struct OutboxEntry: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// Never sent. A later change of the same subject replaces it.
        case pending
        /// Possibly sent, possibly received. Frozen: it may only be sent again unchanged (G7).
        case sent
        /// Confirmed. It leaves with the first cut that contains this position (G6).
        case answered(Cut)
    }

    /// The mutation's number. Numbers rise, with gaps, and are never reused under the same client id.
    package var number: UInt64
    package var collection: CollectionName
    package var subject: String
    /// Whether the subject is a member from now on.
    package var on: Bool
    /// The member's value; `nil` if the collection keeps no values.
    package var value: CollectionValue?
    package var state: State
    /// Seconds since 1970.
    package var createdAt: Double
    /// Whether it changed the server's state; `nil` until it is answered.
    package var changed: Bool?

    package init(
        number: UInt64, collection: CollectionName = .favorites, subject: String, on: Bool,
        value: CollectionValue? = nil, state: State = .pending, createdAt: Double, changed: Bool? = nil
    ) {
        self.number = number
        self.collection = collection
        self.subject = subject
        self.on = on
        self.value = value
        self.state = state
        self.createdAt = createdAt
        self.changed = changed
    }
}

/// A mutation that the server refused, or that was rolled back because the server no longer knew this client.
package struct RejectedMutation: Hashable, Sendable {
    package var number: UInt64
    package var collection: CollectionName
    package var subject: String
    package var on: Bool
    package var value: CollectionValue?
    /// The name of the client's error, which says how to react; `nil` for mutations of older mirrors, and where it is
    /// unknown.
    package var code: String?
    /// A message for people, of at most `MirrorLimit.reasonBytes`.
    package var reason: String
    /// When the mutation was made, in seconds since 1970.
    package var createdAt: Double

    package init(
        number: UInt64, collection: CollectionName = .favorites, subject: String, on: Bool,
        value: CollectionValue? = nil, code: String? = nil, reason: String, createdAt: Double
    ) {
        self.number = number
        self.collection = collection
        self.subject = subject
        self.on = on
        self.value = value
        self.code = code
        self.reason = reason
        self.createdAt = createdAt
    }
}

/// The entries that get a new number.
package enum RenumberScope: Hashable, Sendable {
    /// For a server that forgot this client: unsent entries continue; sent ones are rolled back, because it is unknown
    /// whether they took effect.
    case unsentOnly
    /// For a mirror restored from an older copy: sent entries are sent again unchanged, and later ones get numbers that
    /// the server has not seen.
    case afterSent
    /// For a cloned mirror, under its new client id: all unanswered entries continue as if never sent.
    case all
}

/// The result of renumbering.
package struct Renumbering: Hashable, Sendable {
    /// The entries that continue, with any new numbers, in order.
    package var entries: [OutboxEntry]
    /// The removed entries, unchanged.
    package var rolledBack: [OutboxEntry]
    /// The number of observations removed because the server may or may not have them.
    package var droppedObservations = 0
    /// The reason given to people for a removal.
    package static let rollbackReason = "the server no longer knows whether it took effect"

    package init(entries: [OutboxEntry], rolledBack: [OutboxEntry]) {
        self.entries = entries
        self.rolledBack = rolledBack
    }
}
