import ArgumentParser
import Foundation
import MarqueeAdmin
import MarqueeTLS

/// The admin address of a server, and its protection.
struct AdminOptions: ParsableArguments {
    @Option(
        name: .customLong("admin"),
        help: ArgumentHelp(
            """
            Serve operators a status page, /metrics for Prometheus, /ready, /sessions and more, over HTTP on an address of \
            its own. (default: nowhere)
            """, valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var address: ListenAddress?

    @Option(
        name: .customLong("admin-token-file"),
        help: ArgumentHelp(
            """
            With --admin: answer only requests with the token in this file, except to /live, /ready and /writable. It \
            allows everything. Read again when it changes and on SIGHUP.
            """, valueName: "file"))
    var tokenFile: String?

    @Option(
        name: .customLong("admin-tokens"),
        help: ArgumentHelp(
            """
            Instead of --admin-token-file: a file of tokens, a line for each with a name, a role, and the token or its \
            hash (sha256:…). The role 'metrics' allows /metrics, 'read' all that is shown, 'admin' ending sessions and \
            changing the log's level, too. Read again when it changes and on SIGHUP.
            """, valueName: "file"))
    var tokens: String?

    @Option(
        name: .customLong("admin-tls-cert"),
        help: ArgumentHelp(
            """
            With --admin: HTTPS (TLS 1.3) with the certificate in this PEM file and those of intermediate authorities; \
            it may be that of --tls-cert. Read again when it changes and on SIGHUP.
            """, valueName: "file"))
    var certificate: String?

    @Option(
        name: .customLong("admin-tls-key"),
        help: ArgumentHelp("PEM file of its private key.", valueName: "file"))
    var key: String?

    @Flag(
        name: .customLong("admin-allow-unencrypted"),
        help: """
            With --admin: no TLS where others can reach the address: anyone on the network path can read tokens and use them.
            """)
    var allowsUnencrypted = false

    func validate() throws {
        let given = [
            ("--admin-token-file", tokenFile != nil), ("--admin-tokens", tokens != nil),
            ("--admin-tls-cert", certificate != nil), ("--admin-tls-key", key != nil),
            ("--admin-allow-unencrypted", allowsUnencrypted),
        ].first { $0.1 }
        if let given, address == nil { throw ValidationError("\(given.0) needs --admin") }
        if tokenFile != nil, tokens != nil {
            throw ValidationError("--admin-token-file and --admin-tokens exclude each other")
        }
        if (certificate == nil) != (key == nil) {
            throw ValidationError("--admin-tls-cert and --admin-tls-key go together")
        }
        if allowsUnencrypted, certificate != nil {
            throw ValidationError("--admin-allow-unencrypted and --admin-tls-cert exclude each other")
        }
        if let address { try check(address) }
    }

    /// - Throws: `ValidationError` if the address would show sessions or tokens to others.
    private func check(_ address: ListenAddress) throws {
        guard !address.isLoopback else { return }
        if tokenFile == nil, tokens == nil {
            throw ValidationError(
                "others can reach \(address.host) and would see who is connected: give --admin-tokens or "
                    + "--admin-token-file, or a loopback address")
        }
        guard certificate != nil || allowsUnencrypted else {
            throw ValidationError(
                "others can reach \(address.host), and without TLS anyone on the network path can read tokens and use them: "
                    + "give --admin-tls-cert and --admin-tls-key; or --admin-allow-unencrypted, if the network is your "
                    + "own or something in front of this server does TLS")
        }
    }

    /// Starts listening on the address in the options.
    /// - Returns: `nil` if there is none.
    func start(_ node: AdminNode, log: ServerLog) async throws(CommandFailure) -> AdminServer? {
        guard let address else { return nil }
        let tls = try self.tls()
        let tokens = try tokenPath.map { file throws(CommandFailure) in try Self.tokens(in: file) }
        do {
            let admin = try await AdminServer.start(
                host: address.host, port: address.port, tls: tls, tokens: tokens, node: node, log: log)
            let scheme = tls == nil ? "http" : "https"
            Console.say("admin on \(scheme)://\(ListenAddress(host: admin.host, port: admin.port))")
            return admin
        } catch {
            throw CommandFailure(listening: error, on: address, by: "--admin")
        }
    }

    /// The files to watch while the server listens.
    func files(of admin: AdminServer?, _ health: FileHealth) -> [WatchedFiles] {
        guard let admin else { return [] }
        let certificate = admin.tls.map { WatchedFiles($0, name: "admin-tls", health) }
        guard let tokenPath else { return certificate.map { [$0] } ?? [] }
        let tokens = WatchedFiles("admin-tokens", [tokenPath.path], health: health) {
            do throws(CommandFailure) {
                let tokens = try Self.tokens(in: tokenPath)
                admin.replace(tokens: tokens)
                return .inForce("\(tokenPath.path): \(counted(tokens.count, "token")) in force for --admin")
            } catch {
                return .unusable("\(error.message); the previous tokens of --admin stay in force")
            }
        }
        return (certificate.map { [$0] } ?? []) + [tokens]
    }

    // MARK: - Files

    /// The file of admin tokens.
    private struct TokenPath {
        var path: String
        /// Whether it holds a single token and nothing else.
        var isSingle: Bool
    }

    private var tokenPath: TokenPath? {
        tokens.map { TokenPath(path: $0, isSingle: false) } ?? tokenFile.map { TokenPath(path: $0, isSingle: true) }
    }

    private func tls() throws(CommandFailure) -> TLSServer? {
        guard let certificate, let key else { return nil }
        Console.warn(about: key)
        do throws(TLSProblem) {
            let files = TLSServer.Files(certificate: CertificateFiles(chain: certificate, key: key))
            return try TLSServer(files, for: .http)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    private static func tokens(in file: TokenPath) throws(CommandFailure) -> [AdminToken] {
        Console.warn(about: file.path)
        let bytes: [UInt8]
        do throws(BoundedFile.Problem) {
            bytes = try BoundedFile.read(file.path, limit: AdminTokenFile.maximumBytes)
        } catch {
            throw CommandFailure(.noInput, "\(file.path) can't be read: \(error)")
        }
        guard bytes.count <= AdminTokenFile.maximumBytes else {
            throw CommandFailure(
                .configuration, "\(file.path) has more than \(AdminTokenFile.maximumBytes >> 10) KiB")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return file.isSingle ? [try token(text, file.path)] : try tokens(text, file.path)
    }

    private static func tokens(_ text: String, _ path: String) throws(CommandFailure) -> [AdminToken] {
        do throws(AdminTokenFile.Mistake) { return try AdminTokenFile.tokens(text) } catch {
            let place = error.line.map { "\(path):\($0)" } ?? path
            throw CommandFailure(.configuration, "\(place): \(error.reason)")
        }
    }

    private static func token(_ text: String, _ path: String) throws(CommandFailure) -> AdminToken {
        guard let token = AdminToken(text) else {
            throw CommandFailure(
                .configuration,
                "\(path): a token is \(AdminToken.lengths.lowerBound) to \(AdminToken.lengths.upperBound) letters, digits "
                    + "and other visible characters of ASCII")
        }
        return token
    }
}
