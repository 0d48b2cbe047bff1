import Foundation
import PostgresSupport
import ProcessSupport
import Testing

/// `marquee-server follow`: a catalogue that follows a database.
@Suite(.enabled(if: PostgresServer.isFound, "\(PostgresServer.reason)"), .timeLimit(.minutes(10)))
struct FollowTests {
    private static func product(
        _ sku: String, _ title: String, _ price: String? = nil, notes: Int? = nil, photo: String? = nil
    ) -> String {
        var members = [#""sku":"\#(sku)""#, #""title":"\#(title)""#]
        if let price { members.append(#""price":\#(price)"#) }
        if let notes { members.append(#""notes":"\#(String(repeating: "n", count: notes))""#) }
        if let photo { members.append(#""photo":"\#(photo)""#) }
        return "{" + members.joined(separator: ",") + "}"
    }

    @Test func `Whatever happens to rows happens to their records`() async throws {
        let world = try FollowWorld(rows: 3)
        defer { world.end() }
        try await world.ready()
        let follower = try await world.follow()
        #expect(follower.output.contains("public.product: 3 rows, 0 unchanged, 0 changed, 3 new, 0 gone, 0 bad"))
        #expect(follower.output.contains("public.product: not imported: the column 'published'"))
        try await world.until("p3", is: Self.product("p3", "Product 3", "1.5", photo: "AQI="))

        // Values large enough to be kept beside the row aren't sent unless they change.
        try world.database.run("UPDATE product SET notes = repeat('n', 20000), photo = NULL WHERE sku = 'p1'")
        try await world.until("p1", is: Self.product("p1", "Product 1", "0.5", notes: 20_000))
        try world.database.run("UPDATE product SET title = 'Lamp' WHERE sku = 'p1'")
        try await world.until("p1", is: Self.product("p1", "Lamp", "0.5", notes: 20_000))

        let before = try world.revision()
        try world.database.run(
            """
            BEGIN; INSERT INTO product VALUES ('new', 'Desk', 7); UPDATE product SET sku = 'q2' WHERE sku = 'p2';
            DELETE FROM product WHERE sku = 'p3'; UPDATE category SET name = 'Desks'; COMMIT;
            """)
        try await world.until("new", is: Self.product("new", "Desk", "7.0"))
        let commits = try world.changes(after: before)
        #expect(commits.count == 1, "a transaction is a commit")
        #expect(commits.first?.changes.contains("\"source\"") == true)
        #expect(Set(try world.records().keys) == ["p1", "q2", "new"])
        #expect(try world.records("category") == ["1": #"{"id":"1","name":"Desks"}"#])

        // A row that makes no record is reported, and the others go on.
        try world.database.run("ALTER TABLE product ADD COLUMN colour text; UPDATE product SET colour = 'red'")
        try world.database.run("UPDATE product SET title = 'Chair' WHERE sku = 'new'")
        try await world.until("new", is: Self.product("new", "Chair", "7.0"))

        try world.database.run(
            "BEGIN; TRUNCATE product; INSERT INTO product (sku, title) VALUES ('q2', 'Last'); COMMIT")
        try await world.until("q2", is: Self.product("q2", "Last"))
        #expect(try world.records().keys.sorted() == ["q2"])
        try world.database.run("TRUNCATE product")
        try await world.until("q2", is: nil)

        let list = try world.run(["source", "list", "--to", world.address])
        #expect(try await list.ended() == 0)
        #expect(list.output.contains("shop    pg1 "), "\(list.output)")
        let verified = try world.run(["source", "verify", "source.yaml", "--to", world.address])
        #expect(try await verified.ended() == 0, "\(verified.output)\(verified.errors)")
        #expect(try await follower.stop(SIGINT) == 0)
        #expect(follower.output.contains("shop: stopped"))
    }

    @Test func `A lost slot costs the differences, and so does a database that was restored`() async throws {
        // More than fit into one answer about what the catalogue has.
        let world = try FollowWorld(rows: 6_000)
        defer { world.end() }
        try await world.ready()
        try await world.follow().stop(SIGTERM)
        let before = try world.revision()
        try await eventually("the slot is free") {
            try world.database.run("SELECT active::text FROM pg_replication_slots") == "false"
        }
        try world.database.run(
            """
            SELECT pg_drop_replication_slot('marquee_shop'); UPDATE product SET title = 'Other' WHERE sku = 'p7';
            DELETE FROM product WHERE sku = 'p8'; INSERT INTO product (sku, title) VALUES ('p6001', 'New')
            """)
        let follower = try await world.follow()
        #expect(follower.output.contains("compares all rows with the catalogue: the slot is gone"))
        #expect(follower.output.contains("public.product: 6000 rows, 5998 unchanged, 1 changed, 1 new, 1 gone, 0 bad"))
        let commits = try world.changes(after: before).filter { $0.changes.contains("\"product\"") }
        #expect(commits.count == 1)
        #expect((commits.first?.changes.count ?? 0) < 1_000, "nothing but the differences")
        let verified = try world.run(["source", "verify", "source.yaml", "--to", world.address])
        #expect(try await verified.ended() == 0, "\(verified.output)")
        try await follower.stop(SIGTERM)
    }

    @Test func `A slot that dies during the first copy is made again`() async throws {
        let world = try FollowWorld(rows: 10_000)
        defer { world.end() }
        try await world.ready()
        // Looked for inside the database: another program would look too seldom on a busy machine.
        let database = world.database
        let drop = Task {
            try await blocking {
                try database.run(
                    """
                    DO $$ BEGIN
                        WHILE NOT EXISTS (SELECT FROM pg_replication_slots WHERE NOT active) LOOP
                            PERFORM pg_sleep(0.001);
                            IF clock_timestamp() > now() + interval '60 s' THEN RAISE 'no slot was free'; END IF;
                        END LOOP;
                        PERFORM pg_drop_replication_slot('marquee_shop');
                        UPDATE product SET title = 'Other' WHERE sku = 'p1';
                    END $$
                    """)
            }
        }
        // The slot is inactive only during the copy, which begins at once.
        try await eventually("the database looks") {
            try database.run("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1"
        }
        let follower = try world.launch()
        _ = try await follower.line(with: " follows ")
        _ = try await drop.value
        try world.database.run("UPDATE product SET title = 'Last' WHERE sku = 'p2'")
        try await world.until("p2", is: Self.product("p2", "Last", "1.0", photo: "AQI="))
        #expect(try world.records()["p1"] == Self.product("p1", "Other", "0.5", photo: "AQI="))
        #expect(follower.output.contains("compares all rows with the catalogue: the slot is gone"))
        try await follower.stop(SIGTERM)
    }

    @Test func `Killed between a publication and its acknowledgement, it applies everything once`() async throws {
        let world = try FollowWorld(rows: 1)
        defer { world.end() }
        try await world.ready()
        var follower = try await world.follow()
        let standby = try world.launch()
        _ = try await standby.line(with: "stands by")
        for round in 1...3 {
            // A publication has no answer now while the follower lives.
            world.server.signal(SIGSTOP)
            try world.database.run("UPDATE product SET title = 'Round \(round)'")
            try await eventually("the change was sent") {
                try world.database.run(
                    "SELECT (sent_lsn >= pg_current_wal_lsn())::text FROM pg_stat_replication") == "true"
            }
            try await follower.stop(SIGKILL)
            world.server.signal(SIGCONT)
            if round == 1 { _ = try await standby.line(with: " follows ") } else { follower = try await world.follow() }
            try await world.until("p1", is: Self.product("p1", "Round \(round)", "0.5", photo: "AQI="))
            if round == 1 { follower = standby }
            let made = try world.changes().filter { $0.changes.contains("\"product\"") }
            #expect(made.count == round + 1, "the first copy, and each change once")
        }
        // Either side goes away and comes back.
        try await world.restartServer()
        try world.database.run("UPDATE product SET title = 'Server'")
        try await world.until("p1", is: Self.product("p1", "Server", "0.5", photo: "AQI="))
        try world.database.restart()
        try world.database.run("UPDATE product SET title = 'Database'")
        try await world.until("p1", is: Self.product("p1", "Database", "0.5", photo: "AQI="))
        #expect(try await follower.stop(SIGTERM) == 0)
    }

    @Test func `A column that goes away stops its table alone, until it is back`() async throws {
        let world = try FollowWorld(rows: 2)
        defer { world.end() }
        try await world.ready()
        let follower = try await world.follow()
        try world.database.run("ALTER TABLE product DROP COLUMN price; UPDATE product SET title = 'Unseen'")
        _ = try await follower.line(with: "public.product has stopped: it has no column 'price' any more")
        try await world.list(says: "public.product has stopped: it has no column 'price'")
        try world.database.run("UPDATE category SET name = 'Still'")
        try await world.until("1", is: #"{"id":"1","name":"Still"}"#, "category")
        #expect(try world.records()["p1"] == Self.product("p1", "Product 1", "0.5", photo: "AQI="))
        try world.database.run("ALTER TABLE product ADD COLUMN price numeric; UPDATE product SET price = 9")
        try await world.until("p1", is: Self.product("p1", "Unseen", "9.0", photo: "AQI="))
        #expect(follower.output.contains("its rows are compared with the catalogue"))
        #expect(follower.output.components(separatedBy: "category: 1 row").count == 2, "it wasn't compared again")
        try await follower.stop(SIGTERM)
    }

    @Test func `A large transaction is committed in pieces, and rows follow their condition`() async throws {
        let world = try FollowWorld(rows: 2, table: ", where: published")
        defer { world.end() }
        try await world.ready()
        let follower = try await world.follow()
        try world.database.run("UPDATE product SET published = false WHERE sku = 'p1'")
        try await world.until("p1", is: nil)
        try world.database.run("UPDATE product SET published = true WHERE sku = 'p1'")
        try await world.until("p1", is: Self.product("p1", "Product 1", "0.5", photo: "AQI="))
        let before = try world.revision()
        try world.database.run(
            "INSERT INTO product (sku, title, notes) SELECT 'l' || i, 'L', repeat('n', 9000) FROM generate_series(1, 1500) i"
        )
        _ = try await follower.line(with: "is published in pieces")
        try await world.until("l1500", is: Self.product("l1500", "L", notes: 9_000))
        #expect(try world.records().count == 1_502)
        #expect(try world.changes(after: before).count > 1)
        try await follower.stop(SIGTERM)
    }

    @Test func `Killed within a large transaction, its beginning stays, and the rest follows once`() async throws {
        let world = try FollowWorld(rows: 1, table: ", where: published")
        defer { world.end() }
        try await world.ready()
        var follower = try await world.follow()
        let many = "INSERT INTO category SELECT i, repeat('n', 9000) FROM generate_series(2, 1501) i;"
        try world.database.run("BEGIN; \(many) ROLLBACK; UPDATE category SET name = 'Seen'")
        try await world.until("1", is: #"{"id":"1","name":"Seen"}"#, "category")
        #expect(try world.records("category").count == 1, "nothing of what was rolled back is sent")

        try await follower.stop(SIGTERM)
        let before = try world.revision()
        try world.database.run("BEGIN; \(many) UPDATE product SET title = 'After'; COMMIT")
        // The row of this table comes after the first piece, and can't be read again.
        let lock = try PostgresSession(at: world.database.url())
        try lock.run("BEGIN; LOCK TABLE product")
        follower = try await world.follow()
        try await eventually("a piece is committed") { try world.records("category").count > 1 }
        try await follower.stop(SIGKILL)
        let shown = try world.records("category").count
        #expect(shown < 1_501)
        #expect(try world.records()["p1"] == Self.product("p1", "Product 1", "0.5", photo: "AQI="))
        lock.close()

        follower = try await world.follow()
        try await world.until("p1", is: Self.product("p1", "After", "0.5", photo: "AQI="))
        #expect(try world.records("category").count == 1_501)
        let puts = try world.changes(after: before).map {
            $0.changes.components(separatedBy: "\"category\"").count - 1
        }
        #expect(puts.reduce(0, +) == 1_500 && puts.count > 1, "in pieces, and none twice: \(puts)")
        try await follower.stop(SIGTERM)
    }

    @Test func `An administrator is told in SQL what is missing`() async throws {
        let world = try FollowWorld(rows: 1, isPrepared: false)
        defer { world.end() }
        try await world.ready()
        let refused = try world.launch()
        #expect(try await refused.ended() == 77)
        #expect(refused.errors.contains("-- the role 'follower' may not follow the log"), "\(refused.errors)")
        // The rights that the file asks for are enough.
        let sql = try world.run(["source", "sql", "source.yaml"])
        #expect(try await sql.ended() == 0)
        let statements = sql.output.replacing("CREATE ROLE", with: "ALTER ROLE").split(separator: "\n")
            .filter { !$0.hasPrefix("ALTER SYSTEM") }.joined(separator: "\n")
        try world.database.run("BEGIN; \(statements)\nROLLBACK")
        let check = try world.run(["source", "check", "source.yaml"])
        #expect(try await check.ended() == 77)
        #expect(check.output.contains("CREATE PUBLICATION \"marquee\" FOR TABLE \"public\".\"category\", "))
        // It prints all that there is to do.
        try world.database.run(check.output)
        let again = try world.run(["source", "check", "source.yaml"])
        #expect(try await again.ended() == 0, "\(again.output)\(again.errors)")
        try world.database.run("ALTER PUBLICATION marquee SET (publish = 'insert')")
        let partial = try world.run(["source", "check", "source.yaml"])
        #expect(try await partial.ended() == 77)
        #expect(partial.output.contains("leaves some changes out\nALTER PUBLICATION \"marquee\" SET (publish = "))
    }
}
