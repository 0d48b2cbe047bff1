import Foundation
import MarqueeTLS

/// A folder with what a server with TLS and tokens needs, and those who connect to it: certificates, the file of
/// tokens, and the tokens themselves, one in a file.
struct SiegeAccess: Sendable {
    /// The user that the ordinary client is.
    static let ordinary = "ordinary"
    /// A user among the attackers, who has two tokens.
    static let renewing = ["renewing", "renewing-again"]

    let folder: URL

    /// A folder that has been made.
    init(folder: URL) { self.folder = folder }

    /// Makes the folder.
    /// - Parameter program: `marquee-server`.
    static func make(_ folder: URL, program: String) throws -> SiegeAccess {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Samples/certs.sh")
        _ = try run(script.path, [folder.path])
        let access = SiegeAccess(folder: folder)
        try access.addToken(ordinary, of: ordinary, scopes: ["read *", "search", "collection *", "publish *"], program)
        for name in renewing { try access.addToken(name, of: renewing[0], scopes: ["read *"], program) }
        return access
    }

    /// Options of `marquee-server serve`.
    var serverOptions: [String] {
        ["--tls-cert", path("server.pem"), "--tls-key", path("server.key"), "--tokens", path("tokens.yaml")]
    }

    /// Options of the sink.
    var sinkOptions: [String] { ["--certificate", path("server.pem"), "--key", path("server.key")] }

    /// The authorities that clients trust.
    var trust: TLSOptions { TLSOptions(authorities: path("ca.pem")) }

    /// - Parameter name: of the token.
    func token(of name: String) throws -> String { try SecretFile.read(path("\(name).token")) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func addToken(_ name: String, of user: String, scopes: [String], _ program: String) throws {
        let arguments = ["token", "new", name, "--file", path("tokens.yaml"), "--user", user]
        let token = try Self.run(program, arguments + scopes.flatMap { ["--scope", $0] })
        try token.write(to: folder.appending(path: "\(name).token"))
    }

    /// - Returns: what the program printed.
    private static func run(_ program: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw SiegeError("\(program) \(arguments[0]) ended with \(process.terminationStatus)")
        }
        return said
    }
}
