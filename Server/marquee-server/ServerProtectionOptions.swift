import ArgumentParser
import MarqueeAccess
import MarqueeAdmin
import MarqueeTLS

/// The protection of connections to the server.
struct ServerProtectionOptions: ParsableArguments {
    @Option(
        name: .customLong("tls-cert"),
        help: ArgumentHelp(
            """
            Accept TLS 1.3 connections only: a PEM file with the server's certificate and those of intermediate \
            authorities. Read again when it changes and on SIGHUP; connections that are open stay.
            """, valueName: "file"))
    var certificate: String?

    @Option(
        name: .customLong("tls-key"), help: ArgumentHelp("PEM file of its private key.", valueName: "file"))
    var key: String?

    @Option(
        name: .customLong("tls-client-ca"),
        help: ArgumentHelp(
            "Admit only clients that have a certificate of one of the authorities in this PEM file.", valueName: "file")
    )
    var clientAuthorities: String?

    @Option(
        name: .customLong("tls-crl"),
        help: ArgumentHelp(
            """
            With --tls-client-ca: lists of revoked certificates (PEM), one of each authority that issues certificates to \
            clients. Read again when the file changes and on SIGHUP; a certificate whose authority has no list in force is \
            refused.
            """, valueName: "file"))
    var revocationLists: String?

    @Flag(
        name: .customLong("allow-unencrypted"),
        help: """
            Listen without TLS where others can reach this server: anyone on the network path can read and change everything.
            """)
    var allowsUnencrypted = false

    var hasTLS: Bool { certificate != nil }

    func validate() throws {
        if (certificate == nil) != (key == nil) { throw ValidationError("--tls-cert and --tls-key go together") }
        if clientAuthorities != nil, certificate == nil {
            throw ValidationError("--tls-client-ca needs --tls-cert and --tls-key")
        }
        if revocationLists != nil, clientAuthorities == nil { throw ValidationError("--tls-crl needs --tls-client-ca") }
        if allowsUnencrypted, certificate != nil {
            throw ValidationError("--allow-unencrypted and --tls-cert exclude each other")
        }
    }

    /// - Throws: `ValidationError` if others could read the traffic and no option allows that.
    func check(_ listen: ListenAddress) throws {
        guard listen.isLoopback || hasTLS || allowsUnencrypted else {
            throw ValidationError(
                "others can reach \(listen.host), and without TLS anyone on the network path can read and change everything: "
                    + "give --tls-cert and --tls-key; or --allow-unencrypted, if something in front of this server does TLS"
            )
        }
    }

    /// Reads the files.
    /// - Returns: `nil` for plain TCP.
    func protection() throws(CommandFailure) -> ServerProtection? {
        guard let certificate, let key else { return nil }
        Console.warn(about: key)
        do {
            let revoked = try revocationLists.map { try RevocationLists($0, authorities: clientAuthorities ?? "") }
            let files = TLSServer.Files(
                certificate: CertificateFiles(chain: certificate, key: key), clientAuthorities: clientAuthorities)
            return ServerProtection(tls: try TLSServer(files, revoked: revoked), revoked: revoked)
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }
}

/// The protection of a server's connections.
struct ServerProtection {
    let tls: TLSServer
    /// `nil` without lists of revoked client certificates.
    let revoked: RevocationLists?

    /// The files to watch.
    func files(_ health: FileHealth) -> [WatchedFiles] {
        [WatchedFiles(tls, health)] + (revoked.map { [WatchedFiles($0, health)] } ?? [])
    }
}
