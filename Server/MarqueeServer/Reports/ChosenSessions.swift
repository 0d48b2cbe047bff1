package import MarqueeModel

/// The sessions that an operator chose to end.
package enum ChosenSessions: Hashable, Sendable {
    /// The session of one connection, by its number in reports.
    case connection(ConnectionID)
    /// All sessions of a user. Guests of a relay aren't affected: they are connected to the relay.
    case user(String)

    func includes(_ connection: ConnectionID, of user: String?) -> Bool {
        switch self {
        case .connection(let chosen): chosen == connection
        case .user(let chosen): chosen == user
        }
    }
}

extension ChosenSessions: CustomStringConvertible {
    package var description: String {
        switch self {
        case .connection(let connection): "connection \(connection)"
        case .user(let user): "user \(user)"
        }
    }
}

extension Status {
    /// An operator has ended the session.
    package static let endedByOperator = Status(
        .unavailable, reason: "SESSION_ENDED", remedy: .retrySame, message: "an operator has ended this session",
        retryAfterMilliseconds: 5_000)
}
