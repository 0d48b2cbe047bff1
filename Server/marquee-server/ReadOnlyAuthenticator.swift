import MarqueeModel
import MarqueeServer

/// Admits no user by name: everyone may read the public screens, and nobody may write.
struct ReadOnlyAuthenticator: Authenticator {
    func authenticate(_ credentials: Credentials) async throws(Status) -> Identity { try identity(of: credentials) }

    func decide(_ credentials: Credentials) throws(Status) -> Identity? { try identity(of: credentials) }

    private func identity(of credentials: Credentials) throws(Status) -> Identity {
        guard credentials.user == nil else {
            throw Status(
                .unauthenticated, reason: "USERS_NOT_ADMITTED", remedy: .fatal,
                message: "this server has no users: connect without one, or start it with --tokens, or with --open")
        }
        return Identity(user: nil, grant: .readOnly)
    }
}
