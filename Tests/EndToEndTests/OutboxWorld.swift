import Foundation
import PostgresSupport
import ProcessSupport

/// A database with an outbox, and a server that has what is written there.
final class OutboxWorld: FollowedWorld {
    let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-outbox-\(UUID().uuidString)")
    let database: PostgresServer
    private(set) var server: RunningProcess
    let port: Int
    /// How `follow` shows who it is.
    private let credentials: [String]
    var address: String { "127.0.0.1:\(port)" }

    static let types = """
        types:
          product: {fields: {sku: text, title: text, price: number}, id: sku}
          category: {fields: {id: integer, name: text}, id: id}
        """

    /// - Parameters:
    ///   - isPrepared: whether an administrator has made the outbox.
    ///   - scopes: those of the follower's token; `nil` for a server that is open to everybody.
    ///   - every: the interval in which the follower looks without a notification.
    init(isPrepared: Bool = true, scopes: [String]? = nil, every: String = "5s") async throws {
        self.every = every
        // The usual `wal_level`.
        database = try PostgresServer(settings: ["fsync=off"])
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try OutboxWorld.types.write(to: folder.appending(path: "types.yaml"), atomically: true, encoding: .utf8)
        port = Int(try PostgresServer.freePort())
        credentials = scopes == nil ? [] : ["--token-file", "follower.token"]
        if let scopes {
            let token = try RunningProcess(
                "marquee-server",
                ["token", "new", "follower", "--file", "tokens.yaml", "--output", "follower.token"]
                    + scopes.flatMap { ["--scope", $0] }, in: folder)
            guard try await token.ended() == 0 else { throw Overdue(description: token.errors) }
        }
        server = try OutboxWorld.serve(port, in: folder, isOpen: scopes == nil)
        try follows(database)
        if isPrepared { try await prepare(database) }
        _ = try await server.line(with: " ready on ")
    }

    private let every: String

    /// Writes the source file.
    func follows(_ database: PostgresServer) throws {
        try """
        source: shop
        types: types.yaml
        postgres: {url: "\(database.url(user: "follower"))", outbox: marquee_outbox, every: \(every)}
        """.write(to: folder.appending(path: "source.yaml"), atomically: true, encoding: .utf8)
    }

    /// Runs what `source sql` prints.
    func prepare(_ database: PostgresServer) async throws {
        let sql = try run(["source", "sql", "source.yaml"])
        guard try await sql.ended() == 0 else { throw Overdue(description: sql.errors) }
        try database.run(sql.output)
        try database.run("CREATE ROLE app LOGIN; GRANT EXECUTE ON FUNCTION marquee_publish(jsonb) TO app")
    }

    private static func serve(_ port: Int, in folder: URL, isOpen: Bool) throws -> RunningProcess {
        try RunningProcess(
            "marquee-server",
            ["serve", "--data", "data", "--types", "types.yaml", "--listen", "127.0.0.1:\(port)"]
                + (isOpen ? ["--open"] : ["--tokens", "tokens.yaml"]), in: folder)
    }

    func restartServer() async throws {
        try await server.stop(SIGKILL)
        server = try OutboxWorld.serve(port, in: folder, isOpen: credentials.isEmpty)
        _ = try await server.line(with: " ready on ")
    }

    func end() {
        database.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func run(_ arguments: [String]) throws -> RunningProcess {
        try RunningProcess("marquee-server", arguments, in: folder)
    }

    /// - Parameter port: of the server, or of one before it; `nil` for its own.
    func launch(to port: Int? = nil) throws -> RunningProcess {
        try run(["follow", "source.yaml", "--to", port.map { "127.0.0.1:\($0)" } ?? address] + credentials)
    }

    /// Starts to follow, and returns once it does.
    func follow() async throws -> RunningProcess {
        let process = try launch()
        _ = try await process.line(with: " follows ")
        return process
    }

    /// Waits until `source list` says something.
    func list(says text: String) async throws {
        try await eventually("the list says \(text)") {
            let list = try run(["source", "list", "--to", address])
            return try await list.ended() == 0 && list.output.contains(text)
        }
    }

    /// As an application does.
    func publish(_ documents: String...) throws { try publish(documents) }

    func publish(_ documents: [String]) throws {
        let calls = documents.map { "SELECT marquee_publish('\($0)')" }.joined(separator: "; ")
        try database.run("BEGIN; \(calls); COMMIT", at: database.url(user: "app"))
    }

    func rows() throws -> Int { Int(try database.run("SELECT count(*)::text FROM marquee_outbox")) ?? -1 }

    /// Waits until all rows are published, but for some.
    func isDrained(but left: Int = 0) async throws {
        try await eventually("the outbox has \(left) rows") { try rows() == left }
    }

    static func put(_ sku: String, _ title: String) -> String {
        #"{"put": {"type": "product", "id": "\#(sku)", "record": {"sku": "\#(sku)", "title": "\#(title)"}}}"#
    }

    static func product(_ sku: String, _ title: String) -> String { #"{"sku":"\#(sku)","title":"\#(title)"}"# }
}
