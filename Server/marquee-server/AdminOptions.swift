import ArgumentParser
import Foundation
import MarqueeAdmin

/// Where operators see what the server does.
struct AdminOptions: ParsableArguments {
    /// More than a token with anything around it.
    private static let maximumBytes = 4_096

    @Option(
        name: .customLong("admin"),
        help: ArgumentHelp(
            """
            Show operators how the server is, over HTTP on an address of its own: a page, /metrics for Prometheus, /ready, \
            /sessions and more. (default: nowhere)
            """, valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var address: ListenAddress?

    @Option(
        name: .customLong("admin-token-file"),
        help: ArgumentHelp(
            """
            With --admin: answer only those who send the token in this file, except to /live and /ready. Needed for \
            addresses that others can reach. There is no TLS.
            """, valueName: "file"))
    var tokenFile: String?

    func validate() throws {
        if tokenFile != nil, address == nil { throw ValidationError("--admin-token-file needs --admin") }
        if let address, !address.isLoopback, tokenFile == nil {
            throw ValidationError(
                "others can reach \(address.host) and would see who is connected: give --admin-token-file, or a loopback "
                    + "address")
        }
    }

    /// Listens where the options say.
    /// - Returns: `nil` if they say nowhere.
    func start(_ node: AdminNode, log: ServerLog) async throws(CommandFailure) -> AdminServer? {
        guard let address else { return nil }
        let token = try tokenFile.map { path throws(CommandFailure) in try Self.token(in: path) }
        do {
            let admin = try await AdminServer.start(
                host: address.host, port: address.port, token: token, node: node, log: log)
            Console.say("admin on http://\(ListenAddress(host: admin.host, port: admin.port))")
            return admin
        } catch {
            throw CommandFailure(listening: error, on: address, by: "--admin")
        }
    }

    /// The file of the token, to be read again while the address is listened on.
    func files(of admin: AdminServer?, _ health: FileHealth) -> [WatchedFiles] {
        guard let admin, let tokenFile else { return [] }
        let files = WatchedFiles("admin-token", [tokenFile], health: health) {
            do throws(CommandFailure) {
                admin.replace(token: try Self.token(in: tokenFile))
                return .inForce("\(tokenFile): in force for --admin")
            } catch {
                return .unusable("\(error.message); the previous token of --admin stays in force")
            }
        }
        return [files]
    }

    private static func token(in path: String) throws(CommandFailure) -> AdminToken {
        Console.warn(about: path)
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: maximumBytes) ?? Data()
        else {
            throw CommandFailure(.noInput, "\(path) can't be read")
        }
        guard let token = AdminToken(String(decoding: data, as: UTF8.self)) else {
            throw CommandFailure(
                .configuration,
                "\(path): a token is \(AdminToken.lengths.lowerBound) to \(AdminToken.lengths.upperBound) letters, digits "
                    + "and other visible characters of ASCII")
        }
        return token
    }
}
