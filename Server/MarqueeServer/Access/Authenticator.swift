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
    /// A grant that has to stand as well.
    package let condition: Grant?
    /// The certificate that its client's connection came with, if any. It holds no longer than that, whatever else the
    /// client has shown.
    var certificate: CertificateValidity?

    package init(user: String?, grant: Grant, condition: Grant? = nil) {
        self.user = user
        self.grant = grant
        self.condition = condition
    }

    package init(user: String?, scopes: Scopes) { self.init(user: user, grant: Grant(scopes, from: .open)) }

    package var scopes: Scopes { grant.scopes }

    /// Its reader's claims. A relay has none, as its own requests are for readers without any.
    package var claims: Claims { scopes.allows(.relay) ? .none : grant.claims }
}

/// The permissions of a client, and how the server knows of them.
package final class Grant: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// Open mode, or an anonymous client.
        case open
        /// A token of the server's own file, by its name.
        case token(String)
        /// A certificate that the server's own file lists, by its name.
        case certificate(String)
        /// A JSON Web Token: the key that signed it, by a name of the authenticator's, and the token's own id, if any.
        case jwt(key: String, id: String?)
        /// A server upstream, which it was introduced to.
        case upstream(Introduction)
    }

    package let scopes: Scopes
    package let source: Source
    /// When it ends by itself, in milliseconds of Unix time; `nil` for never.
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

    /// The connection whose client has it has ended.
    package func leave() { if case .upstream(let introduction) = source { introduction.leave() } }

    package static let everything = Grant(.everything, from: .open)
    package static let readOnly = Grant(.readOnly, from: .open)
    package static let nothing = Grant(.nothing, from: .open)
}

/// A client's introduction to a server upstream. It stands until the connection ends, or nothing refers to it.
package final class Introduction: Hashable, Sendable {
    /// By which the server upstream knows them.
    package let guest: UInt32
    private let onLeave: @Sendable (UInt32) -> Void
    private let hasLeft = Atomic<Bool>(false)

    /// - Parameter onLeave: called once, on any thread.
    package init(guest: UInt32, onLeave: @escaping @Sendable (UInt32) -> Void) {
        self.guest = guest
        self.onLeave = onLeave
    }

    deinit { leave() }

    /// The connection has ended. What is still being done for it may refer to the introduction for long.
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
    /// The id of its mirror, which its mutations are numbered for.
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

    /// Whether identities may end before their connections do.
    var canRevoke: Bool { get }

    /// How an identity that it has given stands now. Called about once a second for each session, so it must be cheap.
    func standing(of identity: Identity) -> Standing
}

extension Authenticator {
    package var canRevoke: Bool { false }

    package func standing(of identity: Identity) -> Standing { .untilRevoked }
}

extension Grant {
    /// Its state, unless it is revoked.
    /// - Parameter now: milliseconds of Unix time.
    package func standing(now: Int64) -> Standing {
        guard let ends else { return .untilRevoked }
        return ends > now ? .until(UInt64(clamping: ends.subtractingReportingOverflow(now).partialValue)) : .ended
    }
}

/// Believes every client and lets everybody publish. Suitable for the loopback interface only.
package struct OpenAuthenticator: Authenticator {
    package init() {}

    package func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
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

    /// The certificate that the client's connection came with has expired, or was revoked.
    static let certificateEnded = Status(
        .unauthenticated, reason: "CERTIFICATE_ENDED", remedy: .retrySame,
        message: "the client's certificate has expired or was revoked; connect with a new one")

    /// The token belongs to another user.
    package static let tokenOfAnother = Status(
        .unauthenticated, reason: "TOKEN_OF_ANOTHER", remedy: .fatal, message: "the token belongs to another user")
}
