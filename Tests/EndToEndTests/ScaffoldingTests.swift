import Foundation
import GRDB
import PostgresSupport
import Testing

/// `marquee-server scaffold`, and the commands that it prints: from data that nobody prepared to a live screen.
enum Newcomer {
    struct Answer {
        var status: Int32?
        var output: String
        var errors: String
    }

    static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "marquee-scaffold-\(UUID().uuidString)")
    }

    static func run(_ arguments: [String], _ program: String = "marquee-server", in folder: URL) async throws -> Answer
    {
        let process = try RunningProcess(program, arguments, in: folder)
        let status = try await process.ended()
        return Answer(status: status, output: process.output, errors: process.errors)
    }

    /// Scaffolds a source, and types what the answer says.
    /// - Parameter look: called with the server's address while it serves.
    /// - Returns: the answer.
    static func follow(
        _ arguments: [String], in folder: URL, _ look: (String) async throws -> Void
    ) async throws -> String {
        let answer = try await run(["scaffold"] + arguments, in: folder)
        #expect(answer.status == 0, "\(answer.errors)")
        let prefix = "  marquee-server "
        let commands = answer.output.split(separator: "\n").filter { $0.hasPrefix(prefix) }
            .map { $0.dropFirst(prefix.count).split(separator: " ").map(String.init) }
        // A PostgreSQL may be followed as well.
        try #require(commands.prefix(3).map(\.first) == ["check", "import", "serve"])
        for command in commands.prefix(2) {
            let done = try await run(command, in: folder)
            #expect(done.status == 0 && done.errors.isEmpty, "\(command): \(done.errors)")
        }
        let server = try RunningProcess("marquee-server", commands[2] + ["--listen", "127.0.0.1:0"], in: folder)
        let ready = try await server.line(with: " ready on ")
        try await look(try #require(ready.firstMatch(of: #/127\.0\.0\.1:\d+/#)).output.description)
        #expect(try await server.stop(SIGTERM) == 0)
        return answer.output
    }
}

