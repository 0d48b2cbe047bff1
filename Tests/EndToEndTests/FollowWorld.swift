import Foundation
import PostgresSupport
import ProcessSupport

/// A database with two tables, a server, and the files by which one follows the other.
final class FollowWorld: FollowedWorld {
    let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-follow-\(UUID().uuidString)")
    let database: PostgresServer
    private(set) var server: RunningProcess
    private(set) var address = ""

    static let types = """
        types:
          product: {fields: {sku: text, title: text, price: number, notes: text, photo: bytes}, id: sku}
          category: {fields: {id: integer, name: text}, id: id}
        """

    /// - Parameters:
    ///   - rows: of the table `product`.
    ///   - table: the settings of `product` in the source file, besides its type.
    ///   - isPrepared: whether an administrator has allowed everything.
    init(rows: Int, table: String = "", isPrepared: Bool = true) throws {
        database = try PostgresServer(settings: ["wal_level=logical", "fsync=off"])
        try database.run(
            """
            CREATE TABLE category (id int PRIMARY KEY, name text);
            CREATE TABLE product (sku text PRIMARY KEY, title text, price numeric(10, 2), notes text, photo bytea,
                published boolean NOT NULL DEFAULT true);
            ALTER TABLE product ALTER COLUMN notes SET STORAGE EXTERNAL;
            INSERT INTO category VALUES (1, 'Lamps');
            INSERT INTO product SELECT 'p' || i, 'Product ' || i, i / 2.0, NULL, '\\x0102'
                FROM generate_series(1, \(rows)) i;
            CREATE ROLE follower LOGIN;
            """)
        if isPrepared {
            try database.run(
                """
                ALTER ROLE follower REPLICATION; GRANT SELECT ON ALL TABLES IN SCHEMA public TO follower;
                CREATE PUBLICATION marquee FOR TABLE category, product;
                """)
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FollowWorld.types.write(to: folder.appending(path: "types.yaml"), atomically: true, encoding: .utf8)
        try """
        source: shop
        types: types.yaml
        postgres: {url: "\(database.url(user: "follower"))"}
        tables:
          category: {type: category}
          public.product: {type: product\(table)}
        """.write(to: folder.appending(path: "source.yaml"), atomically: true, encoding: .utf8)
        port = Int(try PostgresServer.freePort())
        server = try FollowWorld.serve(port, in: folder)
    }

    let port: Int
    private static func serve(_ port: Int, in folder: URL) throws -> RunningProcess {
        try RunningProcess(
            "marquee-server",
            ["serve", "--data", "data", "--types", "types.yaml", "--open", "--listen", "127.0.0.1:\(port)"], in: folder)
    }

    func ready() async throws {
        _ = try await server.line(with: " ready on ")
        address = "127.0.0.1:\(port)"
    }

    func restartServer() async throws {
        try await server.stop(SIGKILL)
        server = try FollowWorld.serve(port, in: folder)
        try await ready()
    }

    func end() {
        database.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func run(_ arguments: [String]) throws -> RunningProcess {
        try RunningProcess("marquee-server", arguments, in: folder)
    }

    /// Starts to follow, and returns once it does.
    func follow() async throws -> RunningProcess {
        let process = try launch()
        _ = try await process.line(with: " follows ")
        return process
    }

    func launch() throws -> RunningProcess { try run(["follow", "source.yaml", "--to", address]) }

    /// Waits until `source list` says something.
    func list(says text: String) async throws {
        try await eventually("the list says \(text)") {
            let list = try run(["source", "list", "--to", address])
            return try await list.ended() == 0 && list.output.contains(text)
        }
    }

    /// Waits until nobody follows.
    func slotIsFree() async throws {
        try await eventually("the slot is free") {
            try database.run("SELECT active::text FROM pg_replication_slots") == "false"
        }
    }
}
