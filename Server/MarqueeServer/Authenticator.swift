package import MarqueeModel
import MarqueeStore

/// Who is at the other end of a connection, and what they may do.
package struct Identity: Hashable, Sendable {
    /// `nil` for an anonymous client; favorites need a user.
    package var user: String?
    package var mayPublish: Bool

    package init(user: String?, mayPublish: Bool) {
        self.user = user
        self.mayPublish = mayPublish
    }
}

/// Decides who a client is. Identities enter the server here and nowhere else.
package protocol Authenticator: Sendable {
    /// - Parameters:
    ///   - user: who the client claims to be.
    ///   - token: its proof of that.
    /// - Throws: the status to close the connection with.
    func authenticate(user: String?, token: String?) async throws(Status) -> Identity
}

/// Believes every client and lets everybody publish. Suitable for the loopback interface only.
package struct OpenAuthenticator: Authenticator {
    package init() {}

    package func authenticate(user: String?, token: String?) async throws(Status) -> Identity {
        Identity(user: user, mayPublish: true)
    }
}

extension Status {
    /// The authenticator named a user whose name the store doesn't accept.
    static let userInvalid = Status(
        .unauthenticated, reason: "USER_INVALID", remedy: .fatal,
        message:
            "a user's name has 1 to \(CatalogueBounds.userName) bytes, no control characters, and is in Unicode's composed form"
    )
}