@Suite("Scaffolding", .timeLimit(.minutes(5)))
struct ScaffoldingTests {
    @Test func `A table becomes a live screen by the commands that are printed`() async throws {
        let folder = Newcomer.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let rows = (0..<400).map {
            "A\(1000 + $0);Airport \($0);\(["Korea", "Japan", "Chile"][$0 % 3]);\($0 * 1_000);\(1930 + $0 % 90)-05-01"
        }
        try ("IATA;Name;Country;Passengers;Opened\n" + rows.joined(separator: "\n")).write(
            to: folder.appending(path: "airports.csv"), atomically: true, encoding: .utf8)
        let answer = try await Newcomer.follow(["airports.csv", "--into", "made"], in: folder) { address in
            let home = try await Newcomer.run(["get", "home", "--server", address], "marquee", in: folder)
            #expect(home.output.contains("Newest") && home.output.contains("Top by passengers"), "\(home.output)")
            #expect(home.output.contains("Airport 399") && home.output.contains("399,000"))
            let country = try await Newcomer.run(["get", "country/Korea", "--server", address], "marquee", in: folder)
            #expect(country.output.contains("Country: Korea"), "\(country.output)")
            let found = try await Newcomer.run(["search", "airport 27", "--server", address], "marquee", in: folder)
            #expect(found.output.contains("Airport 27 "), "\(found.output)")
        }
        #expect(
            answer.hasPrefix(
                "airports → airport: id iata · title name · newest by opened · top by passengers · tiles by country · search in "
            ))
        let again = try await Newcomer.run(["scaffold", "airports.csv", "--into", "made"], in: folder)
        #expect(again.status == 73)
        #expect(
            again.errors.contains("made has types.yaml and source.yaml and programme.yaml already; "), "\(again.errors)"
        )
        #expect(
            try await Newcomer.run(["scaffold", "airports.csv", "--into", "made", "--force"], in: folder).status == 0)
        let proto = try await Newcomer.run(["types", "made/types.yaml", "--proto"], in: folder)
        #expect(proto.output.contains("message Airport {\n  string iata = 1;\n  string name = 2;\n"))
    }

    @Test func `An address becomes a live screen that follows it`() async throws {
        let folder = Newcomer.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let web = try await MisbehavingServer()
        let rows = (1...30).map { #"{"sku":"s\#($0)","name":"Lamp \#($0)","price":\#($0 * 3)}"# }
        web.set("/products?key=1", .init(body: #"{"items":[\#(rows.joined(separator: ","))]}"#))
        let scaffold = ["scaffold", web.address("/products?key=1"), "--path", "items", "--into", "made"]
        let answer = try await Newcomer.run(scaffold, in: folder)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.hasPrefix("products → product: id sku · title name · top by price"), "\(answer.output)")
        let commands = answer.output.split(separator: "\n").filter { $0.hasPrefix("  marquee-server ") }
            .map { $0.split(separator: " ").dropFirst().map(String.init) }
        try #require(commands.map(\.first) == ["check", "serve", "follow"])
        #expect(try await Newcomer.run(commands[0], in: folder).status == 0)
        let server = try RunningProcess("marquee-server", commands[1] + ["--listen", "127.0.0.1:0"], in: folder)
        let ready = try await server.line(with: " ready on ")
        let address = try #require(ready.firstMatch(of: #/127\.0\.0\.1:\d+/#)).output.description
        let follow = try await Newcomer.run(commands[2].dropLast() + [address, "--once"], in: folder)
        #expect(follow.status == 0, "\(follow.errors)")
        let home = try await Newcomer.run(["get", "home", "--server", address], "marquee", in: folder)
        #expect(home.output.contains("Lamp 30"), "\(home.output)")
        #expect(try await server.stop(SIGTERM) == 0)
        web.fail([.status("404 Not Found")])
        let gone = try await Newcomer.run(scaffold + ["--force"], in: folder)
        #expect(gone.status != 0 && gone.errors.contains("404") && !gone.errors.contains("key=1"), "\(gone.errors)")
    }

    @Test func `A file of SQLite becomes a live screen, with links between records`() async throws {
        let folder = Newcomer.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await DatabaseQueue(path: folder.appending(path: "library.db").path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE book (isbn TEXT PRIMARY KEY, title TEXT, author_id INT REFERENCES author, added DATE,
                        in_print BOOLEAN, cover BLOB);
                    INSERT INTO author VALUES (1, 'Ada'), (2, 'Bo');
                    INSERT INTO book VALUES ('a', 'Rye', 1, '2026-01-02', 1, x'00'), ('b', 'Spelt', 1, '2026-01-03', 0, x'00'),
                        ('c', 'Oats', NULL, NULL, NULL, NULL);
                    """)
        }
        let answer = try await Newcomer.follow(["library.db", "--into", "made"], in: folder) { address in
            let author = try await Newcomer.run(["get", "author/1", "--server", address], "marquee", in: folder)
            #expect(author.output.contains("Ada") && author.output.contains("Spelt"), "\(author.output)")
            let book = try await Newcomer.run(["get", "book/c", "--server", address], "marquee", in: folder)
            #expect(book.output.contains("Oats"), "\(book.output)")
        }
        #expect(answer.contains("book.cover: blob: bytes, which a screen doesn't show"), "\(answer)")
        #expect(
            try await Newcomer.run(
                ["import", "records", "library.db", "--table", "author", "--type", "author", "--data", "made/data"],
                in: folder
            ).output.hasPrefix("2 rows: 0 imported, 2 unchanged, 0 bad; "))
        let misspelt = try await Newcomer.run(
            ["import", "records", "library.db", "--table", "auther", "--type", "author", "--data", "made/data"],
            in: folder)
        #expect(misspelt.errors.contains("has no table 'auther'; did you mean 'author'?"), "\(misspelt.errors)")
    }
}

@Suite(.enabled(if: PostgresServer.isFound, "\(PostgresServer.reason)"), .timeLimit(.minutes(5)))
struct ScaffoldPostgresTests {
    @Test func `A PostgreSQL database becomes a live screen, and importing it again follows it`() async throws {
        let folder = Newcomer.folder()
        let database = try PostgresServer()
        defer {
            database.stop()
            try? FileManager.default.removeItem(at: folder)
        }
        try database.run(
            """
            CREATE TYPE state AS ENUM ('new', 'paid'); CREATE DOMAIN euro AS numeric(10,2);
            CREATE TABLE category (id int PRIMARY KEY, name text);
            CREATE TABLE product (sku text PRIMARY KEY, title text NOT NULL, price euro, category_id int REFERENCES category,
                tags text[], attributes jsonb, created_at timestamptz, photo bytea, span int4range);
            CREATE TABLE "order" (id bigint PRIMARY KEY, state state, placed timestamp);
            CREATE TABLE order_line ("order" bigint REFERENCES "order", line int, sku text REFERENCES product, PRIMARY KEY ("order", line));
            CREATE TABLE log (what text);
            CREATE VIEW cheap AS SELECT sku, title FROM product WHERE price < 5;
            INSERT INTO category VALUES (1, 'Shoes');
            INSERT INTO product SELECT 'p-' || i, 'Product ' || i, i / 10.0, CASE WHEN i % 2 = 0 THEN 1 END, ARRAY['a b', 'c'],
                '{"color": "red"}', timestamptz '2026-01-01' + i * interval '1 hour', '\\x00', int4range(1, 2)
                FROM generate_series(1, 300) i;
            INSERT INTO "order" VALUES (9007199254740993, 'paid', '2026-01-01 09:00');
            INSERT INTO order_line VALUES (9007199254740993, 1, 'p-2'); INSERT INTO log VALUES ('x'), ('x');
            CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader; REVOKE SELECT ON log FROM reader;
            """)
        let url = database.url(user: "reader")
        let answer = try await Newcomer.follow([url, "--into", "made"], in: folder) { address in
            let home = try await Newcomer.run(["get", "home", "--server", address], "marquee", in: folder)
            #expect(home.output.contains("Product 300  Shoes · "), "\(home.output)")
            let product = try await Newcomer.run(["get", "product/p-2", "--server", address], "marquee", in: folder)
            #expect(product.output.contains("Shoes") && product.output.contains("red"), "\(product.output)")
            try database.run("UPDATE product SET title = 'New name' WHERE sku = 'p-300'")
            let types = ["--types", "made/types.yaml"]
            let second = try await Newcomer.run(["import", "source", "made/source.yaml", "--to", address], in: folder)
            #expect(second.output.contains("303 rows: "), "\(second.output) \(second.errors)")
            let one = try await Newcomer.run(
                ["import", "records", url, "--table", "category", "--type", "category", "--to", address] + types,
                in: folder)
            #expect(one.output.hasPrefix("1 row: 0 imported, 1 unchanged"), "\(one.output) \(one.errors)")
            let now = try await Newcomer.run(["get", "home", "--server", address], "marquee", in: folder)
            #expect(now.output.contains("New name"))
        }
        #expect(
            answer.contains("public.log: this user may not read it: GRANT SELECT ON \"public\".\"log\" TO …"),
            "\(answer)")
        #expect(answer.contains("public.product.span: int4range is a range"))
        #expect(answer.contains("public.product.photo: bytea: "))
        let view = try await Newcomer.run(["scaffold", url, "--table", "cheap", "--into", "view"], in: folder)
        #expect(
            view.status == 0 && view.output.contains("public.cheap → cheap: id sku"), "\(view.output) \(view.errors)")
        let nobody = try await Newcomer.run(["scaffold", database.url(user: "nobody"), "--into", "other"], in: folder)
        #expect(nobody.status == 66 && nobody.errors.contains("can't be reached"), "\(nobody.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "other").path))
    }
}
