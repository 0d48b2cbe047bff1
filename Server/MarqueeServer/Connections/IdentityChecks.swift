import MarqueeModel
import MarqueeStore
import MarqueeTLS

/// Tells who clients are, and whether their identities still stand, by both their credentials and the certificates of
/// their connections.
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

    /// The identity of a client, if it can be told at once: then no other thread has to wake for it.
    func decide(_ credentials: Credentials) -> Result<Identity, Status>? {
        do throws(Status) {
            return try authenticator.decide(credentials).map { checked(.success($0), credentials) }
        } catch {
            return .failure(error)
        }
    }

    /// Asks for a client's identity, and checks the user's name.
    /// - Parameters:
    ///   - inbox: that of the calling event loop.
    ///   - then: called from the inbox.
    func identify(
        _ credentials: Credentials, on inbox: LoopInbox, then: @escaping @Sendable (Result<Identity, Status>) -> Void
    ) {
        @Sendable func deliver(_ result: Result<Identity, Status>) {
            inbox.add { then(checked(result, credentials)) }
        }
        if let result = decide(credentials) { return inbox.add { then(result) } }
        Task {
            do throws(Status) {
                deliver(.success(try await authenticator.authenticate(credentials)))
            } catch {
                deliver(.failure(error))
            }
        }
    }

    private func checked(_ result: Result<Identity, Status>, _ credentials: Credentials) -> Result<Identity, Status> {
        result.flatMap { identity in
            var identity = identity
            identity.certificate = credentials.certificate?.validity
            // Names are compared as text in some places and as bytes in others, so a name is admitted only if both
            // agree.
            if let user = identity.user, !CatalogueBounds.isIdentifier(user, limit: CatalogueBounds.userName) {
                return .failure(.userInvalid)
            }
            return .success(identity)
        }
    }
}
