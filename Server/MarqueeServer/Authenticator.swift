package import MarqueeModel
import MarqueeStore

/// Who is at the other end of a connection, and what they may do.
package struct Identity: Hashable, Sendable {
    /// `nil`: nobody in particular; favorites need a user.
    package var user: String?
    package var mayPublish: Bool

    package init(user: String?, mayPublish: Bool) {
        self.user = user
        self.mayPublish = mayPublish
    }
}

/// Decides who a client is. The only place through which identity enters the server.
package protocol Authenticator: Sendable {
    /// - Parameters:
    ///   - user: who the client says it is.
    ///   - token: what it shows for that.
    /// - Throws: the status with which the connection is closed.
    func authenticate(user: String?, token: String?) async throws(Status) -> Identity
}

/// Takes every client at its word and lets everybody publish. Fit for the loopback interface only.
package struct OpenAuthenticator: Authenticator {
    package init() {}

    package func authenticate(user: String?, token: String?) async throws(Status) -> Identity {
        Identity(user: user, mayPublish: true)
    }
}

extension Status {
    /// A user's name that a store does not take.
    static let userInvalid = Status(
        .unauthenticated, reason: "USER_INVALID", remedy: .fatal,
        message:
            "a user's name has 1 to \(CatalogueBounds.userName) bytes, no control characters, and is in Unicode's composed form"
    )
}
