package import MarqueeModel

/// A favorite that was set or unset here and that no received cut contains yet.
package struct OutboxEntry: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// Never sent. A later write of the same subject takes its place.
        case pending
        /// Perhaps sent, perhaps received. Frozen: it may only be sent again as it is (G7).
        case sent
        /// Confirmed. It leaves at the first cut that contains this one (G6).
        case answered(Cut)
    }

    /// Rises, with gaps, and is never used for something else under the same client id.
    package var number: UInt64
    package var subject: String
    /// Whether the subject is a favorite from now on.
    package var on: Bool
    package var state: State
    /// Seconds since 1970.
    package var createdAt: Double
    /// Whether the server's state changed by it; `nil` until it was answered.
    package var changed: Bool?

    package init(
        number: UInt64, subject: String, on: Bool, state: State = .pending, createdAt: Double, changed: Bool? = nil
    ) {
        self.number = number
        self.subject = subject
        self.on = on
        self.state = state
        self.createdAt = createdAt
        self.changed = changed
    }
}

/// A mutation that the server refused, or that was rolled back because the server no longer knew this client.
package struct RejectedMutation: Hashable, Sendable {
    package var number: UInt64
    package var subject: String
    package var on: Bool
    /// For people; at most `MirrorLimit.reasonBytes`.
    package var reason: String
    /// When the mutation was made, in seconds since 1970.
    package var createdAt: Double

    package init(number: UInt64, subject: String, on: Bool, reason: String, createdAt: Double) {
        self.number = number
        self.subject = subject
        self.on = on
        self.reason = reason
        self.createdAt = createdAt
    }
}

/// Which entries get a fresh number.
package enum RenumberScope: Hashable, Sendable {
    /// A server that forgot this client: what was never sent goes on; what was sent is rolled back, as nobody knows
    /// whether it took effect.
    case unsentOnly
    /// A mirror that was put back from an older copy: what was sent is sent again as it is, and what comes after it
    /// gets numbers that the server has not seen.
    case afterSent
    /// A cloned mirror, under its new client id: everything that was not answered goes on as if never sent.
    case all
}

/// What renumbering did.
package struct Renumbering: Hashable, Sendable {
    /// The entries that go on, with their new numbers, in order.
    package var entries: [OutboxEntry]
    /// The entries that left, as they were.
    package var rolledBack: [OutboxEntry]
    /// What a person is told about these.
    package static let rollbackReason = "the server does not know any more whether it took effect"

    package init(entries: [OutboxEntry], rolledBack: [OutboxEntry]) {
        self.entries = entries
        self.rolledBack = rolledBack
    }
}
