import ArgumentParser
import Foundation
import Logging
import MarqueeAdmin
import MarqueeRelay
import MarqueeServer
import MarqueeTLS
import UnixSignals

/// `marquee-server relay`
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Relay another server's screens, close to their viewers.",
        discussion: """
            A relay stores nothing. It keeps what its clients show current over one connection to the server upstream, and \
            passes on to them the frames that it receives. That server decides on identities, rights and changes. When the \
            server upstream can't be reached, clients keep what they have, and /ready and 'marquee health' say how old that \
            is. Relays may stand behind relays.

            The server upstream admits it by a token with the scope 'relay':

              marquee-server token new tokyo --file tokens.yaml --scope relay --output tokyo.token
              marquee-server relay --upstream films.example:7420 --token-file tokyo.token --listen 0.0.0.0:7420 \
            --tls-cert cert.pem --tls-key key.pem
              marquee-server relay --upstream a.example:7420 --upstream b.example:7420 --token-file tokyo.token
            """)

    @Option(
        help: ArgumentHelp(
            """
            The server whose screens are shown. May be repeated for servers of one database, or relays before them, which \
            are tried in turn.
            """, valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var upstream: [ListenAddress] = []

    @Flag(name: .customLong("upstream-tls"), help: "Use TLS for this machine too; other hosts always use it.")
    var usesTLS = false

    @Option(
        name: .customLong("upstream-ca"),
        help: ArgumentHelp(
            "PEM file of CA certificates to trust for the server upstream instead of the system's.",
            valueName: "file"))
    var authorities: String?

    @Option(
        name: .customLong("upstream-name"),
        help: ArgumentHelp("The name in its certificate, if it isn't the host.", valueName: "name"))
    var serverName: String?

    @Option(
        name: .customLong("upstream-cert"),
        help: ArgumentHelp(
            "The relay's own certificate (PEM), if the server upstream asks for one.", valueName: "file"))
    var certificate: String?

    @Option(
        name: .customLong("upstream-key"), help: ArgumentHelp("PEM file of its private key.", valueName: "file"))
    var key: String?

    @Flag(
        name: .customLong("upstream-unencrypted"),
        help: """
            Connect to another machine without TLS, where anyone on the network path can read and change everything, tokens of \
            clients included.
            """)
    var allowsUnencrypted = false

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            """
            The file with the token of this relay, on its first line; read again for each connection. (environment: \
            MARQUEE_TOKEN, the token itself)
            """, valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Where to listen; port 0 means any free port. (default: \(ListenAddress.standard))", valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var listen = ListenAddress.standard

    @OptionGroup var protection: ServerProtectionOptions

    @OptionGroup var limits: LimitOptions

    @OptionGroup var logging: LoggingOptions

    @OptionGroup var running: RunningOptions

    @OptionGroup var admin: AdminOptions

    @OptionGroup var web: WebOptions

    func run() async throws {
        // Read here for its mistakes.
        if tokenFile == nil { _ = try TokenVariable.value(in: ProcessInfo.processInfo.environment) }
        try await Relaying(options: self).run()
    }

    func validate() throws {
        if upstream.isEmpty { throw ValidationError("--upstream names the server whose screens are shown") }
        if web.hooks != nil {
            throw ValidationError("--web-hooks is for marquee-server serve: deliveries go to the server upstream")
        }
        if allowsUnencrypted, usesTLS || authorities != nil || serverName != nil || certificate != nil {
            throw ValidationError("--upstream-unencrypted and the options for TLS exclude each other")
        }
        if (certificate == nil) != (key == nil) {
            throw ValidationError("--upstream-cert and --upstream-key go together")
        }
        try protection.check(listen)
        if let listen = web.listen { try protection.check(listen) }
    }

    /// The security of the connection to a server upstream, by its host.
    var security: @Sendable (_ host: String) -> TransportSecurity {
        let own = certificate.flatMap { chain in key.map { CertificateFiles(chain: chain, key: $0) } }
        let tls = TLSOptions(authorities: authorities, serverName: serverName, certificate: own)
        let (wantsTLS, allowsUnencrypted) = (usesTLS, allowsUnencrypted)
        return { host in
            TransportSecurity.chosen(for: host, wantsTLS: wantsTLS, tls, allowsUnencrypted: allowsUnencrypted)
        }
    }

    /// The relay's token; `nil` if there is none, or it can't be read any more, which is reported once.
    /// - Parameter health: records whether its file can be used.
    func token(_ health: FileHealth) -> @Sendable () -> String? {
        guard let file = tokenFile else {
            // `run` has complained about one that can't be used.
            let variable = try? TokenVariable.value(in: ProcessInfo.processInfo.environment)
            return { variable }
        }
        return {
            do throws(SecretFileProblem) {
                let token = try SecretFile.read(file)
                health.isFine("token")
                return token
            } catch {
                if health.isUnusable("token", error.description) {
                    Console.complain(
                        "\(error.description); the server upstream refuses this relay until it is back", .error)
                }
                return nil
            }
        }
    }
}
