package import MarqueeModel
package import MarqueeStore
import MarqueeWire

/// What the hub has to know of a user's log before it can go on. Another thread reads it, so that a slow store delays
/// nobody else.
///
/// From when the hub asks until it has taken what was read, the user's positions that are named elsewhere are noted:
/// what was read before one of them must not be shown after it. Thread safe.
package final class UserReading: Sendable {
    /// How often one request is read again because the log has moved meanwhile.
    package static let maximumTries = 8

    package let user: String
    private let isWithMembers: Bool
    private let positions: Positions

    init(_ user: String, isWithMembers: Bool, _ positions: Positions) {
        self.user = user
        self.isWithMembers = isWithMembers
        self.positions = positions
        positions.beganReading(user)
    }

    deinit { positions.endedReading(user) }

    /// Blocks.
    package func read(from store: any StoreEngine) throws(StoreError) -> UserSnapshot {
        guard isWithMembers else {
            return UserSnapshot(reading: self, head: try store.userHead(user), members: nil)
        }
        let (head, members) = try store.members(of: user)
        return UserSnapshot(reading: self, head: head, members: members)
    }
}

/// A user's log as it was read from the store at one moment.
package struct UserSnapshot: Sendable {
    /// Goes on until the hub has taken this.
    let reading: UserReading
    let head: LogHead
    /// `nil` if only the head was read.
    let members: [StoredMember]?

    var user: String { reading.user }
}

/// Why the hub hasn't opened a view.
package enum OpenFailure: Error {
    case refused(Status)
    /// It can once this has been read.
    case unread(UserReading)
}
