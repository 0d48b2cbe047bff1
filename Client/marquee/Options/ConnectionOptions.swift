import ArgumentParser
import Foundation
import MarqueeClient
import MarqueeModel
import MarqueeTLS

/// Which server, as which user, in which language. The same for every command; the environment fills in what is
/// missing.
///
/// A group inside others contains no group itself: a debug build of ArgumentParser checks each group four times for
/// every level above it.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server. (environment: MARQUEE_SERVER; default: 127.0.0.1:7420)", valueName: "host:port"),
        completion: .list(["127.0.0.1:7420", "localhost:7420"]), transform: { try ServerAddress(named: $0) })
    var server: ServerAddress?

    @Option(
        help: ArgumentHelp(
            "Your user name, which favorites and other collections need. (environment: MARQUEE_USER)",
            valueName: "name"), completion: .none)
    var user: String?

    @Flag(help: "Use TLS for this machine too; other hosts always use it. (environment: MARQUEE_TLS=1)")
    var tls = false

    @Option(
        name: .customLong("tls-ca"),
        help: ArgumentHelp(
            """
            PEM file of CA certificates to trust instead of the system's. \
            (environment: MARQUEE_TLS_CA)
            """, valueName: "path"), completion: .file(extensions: ["pem", "crt"]))
    var authorities: String?

    @Option(
        name: .customLong("tls-name"),
        help: ArgumentHelp(
            "The name in the server's certificate, if it isn't the host. (environment: MARQUEE_TLS_NAME)",
            valueName: "name"), completion: .none)
    var serverName: String?

    @Option(
        name: .customLong("tls-public-key"),
        help: ArgumentHelp(
            """
            PEM file of pinned public keys: the server needs one of them, and a trusted certificate. \
            (environment: MARQUEE_TLS_PUBLIC_KEY)
            """, valueName: "path"), completion: .file(extensions: ["pem", "pub"]))
    var publicKeys: String?

    @Option(
        name: .customLong("tls-cert"),
        help: ArgumentHelp(
            """
            PEM file of your own certificate, for servers that ask for one; with --tls-key. (environment: MARQUEE_TLS_CERT)
            """, valueName: "path"),
        completion: .file(extensions: ["pem", "crt"]))
    var certificate: String?

    @Option(
        name: .customLong("tls-key"),
        help: ArgumentHelp("PEM file of its private key. (environment: MARQUEE_TLS_KEY)", valueName: "path"),
        completion: .file(extensions: ["pem", "key"]))
    var key: String?

    @Flag(
        name: .customLong("allow-unencrypted"),
        help: """
            Connect to another machine without TLS: anyone on the network path can read and change everything, tokens included. \
            (environment: MARQUEE_ALLOW_UNENCRYPTED=1)
            """)
    var allowsUnencrypted = false

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            "The file with the token that proves who you are, on its first line. (environment: MARQUEE_TOKEN, the token "
                + "itself)", valueName: "path"), completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp("The language of titles. (environment: MARQUEE_LOCALE; default: en)", valueName: "locale"),
        completion: .list(["en", "ko"]))
    var locale: String?

    /// Returns the settings given on the command line, else in the environment, else the default.
    func resolved(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Connection {
        try ClientVariable.check(environment)
        var address = server
        if address == nil, let text = environment.named("MARQUEE_SERVER") {
            do { address = try ServerAddress(named: text) } catch {
                throw Failure(.usage, "MARQUEE_SERVER is '\(text)'; \(error)")
            }
        }
        let server = address ?? .standard
        var connection = Connection(
            server: server, user: user ?? environment.named("MARQUEE_USER"),
            locale: locale ?? environment.named("MARQUEE_LOCALE") ?? "en")
        connection.security = try security(for: server.host, environment: environment)
        connection.token = try TokenText(file: tokenFile, environment: environment)
        for file in [tokenFile, keyFile(environment)] {
            if let warning = file.flatMap({ PrivateFile.warning($0) }) { Notes.complain(warning) }
        }
        connection.traceParent = environment.named("TRACEPARENT")
        return connection
    }

    func validate() throws {
        if let user, user.isEmpty { throw ValidationError("--user needs a name") }
        if let locale, locale.isEmpty { throw ValidationError("--locale needs a language, such as en") }
        if (certificate == nil) != (key == nil) { throw ValidationError("--tls-cert and --tls-key go together") }
        let asksForTLS = tls || [authorities, serverName, publicKeys, certificate].contains { $0 != nil }
        if allowsUnencrypted, asksForTLS {
            throw ValidationError("--allow-unencrypted and the options for TLS exclude each other")
        }
    }
}

/// The file that keeps screens and unsent changes.
struct MirrorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The file that keeps screens and unsent changes. (environment: MARQUEE_MIRROR; default: \
            $XDG_STATE_HOME/marquee/<host>_<port>/<user>.sqlite)
            """, valueName: "path"), completion: .file(extensions: ["sqlite"]))
    var mirror: String?

    /// - Returns: the path, and whether it was named explicitly.
    func resolved(
        for connection: Connection, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (path: String, isExplicit: Bool) {
        if let named = mirror ?? environment.named("MARQUEE_MIRROR") { return (named, true) }
        let path = try MirrorPath.standard(
            server: connection.server, user: connection.user, environment: environment)
        return (path, false)
    }

    func validate() throws {
        if let mirror, mirror.isEmpty { throw ValidationError("--mirror needs a path") }
    }
}

/// The mirror, and whether another process owns it.
struct SharedMirrorOptions: ParsableArguments {
    @OptionGroup var file: MirrorOptions

    @Flag(
        help: ArgumentHelp(
            """
            Use the mirror as a companion of the process that owns it, or will: shows what is stored, never connects, and \
            leaves changes of collections for the owner to send.
            """))
    var companion = false
}

/// A server, and the user and language to talk to it with.
struct Connection: Hashable, Sendable {
    var server: ServerAddress
    var user: String?
    var locale: String
    var security: TransportSecurity
    var token: TokenText?
    /// The trace that the command is part of.
    var traceParent: String?

    init(server: ServerAddress, user: String?, locale: String) {
        self.server = server
        self.user = user
        self.locale = locale
        security = .standard(for: server.host)
    }

    /// - Parameter timeout: how long a call waits for its answer.
    func configuration(mirror: MirrorStorage, timeout: Duration? = nil) -> ClientConfiguration {
        var configuration = ClientConfiguration(
            host: server.host, port: server.port, security: security, user: user, locale: locale, mirror: mirror)
        if let token { configuration.token = { try token.newest() } }
        configuration.agent = "marquee/\(MarqueeClient.version)"
        configuration.traceParent = traceParent
        if let timeout { configuration.callTimeout = timeout }
        return configuration
    }
}

/// The variables that stand for options.
enum ClientVariable {
    /// Settings of `marquee-server`, which refuses those that it doesn't know.
    private static let serverPrefix = KnownVariables.prefix + "SERVER_"

    /// - Throws: `Failure` for one that is misspelt: a key that isn't checked, or another user, would go unnoticed.
    static func check(_ environment: [String: String]) throws {
        let own = environment.filter { !$0.key.hasPrefix(serverPrefix) }
        if let misspelt = MisspeltVariable(in: own, prefix: KnownVariables.prefix, known: KnownVariables.client) {
            throw Failure(.usage, misspelt.message)
        }
    }
}

extension [String: String] {
    /// The value of a variable; `nil` if it is unset or empty.
    func named(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
