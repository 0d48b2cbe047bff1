import Foundation
import PostgresSupport
import ProcessSupport

/// A primary and its standby, three servers, a relay behind them and one behind that, for one fault. Every connection
/// between two of them is a wire that can be cut.
final class Arena: Sendable {
    static let users = ["ana", "ben", "cem"]

    let primary: PostgresServer
    let standby: PostgresServer
    /// From each server to the primary and to the standby.
    let databaseWires: [[Wire]]
    let servers: [ServerProcess]
    /// From each relay to each of its upstreams.
    let relayWires: [[Wire]]
    let relays: [ServerProcess]
    let tokens: Tokens
    let program: String
    let disk: SmallDisk?
    let folder: URL

    var everything: [ServerProcess] { servers + relays }
    private var logs: URL { folder.appending(path: "logs") }
    private var wires: [Wire] { (databaseWires + relayWires).flatMap { $0 } }

    private static let settings = ["max_connections=\(Bounds.databaseConnections)"]

    /// Starts everything.
    /// - Parameter disk: for the primary's files.
    init(program: String, folder: URL, disk: SmallDisk?) async throws {
        self.program = program
        self.disk = disk
        self.folder = folder
        let logs = folder.appending(path: "logs")
        tokens = try await Tokens(folder: folder.appending(path: "tokens"), program: program, users: Self.users)
        primary = try PostgresServer(settings: Self.settings, disk: disk?.folder.path)
        let catalogue = SampleScreens.folder.appending(path: "catalogue.ndjson")
        for (kind, file) in [("types", try Self.types(in: folder)), ("ndjson", catalogue)] {
            try await Self.run(program, ["import", kind, file.path, "--store", primary.url()], in: logs)
        }
        standby = try PostgresServer(settings: Self.settings, standbyOf: primary)
        let programme = try SampleScreens.write(to: folder)
        var databaseWires: [[Wire]] = []
        for _ in 0..<Cluster.nodeCount {
            databaseWires.append([
                try await Wire(to: .socket(primary.socketPath)), try await Wire(to: .socket(standby.socketPath)),
            ])
        }
        self.databaseWires = databaseWires
        servers = databaseWires.enumerated().map { [tokens] number, wires in
            ServerProcess(
                "node-\(number + 1)", program: program, command: "serve",
                options: [
                    "--store", Self.url(wires), "--programme", programme.path, "--tokens", tokens.file,
                    "--no-anonymous",
                    "--log-level", "info",
                ], logs: logs)
        }
        for server in servers { try await server.start() }
        let near = [try await Wire(to: .port(servers[0].port)), try await Wire(to: .port(servers[1].port))]
        let options = ["--token-file", tokens.path(of: Tokens.relay), "--log-level", "info"]
        let first = ServerProcess(
            "relay-1", program: program, command: "relay", options: options + Self.upstreams(near), logs: logs)
        try await first.start()
        let far = [try await Wire(to: .port(first.port)), try await Wire(to: .port(servers[2].port))]
        let second = ServerProcess(
            "relay-2", program: program, command: "relay", options: options + Self.upstreams(far), logs: logs)
        try await second.start()
        relayWires = [near, far]
        relays = [first, second]
    }

    /// The sample's types, and a counter for each user.
    private static func types(in folder: URL) throws -> URL {
        for name in ["types.yaml", "movies.desc"] {
            let data = try Data(contentsOf: SampleScreens.folder.appending(path: name))
            try data.write(to: folder.appending(path: name))
        }
        let file = folder.appending(path: "types.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        try (text + "  \(Stored.counter): {of: [movie], value: uint32}\n").write(
            to: file, atomically: true, encoding: .utf8)
        return file
    }

    private static func url(_ wires: [Wire]) -> String {
        let hosts = wires.map { "\(ServerProcess.host):\($0.port)" }.joined(separator: ",")
        return "postgres://marquee@\(hosts)/postgres"
    }

    private static func upstreams(_ wires: [Wire]) -> [String] {
        wires.flatMap { ["--upstream", "\(ServerProcess.host):\($0.port)"] }
    }

    /// Runs a command of the server's program to its end.
    func run(_ arguments: [String]) async throws { try await Self.run(program, arguments, in: logs) }

    private static func run(_ program: String, _ arguments: [String], in folder: URL) async throws {
        let process = try RunningProcess(program, arguments, in: folder)
        guard try await process.ended(within: Bounds.start) == 0 else {
            throw NodesError("\(arguments.joined(separator: " ")): \(process.errors)")
        }
    }

    /// Ends everything at once; the databases' output is kept with the rest.
    func stop() async {
        for server in relays.reversed() + servers { try? await server.kill() }
        for wire in wires { await wire.stop() }
        for (name, database) in [("primary", primary), ("standby", standby)] {
            try? FileManager.default.copyItem(
                atPath: "\(database.folder)/log", toPath: logs.appending(path: "\(name).err").path)
            database.stop()
        }
    }
}
