import ArgumentParser
import Foundation
import MarqueeModel
import MarqueeTLS

/// The protection and the token of a connection to the server that an import publishes to.
struct PublishingOptions: ParsableArguments {
    @Flag(help: "With --to: use TLS for this machine too; other hosts always use it.")
    var tls = false

    @Option(
        name: .customLong("tls-ca"),
        help: ArgumentHelp(
            "With --to: PEM file of CA certificates to trust for the server instead of the system's.",
            valueName: "file"))
    var authorities: String?

    @Option(
        name: .customLong("tls-name"),
        help: ArgumentHelp(
            "With --to: the name in the server's certificate, if it isn't the host.", valueName: "name"))
    var serverName: String?

    @Flag(
        name: .customLong("allow-unencrypted"),
        help: """
            With --to: connect to another machine without TLS, where anyone on the network path can read and change everything.
            """)
    var allowsUnencrypted = false

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            """
            With --to: the file with the token that proves who publishes, on its first line. (environment: \
            MARQUEE_TOKEN, the token itself)
            """, valueName: "file"))
    var tokenFile: String?

    private var isUsed: Bool { tls || authorities != nil || serverName != nil || allowsUnencrypted || tokenFile != nil }

    func validate() throws {
        if allowsUnencrypted, tls || authorities != nil || serverName != nil {
            throw ValidationError("--allow-unencrypted and the options for TLS exclude each other")
        }
    }

    /// - Throws: `ValidationError` when there is no server to reach.
    func check(hasServer: Bool) throws {
        if isUsed, !hasServer { throw ValidationError("the options for TLS and tokens go with --to") }
    }

    /// - Returns: `nil` for plain TCP.
    func client(for host: String) throws(CommandFailure) -> TLSClient? {
        let security = TransportSecurity.chosen(
            for: host, wantsTLS: tls, TLSOptions(authorities: authorities, serverName: serverName),
            allowsUnencrypted: allowsUnencrypted)
        guard case .tls(let chosen) = security else { return nil }
        do throws(TLSProblem) { return try TLSClient(chosen, host: host) } catch {
            throw CommandFailure(.noInput, error.description)
        }
    }

    func token(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) -> String? {
        guard let tokenFile else { return try TokenVariable.value(in: environment) }
        Console.warn(about: tokenFile)
        do throws(SecretFileProblem) { return try SecretFile.read(tokenFile) } catch {
            throw CommandFailure(.noInput, "the token can't be read: \(error.description)")
        }
    }
}

/// The environment variables that hold a token for another server.
enum TokenVariable {
    static let server = "MARQUEE_TOKEN"
    /// The variable for a server's admin address.
    static let admin = "MARQUEE_ADMIN_TOKEN"

    /// - Returns: `nil` if there is none.
    /// - Throws: `CommandFailure` for one that is misspelt.
    static func value(
        _ name: String = server, in environment: [String: String]
    ) throws(CommandFailure) -> String? {
        if let value = environment[name], !value.isEmpty {
            do throws(SecretFileProblem) { return try SecretFile.secret(in: value, of: name) } catch {
                throw CommandFailure(.configuration, error.description)
            }
        }
        if let misspelt = MisspeltVariable(in: environment, prefix: "MARQUEE_", known: [name]) {
            throw CommandFailure(.configuration, misspelt.message)
        }
        return nil
    }
}
