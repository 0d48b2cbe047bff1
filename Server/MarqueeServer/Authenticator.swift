package import MarqueeModel

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
    /// Bytes of a user's name, at most.
    package static let maximumUserLength = 128

    package init() {}

    package func authenticate(user: String?, token: String?) async throws(Status) -> Identity {
        if let user {
            guard !user.isEmpty, user.utf8.count <= Self.maximumUserLength,
                user.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else {
                throw Status(
                    .unauthenticated, reason: "USER_INVALID", remedy: .fatal,
                    message: "a user's name has 1 to \(Self.maximumUserLength) bytes and no control characters")
            }
        }
        return Identity(user: user, mayPublish: true)
    }
}
