package import MarqueeModel
package import MarqueeWire

/// The meaning of a server's welcome for this mirror's mutation numbers.
package enum WelcomeVerdict: Hashable, Sendable {
    /// Both sides continue where they were.
    case known
    /// The server has seen higher numbers under this client id: the mirror was restored from an older copy, or another
    /// mirror shares the id.
    case overtaken(by: UInt64)
    /// The server has lost its record of this client: it was restored, or dropped a client that was away too long.
    case forgotten
    /// The server identifies this client as another user.
    case refused(Status)

    /// - Parameters:
    ///   - lastAnswered: the highest number whose answer was recorded under this client id, as far as hello reported
    ///     it.
    ///   - user: the user that the client claims.
    package init(lastNumber: UInt64, lastAnswered: UInt64, user: String?, welcome: Welcome) {
        let seen = welcome.lastMutation ?? 0
        if welcome.user != user {
            self = .refused(Self.otherUser(user, welcome.user))
        } else if seen < lastAnswered {
            self = .forgotten
        } else if seen > lastNumber {
            self = .overtaken(by: seen)
        } else {
            self = .known
        }
    }

    private static func otherUser(_ asked: String?, _ found: String?) -> Status {
        let message =
            switch (asked, found) {
            case (let asked?, nil): "the server doesn't accept this client as '\(asked)': it accepts no users"
            case (let asked?, let found?): "the server identifies this client as '\(found)', not as '\(asked)'"
            case (nil, let found): "the server identifies this client as '\(found ?? "")'; name that user"
            }
        return Status(.unauthenticated, reason: "OTHER_USER", remedy: .fatal, message: message)
    }
}
