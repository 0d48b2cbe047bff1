package import MarqueeModel
package import MarqueeServer

/// Admits clients by the proof they present: a token of the server's own, a JSON Web Token, a certificate, or none.
///
/// A client that presents a token is judged by that token alone; one without is judged by its certificate, and is
/// anonymous if that isn't listed. A client that claims to be a user other than the proven one is refused. Thread safe.
package struct AccessAuthenticator: Authenticator {
    private let register: TokenRegister
    private let jwt: JWTIssuers?
    private let anonymous: Grant
    private let wantsListed: Bool

    /// - Parameters:
    ///   - register: tokens, certificates, and revocations.
    ///   - jwt: the issuers of JSON Web Tokens; `nil` to accept none.
    ///   - anonymous: the scopes of clients that present no proof; `nil` to refuse them.
    ///   - wantsListed: whether a client whose certificate isn't listed is refused, whatever else it presents.
    package init(
        _ register: TokenRegister, jwt: JWTIssuers? = nil, anonymous: Scopes?, wantsListed: Bool = false
    ) {
        self.register = register
        self.wantsListed = wantsListed
        self.jwt = jwt
        self.anonymous = Grant(anonymous ?? .nothing, from: .open)
    }

    package func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        if let identity = try decide(credentials) { return identity }
        guard let jwt, let token = credentials.token else { throw .tokenRefused }
        let identity = try await jwt.identity(of: token)
        guard standing(of: identity) != .ended else { throw .tokenRefused }
        return try confirm(identity, listed(credentials), credentials)
    }

    package func decide(_ credentials: Credentials) throws(Status) -> Identity? {
        let listed = listed(credentials)
        if wantsListed, credentials.certificate != nil, listed == nil { throw .certificateRefused }
        if let token = credentials.token {
            if jwt != nil, !token.hasPrefix(Token.prefix) { return nil }
            guard let identity = register.identity(token: token) else { throw .tokenRefused }
            return try confirm(identity, listed, credentials)
        }
        if let listed { return try confirm(listed, listed, credentials) }
        guard credentials.user == nil, anonymous.scopes != .nothing else { throw .tokenNeeded }
        return try confirm(Identity(user: nil, grant: anonymous), listed, credentials)
    }

    /// The identity that the register lists for a client's certificate.
    private func listed(_ credentials: Credentials) -> Identity? {
        credentials.certificate.flatMap { register.identity(certificate: $0.der) }
    }

    /// The identity of a client whose proof is good, unless it claims to be another user.
    private func confirm(
        _ identity: Identity, _ listed: Identity?, _ credentials: Credentials
    ) throws(Status) -> Identity {
        guard credentials.user == nil || credentials.user == identity.user else { throw .tokenOfAnother }
        return wantsListed ? Identity(user: identity.user, grant: identity.grant, condition: listed?.grant) : identity
    }

    package var canRevoke: Bool { true }

    package func standing(of identity: Identity) -> Standing {
        if let condition = identity.condition, standing(of: condition) == .ended { return .ended }
        return standing(of: identity.grant)
    }

    private func standing(of grant: Grant) -> Standing {
        switch grant.source {
        // This authenticator never gives an identity from upstream.
        case .open, .upstream: .untilRevoked
        case .token, .certificate: register.standing(of: grant)
        case .jwt(let key, let id):
            register.hasRevoked(jwt: id) ? .ended : jwt?.standing(of: grant, key: key) ?? .ended
        }
    }
}

extension Status {
    static let tokenNeeded = Status(
        .unauthenticated, reason: "TOKEN_NEEDED", remedy: .reauthenticate, message: "this server needs a token")
    static let certificateRefused = Status(
        .unauthenticated, reason: "CERTIFICATE_REFUSED", remedy: .reauthenticate,
        message: "the client's certificate is not one that this server lists")
    static let tokenRefused = Status(
        .unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate,
        message: "the token is not known here, has ended or was revoked")
}
