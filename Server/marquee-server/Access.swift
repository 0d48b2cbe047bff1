import MarqueeAccess
import MarqueeServer
import MarqueeTLS

/// Who gets into a server, and how connections are protected, by its options.
struct Access: Sendable {
    let tls: TLSServer?
    let authenticator: any Authenticator
    /// What is read again while the server runs.
    let files: [WatchedFiles]

    /// Reads the files.
    init(_ options: ServingOptions) async throws(CommandFailure) {
        tls = try options.protection.server()
        var files = tls.map { [WatchedFiles($0)] } ?? []
        let jwt = try await options.jwt.tokens()
        if let jwt { files.append(WatchedFiles(jwt)) }
        var register: TokenRegister?
        if let path = options.tokens {
            let tokens = TokenRegister(try TokenFile.read(path, wrong: .configuration))
            files.append(WatchedFiles(path, tokens))
            register = tokens
        }
        if register != nil || jwt != nil {
            authenticator = AccessAuthenticator(
                register ?? TokenRegister(), jwt: jwt?.verifier, anonymous: options.refusesAnonymous ? nil : .readOnly)
        } else {
            authenticator = options.open ? OpenAuthenticator() : ReadOnlyAuthenticator()
        }
        self.files = files
    }
}
