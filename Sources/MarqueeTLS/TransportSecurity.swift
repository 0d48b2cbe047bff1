#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How a connection to a server is protected.
public enum TransportSecurity: Hashable, Sendable {
    /// TLS 1.3. The server proves its name; nobody in between can read or change anything.
    case tls(TLSOptions)
    /// None: anyone in between can read and change everything, tokens included.
    case unencrypted

    /// TLS, with the system's authorities.
    public static let tls = TransportSecurity.tls(TLSOptions())

    /// No protection for a server on this machine, TLS for any other.
    public static func standard(for host: String) -> TransportSecurity {
        Loopback.contains(host) ? .unencrypted : .tls
    }

    /// Returns the protection that the options of a command line ask for.
    /// - Parameters:
    ///   - wantsTLS: whether TLS is asked for even to this machine. Any of the options asks for it too.
    ///   - allowsUnencrypted: whether to connect to any machine without TLS, unless it is asked for.
    package static func chosen(
        for host: String, wantsTLS: Bool, _ options: TLSOptions, allowsUnencrypted: Bool
    ) -> TransportSecurity {
        if wantsTLS || options != TLSOptions() { return .tls(options) }
        return allowsUnencrypted ? .unencrypted : .standard(for: host)
    }
}

/// The servers that a client trusts, and its own proof of identity.
public struct TLSOptions: Hashable, Sendable {
    /// The path of a PEM file with the certificates of authorities; `nil` for those that the system trusts.
    public var authorities: String?
    /// The name in the server's certificate; `nil` for the host to connect to.
    public var serverName: String?
    /// The client's own certificate, for servers that ask for one.
    public var certificate: CertificateFiles?
    /// The server must have one of these keys, besides a trusted certificate; empty for any key. Before a server
    /// changes its key, add the next one: a client that has only the old one is locked out.
    public var publicKeys: Set<ServerPublicKey>

    /// Options for TLS; without any, the system's authorities and the host's name decide.
    public init(
        authorities: String? = nil, serverName: String? = nil, certificate: CertificateFiles? = nil,
        publicKeys: Set<ServerPublicKey> = []
    ) {
        self.authorities = authorities
        self.serverName = serverName
        self.certificate = certificate
        self.publicKeys = publicKeys
    }
}

/// The paths of PEM files.
public struct CertificateFiles: Hashable, Sendable {
    /// A certificate, followed by those of intermediate authorities.
    public var chain: String
    /// Its private key.
    public var key: String

    /// A certificate and its key, by the paths of their files.
    public init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}

/// Addresses that only this machine can reach: 127.0.0.0/8, ::1 and localhost.
package enum Loopback {
    package static func contains(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        var v4 = in_addr()
        // Network byte order: the address's first number is the first byte.
        if inet_pton(AF_INET, host, &v4) == 1 { return withUnsafeBytes(of: v4) { $0[0] == 127 } }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, host, &v6) == 1 else { return false }
        return withUnsafeBytes(of: v6) { bytes in bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 } }
    }

    /// Whether a host is an address and not a name.
    package static func isAddress(_ host: String) -> Bool {
        var v4 = in_addr()
        var v6 = in6_addr()
        return inet_pton(AF_INET, host, &v4) == 1 || inet_pton(AF_INET6, host, &v6) == 1
    }
}
