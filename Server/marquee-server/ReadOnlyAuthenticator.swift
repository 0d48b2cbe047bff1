import MarqueeModel
import MarqueeServer

/// Admits no user by name: everyone may read the public screens, and nobody may write.
struct ReadOnlyAuthenticator: Authenticator {
    func authenticate(user: String?, token: String?) async throws(Status) -> Identity {
        guard user == nil else {
            throw Status(
                .unauthenticated, reason: "USERS_NOT_ADMITTED", remedy: .fatal,
                message: "this server has no users: connect without one, or start it with --open")
        }
        return Identity(user: nil, mayPublish: false)
    }
}
