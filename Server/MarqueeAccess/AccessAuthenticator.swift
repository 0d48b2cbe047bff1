package import MarqueeModel
package import MarqueeServer

/// Admits clients by what they show: a token of the server's own, a JSON Web Token, a certificate, or nothing.
///
/// A client that shows a token is judged by that token alone; one without is judged by its certificate, and is
/// anonymous if that isn't listed. A client that claims to be another user than it proves is refused. Thread safe.
package struct AccessAuthenticator: Authenticator {
    private let register: TokenRegister
    private let jwt: JWTVerifier?
    private let anonymous: Grant

    /// - Parameters:
    ///   - register: tokens, certificates, and what is revoked.
    ///   - jwt: `nil` to accept no JSON Web Tokens.
    ///   - anonymous: what clients that show nothing may do; `nil` to refuse them.
    package init(_ register: TokenRegister, jwt: JWTVerifier? = nil, anonymous: Scopes?) {
        self.register = register
        self.jwt = jwt
        self.anonymous = Grant(anonymous ?? .nothing, from: .open)
    }

    package func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        let identity = try await proven(by: credentials)
        guard credentials.user == nil || credentials.user == identity.user else { throw .tokenOfAnother }
        return identity
    }

    private func proven(by credentials: Credentials) async throws(Status) -> Identity {
        guard let token = credentials.token else {
            if let certificate = credentials.certificate, let identity = register.identity(certificate: certificate) {
                return identity
            }
            guard credentials.user == nil, anonymous.scopes != .nothing else { throw .tokenNeeded }
            return Identity(user: nil, grant: anonymous)
        }
        if let jwt, !token.hasPrefix(Token.prefix) {
            let identity = try await jwt.identity(of: token)
            guard standing(of: identity) != .ended else { throw .tokenRefused }
            return identity
        }
        guard let identity = register.identity(token: token) else { throw .tokenRefused }
        return identity
    }

    package var canRevoke: Bool { true }

    package func standing(of identity: Identity) -> Standing {
        switch identity.grant.source {
        // It gives nobody an identity from upstream.
        case .open, .upstream: .untilRevoked
        case .token, .certificate: register.standing(of: identity.grant)
        case .jwt(let key, let id):
            register.hasRevoked(jwt: id) ? .ended : jwt?.standing(of: identity.grant, key: key) ?? .ended
        }
    }
}

extension Status {
    static let tokenNeeded = Status(
        .unauthenticated, reason: "TOKEN_NEEDED", remedy: .reauthenticate, message: "this server needs a token")
    static let tokenRefused = Status(
        .unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate,
        message: "the token is not known here, has ended or was revoked")
}
