import NIOSSL

/// A client's demands on a server's certificate once an authority has vouched for it.
struct ServerCheck: Sendable {
    /// The name that the certificate must be for; `nil` for a server known by its address.
    var serverName: String?
    /// The server must have one of these keys; empty for any key.
    var publicKeys: Set<ServerPublicKey> = []

    /// - Returns: `nil` if it is the right server's.
    func problem(with certificate: NIOSSLCertificate?) -> TLSProblem? {
        if let serverName, !isFor(serverName, certificate) {
            return TLSProblem("the server's certificate is not for this name, '\(serverName)'")
        }
        if !hasKnownKey(certificate) {
            return TLSProblem("the server has none of the public keys that this client knows")
        }
        return nil
    }

    /// A client that names a server wants that server, wherever the name leads: a matching address is not enough.
    private func isFor(_ name: String, _ certificate: NIOSSLCertificate?) -> Bool {
        guard let names = certificate?._subjectAlternativeNames() else { return false }
        return names.contains { other in
            guard other.nameType == .dnsName else { return false }
            return ServerName.matches(name, pattern: String(decoding: other.contents, as: UTF8.self))
        }
    }

    private func hasKnownKey(_ certificate: NIOSSLCertificate?) -> Bool {
        if publicKeys.isEmpty { return true }
        guard let bytes = try? certificate?.extractPublicKey().toSPKIBytes() else { return false }
        return publicKeys.contains(ServerPublicKey(bytes: bytes))
    }
}
