import MarqueeAccess
import MarqueeAdmin
import MarqueeServer
import MarqueeTLS

/// Access to a server, and the protection of its connections, as its options say.
struct Access: Sendable {
    let tls: TLSServer?
    let authenticator: any Authenticator
    /// The files and keys that are read again while the server runs.
    let files: [WatchedFiles]

    /// Reads the files.
    /// - Parameter health: records whether they can be used.
    init(_ options: ServingOptions, _ health: FileHealth) async throws(CommandFailure) {
        let protection = try options.protection.protection()
        tls = protection?.tls
        var files = protection?.files(health) ?? []
        let issuersFile = try options.jwt.file()
        if let issuersFile, let path = options.jwt.issuersFile {
            files.append(WatchedFiles(path, issuersFile, health))
        }
        let issuers = try options.jwt.issuers(issuersFile)
        var register: TokenRegister?
        if let path = options.tokens {
            if let warning = PrivateFile.warning(path, mayBeRead: true) { Console.complain(warning) }
            let tokens = TokenRegister(try TokenFile.read(path, wrong: .configuration))
            files.append(WatchedFiles(path, tokens, health))
            register = tokens
        }
        if register != nil || !issuers.isEmpty {
            authenticator = AccessAuthenticator(
                register ?? TokenRegister(), jwt: issuers.isEmpty ? nil : JWTIssuers(issuers),
                anonymous: options.refusesAnonymous ? nil : .readOnly, wantsListed: options.wantsListedCertificates)
        } else {
            authenticator = options.open ? OpenAuthenticator() : ReadOnlyAuthenticator()
        }
        self.files = files + (try await Self.read(issuers, health))
    }

    /// Reads the keys for JSON Web Tokens. An address may give none yet; a file that can't be read is an error.
    private static func read(
        _ issuers: [JWTIssuer], _ health: FileHealth
    ) async throws(CommandFailure) -> [WatchedFiles] {
        do {
            return try await withThrowingTaskGroup(of: WatchedFiles.self) { group in
                for issuer in issuers {
                    let name = issuers.count == 1 ? "jwt-keys" : "jwt-keys \(issuer.policy.issuer)"
                    let keys = WatchedFiles(name, issuer, health)
                    group.addTask {
                        try issuer.source.check()
                        if issuer.source.isRefetched { await keys.read() } else { try await issuer.refresh() }
                        return keys
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }
}
