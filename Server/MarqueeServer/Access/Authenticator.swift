package import MarqueeModel
package import MarqueeScreens
import MarqueeStore
package import MarqueeTLS
import Synchronization

/// The identity of the client at the other end of a connection, and its permissions.
package struct Identity: Hashable, Sendable {
    /// `nil` for an anonymous client; favorites need a user.
    package var user: String?
    /// Shared by all sessions that have the same one, as each idle session costs memory.
    package let grant: Grant
    /// A second grant that must stand, too.
    package let condition: Grant?
    /// The certificate that the client's connection presented, if any. The identity never outlives it, whatever else
    /// the client has presented.
    var certificate: CertificateValidity?

    package init(user: String?, grant: Grant, condition: Grant? = nil) {
        self.user = user
        self.grant = grant
        self.condition = condition
    }

    package init(user: String?, scopes: Scopes) { self.init(user: user, grant: Grant(scopes, from: .open)) }

    package var scopes: Scopes { grant.scopes }

    /// The claims of its reader. A relay has none: its own requests are for readers without claims.
    package var claims: Claims { scopes.allows(.relay) ? .none : grant.claims }

    /// Whether `claims` are all that its reader has. The claims of a relay's clients are known upstream alone.
    var knowsClaims: Bool { if case .upstream = grant.source { false } else { true } }
}

/// A client's permissions, and their source.
package final class Grant: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// Open mode, or an anonymous client.
        case open
        /// A token of the server's own file, by its name.
        case token(String)
        /// A certificate that the server's own file lists, by its name.
        case certificate(String)
        /// A JSON Web Token: the authenticator's name for the key that signed it, and the token's own id, if any.
        case jwt(key: String, id: String?)
        /// A server upstream, to which the client was introduced.
        case upstream(Introduction)
    }

    package let scopes: Scopes
    package let source: Source
    /// When it expires, in milliseconds of Unix time; `nil` for never.
    package let ends: Int64?
    let claims: Claims

    package init(_ scopes: Scopes, from source: Source, ends: Int64? = nil, claims: Claims = .none) {
        self.scopes = scopes
        self.source = source
        self.ends = ends
        self.claims = claims
    }

    package static func == (a: Grant, b: Grant) -> Bool {
        a === b || a.source == b.source && a.scopes == b.scopes && a.ends == b.ends && a.claims == b.claims
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scopes)
        hasher.combine(source)
        hasher.combine(ends)
        hasher.combine(claims)
    }

    /// Ends its introduction upstream, if it has one. Called when the client's connection has ended.
    package func leave() { if case .upstream(let introduction) = source { introduction.leave() } }

    package static let everything = Grant(.everything, from: .open)
    package static let readOnly = Grant(.readOnly, from: .open)
    package static let nothing = Grant(.nothing, from: .open)
}

/// A client's introduction to a server upstream. It lasts until the connection ends or nothing refers to it any more.
package final class Introduction: Hashable, Sendable {
    /// The number by which the server upstream knows the client.
    package let guest: UInt32
    private let onLeave: @Sendable (UInt32) -> Void
    private let hasLeft = Atomic<Bool>(false)

    /// - Parameter onLeave: called once, on any thread.
    package init(guest: UInt32, onLeave: @escaping @Sendable (UInt32) -> Void) {
        self.guest = guest
        self.onLeave = onLeave
    }

    deinit { leave() }

    /// Ends the introduction. Called when the connection has ended, as unfinished work may keep a reference for much
    /// longer.
    package func leave() {
        if !hasLeft.exchange(true, ordering: .acquiringAndReleasing) { onLeave(guest) }
    }

    package static func == (a: Introduction, b: Introduction) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(guest) }
}

/// The identity that a client claims, and its evidence.
package struct Credentials: Hashable, Sendable {
    /// The user that it claims to be.
    package var user: String?
    /// Its proof of that.
    package var token: String?
    /// The certificate that it proved to have.
    package var certificate: ClientCertificate?
    /// Where it connects from.
    package var address: String?
    /// The id of its mirror, which numbers its mutations.
    package var clientID: [UInt8]

    package init(
        user: String? = nil, token: String? = nil, certificate: ClientCertificate? = nil, address: String? = nil,
        clientID: [UInt8] = []
    ) {
        self.user = user
        self.token = token
        self.certificate = certificate
        self.address = address
        self.clientID = clientID
    }
}

/// Whether an identity may be used.
package enum Standing: Hashable, Sendable {
    case untilRevoked
    /// For this many more milliseconds.
    case until(UInt64)
    case ended
}

extension Standing {
    /// The one that ends first.
    func earlier(_ other: Standing) -> Standing {
        switch (self, other) {
        case (.ended, _), (_, .ended): .ended
        case (.untilRevoked, _): other
        case (_, .untilRevoked): self
        case (.until(let a), .until(let b)): .until(min(a, b))
        }
    }
}

/// Decides who a client is. Identities enter the server here and nowhere else.
package protocol Authenticator: Sendable {
    /// - Throws: the status to close the connection with.
    func authenticate(_ credentials: Credentials) async throws(Status) -> Identity

    /// Decides at once, on the connection's event loop, if that needs neither waiting nor a signature to be verified.
    /// - Returns: the identity that `authenticate` would give; `nil` if only `authenticate` can decide.
    /// - Throws: the status to close the connection with.
    func decide(_ credentials: Credentials) throws(Status) -> Identity?

    /// Whether identities may end before their connections do.
    var canRevoke: Bool { get }

    /// The current standing of an identity it has issued. Called about once a second for each session, so it must be
    /// cheap.
    func standing(of identity: Identity) -> Standing
}

extension Authenticator {
    package func decide(_ credentials: Credentials) throws(Status) -> Identity? { nil }

    package var canRevoke: Bool { false }

    package func standing(of identity: Identity) -> Standing { .untilRevoked }
}

extension Grant {
    /// Its standing by its expiry alone; revocation isn't considered.
    /// - Parameter now: milliseconds of Unix time.
    package func standing(now: Int64) -> Standing {
        guard let ends else { return .untilRevoked }
        return ends > now ? .until(UInt64(clamping: ends.subtractingReportingOverflow(now).partialValue)) : .ended
    }
}

/// Believes every client and lets everybody publish. Suitable for the loopback interface only.
package struct OpenAuthenticator: Authenticator {
    package init() {}

    package func authenticate(_ credentials: Credentials) async throws(Status) -> Identity { identity(of: credentials) }

    package func decide(_ credentials: Credentials) throws(Status) -> Identity? { identity(of: credentials) }

    private func identity(of credentials: Credentials) -> Identity {
        Identity(user: credentials.user, grant: .everything)
    }
}

extension Status {
    /// The authenticator named a user whose name the store doesn't accept.
    static let userInvalid = Status(
        .unauthenticated, reason: "USER_INVALID", remedy: .fatal,
        message: CatalogueBounds.identifierRule("a user's name", limit: CatalogueBounds.userName))

    /// The token has ended, or was revoked.
    package static let tokenEnded = Status(
        .unauthenticated, reason: "TOKEN_ENDED", remedy: .reauthenticate,
        message: "the token has ended or was revoked; get a new one")

    /// The certificate that the client's connection presented has expired, or was revoked.
    static let certificateEnded = Status(
        .unauthenticated, reason: "CERTIFICATE_ENDED", remedy: .retrySame,
        message: "the client's certificate has expired or was revoked; connect with a new one")

    /// The token belongs to another user.
    package static let tokenOfAnother = Status(
        .unauthenticated, reason: "TOKEN_OF_ANOTHER", remedy: .fatal, message: "the token belongs to another user")
}
