import Foundation
import PostgresSupport
import ProcessSupport

/// A PostgreSQL, three nodes on it and two relays, each a process, and the tokens of those who may connect to them.
final class Cluster: Sendable {
    static let nodeCount = 3

    let database: PostgresServer
    let nodes: [ServerProcess]
    /// The first is behind the nodes, the second behind the first.
    let relays: [ServerProcess]
    let tokens: Tokens
    private let program: String
    private let nodeOptions: [String]
    private let logs: URL

    var servers: [ServerProcess] { nodes + relays }

    /// Starts everything.
    /// - Parameters:
    ///   - program: `marquee-server`.
    ///   - folder: for tokens and the processes' output.
    ///   - users: their names.
    init(program: String, folder: URL, users: [String]) async throws {
        self.program = program
        logs = folder.appending(path: "logs")
        tokens = try await Tokens(folder: folder.appending(path: "tokens"), program: program, users: users)
        database = try PostgresServer()
        for (kind, file) in [("types", "types.yaml"), ("ndjson", "catalogue.ndjson"), ("ndjson", "chart.ndjson")] {
            let process = try RunningProcess(
                program, ["import", kind, SampleScreens.folder.appending(path: file).path, "--store", database.url()],
                in: logs,
                output: "import-\(file)")
            guard try await process.ended(within: Bounds.start) == 0 else {
                throw NodesError("the catalogue can't be imported: \(process.errors)")
            }
        }
        let programme = try SampleScreens.write(to: folder)
        nodeOptions = [
            "--store", database.url(), "--programme", programme.path,
            "--tokens", tokens.file, "--no-anonymous", "--log-level", "info",
        ]
        nodes = (1...Self.nodeCount).map { [nodeOptions, logs] number in
            ServerProcess("node-\(number)", program: program, command: "serve", options: nodeOptions, logs: logs)
        }
        for node in nodes { try await node.start() }
        let relayOptions = ["--token-file", tokens.path(of: Tokens.relay), "--log-level", "info"]
        let near = ServerProcess(
            "relay-1", program: program, command: "relay",
            options: relayOptions + nodes.flatMap { ["--upstream", $0.address] }, logs: logs)
        try await near.start()
        let far = ServerProcess(
            "relay-2", program: program, command: "relay",
            options: relayOptions + ([near] + nodes.suffix(1)).flatMap { ["--upstream", $0.address] }, logs: logs)
        relays = [near, far]
        try await far.start()
    }

    /// Asks one node after the other to end, and starts it again as another program.
    ///
    /// If that one changed the tables, the first program must refuse them afterwards.
    func roll(to newer: String) async throws {
        let reader = DatabaseReader(database: database)
        let before = try reader.schema()
        for node in nodes {
            node.replace(by: newer)
            try await node.drain()
            try await node.start()
        }
        guard newer != program else { return }
        let after = try reader.schema()
        guard after > before else { throw NodesError("the newer version left the schema at \(after)") }
        let older = ServerProcess("older", program: program, command: "serve", options: nodeOptions, logs: logs)
        let status = try await older.launch().ended(within: Bounds.start)
        guard status == Self.newerSchema else {
            throw NodesError(
                "the older version ended with \(status ?? -1) at schema \(after), not with \(Self.newerSchema)")
        }
        NodesRun.say("  the schema went from \(before) to \(after), which the older version refuses")
    }

    /// The status of a server that finds a schema it doesn't know.
    private static let newerSchema: Int32 = 73

    /// Ends everything at once; PostgreSQL's output is kept with the rest.
    func stop() async {
        for server in relays.reversed() + nodes { try? await server.kill() }
        let log = logs.appending(path: "postgresql.err")
        try? FileManager.default.copyItem(atPath: "\(database.folder)/log", toPath: log.path)
        database.stop()
    }
}
