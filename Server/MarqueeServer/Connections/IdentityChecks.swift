import MarqueeModel
import MarqueeTLS

/// Tells whether identities still stand, by both the clients' credentials and the certificates of their connections.
struct IdentityChecks: Sendable {
    let authenticator: any Authenticator
    /// How connections are protected; `nil` for plain TCP.
    let tls: TLSServer?

    /// Whether identities may end before their connections do.
    var canRevoke: Bool { authenticator.canRevoke || tls?.asksClients == true }

    func standing(of identity: Identity) -> Standing {
        let standing = authenticator.standing(of: identity)
        guard let certificate = identity.certificate else { return standing }
        return standing.earlier(self.standing(of: certificate))
    }

    private func standing(of certificate: CertificateValidity) -> Standing {
        tls?.remaining(of: certificate).map { .until($0) } ?? .ended
    }

    /// Why an identity has ended; `nil` while it stands.
    func ended(_ identity: Identity) -> Status? { standing(of: identity) == .ended ? ending(of: identity) : nil }

    /// The reason why an identity has ended, for its client.
    func ending(of identity: Identity) -> Status {
        guard let certificate = identity.certificate, standing(of: certificate) == .ended else { return .tokenEnded }
        return .certificateEnded
    }
}
