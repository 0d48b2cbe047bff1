import Foundation
import PostgresSupport
import ProcessSupport
import Testing

/// Tables that change, or whose rows are refused, while `marquee-server follow` follows them and others.
@Suite(.enabled(if: PostgresServer.isFound, "\(PostgresServer.reason)"), .timeLimit(.minutes(10)))
struct FollowTableTests {
    private static func verify(_ world: FollowWorld) async throws {
        let verified = try world.run(["source", "verify", "source.yaml", "--to", world.address])
        #expect(try await verified.ended() == 0, "\(verified.output)\(verified.errors)")
    }

    @Test func `Partitions are followed as one table, once the publication passes them on so`() async throws {
        let world = try FollowWorld(rows: 0, isPrepared: false)
        defer { world.end() }
        try world.database.run(
            """
            DROP TABLE product;
            CREATE TABLE product (sku text PRIMARY KEY, title text) PARTITION BY LIST (sku);
            CREATE TABLE product_a PARTITION OF product FOR VALUES IN ('a1', 'a2');
            CREATE TABLE product_b PARTITION OF product DEFAULT; INSERT INTO product VALUES ('a1', 'A'), ('b1', 'B');
            ALTER ROLE follower REPLICATION; GRANT SELECT ON ALL TABLES IN SCHEMA public TO follower;
            """)
        try await world.ready()
        func check() async throws -> String {
            let check = try world.run(["source", "check", "source.yaml"])
            #expect(try await check.ended() == 77, "\(check.output)")
            return check.output
        }
        #expect(try await check().contains("WITH (publish_via_partition_root = true);"))
        // Each of these has its statement, and nothing more.
        for (publication, problem) in [
            ("FOR TABLE category, product", "has partitions"), ("FOR ALL TABLES", "has partitions"),
            ("FOR TABLE category WITH (publish_via_partition_root = true)", "lacks public.product"),
        ] {
            try world.database.run("DROP PUBLICATION IF EXISTS marquee; CREATE PUBLICATION marquee \(publication)")
            let told = try await check()
            #expect(told.contains(problem) && told.split(separator: "\n").count == 2, "\(told)")
            try world.database.run(told)
            let again = try world.run(["source", "check", "source.yaml"])
            #expect(try await again.ended() == 0, "\(again.output)")
        }
        let follower = try await world.follow()
        try world.database.run(
            """
            UPDATE product SET title = 'C' WHERE sku = 'b1'; UPDATE product SET sku = 'a2' WHERE sku = 'b1';
            DELETE FROM product WHERE sku = 'a1'; INSERT INTO product VALUES ('b2', 'D')
            """)
        try await world.until("b2", is: #"{"sku":"b2","title":"D"}"#)
        #expect(try world.records() == ["a2": #"{"sku":"a2","title":"C"}"#, "b2": #"{"sku":"b2","title":"D"}"#])
        try world.database.run("TRUNCATE product")
        try await world.until("b2", is: nil)
        try await follower.stop(SIGTERM)
    }

    @Test func `However many rows are refused, each is named and the others go on`() async throws {
        let world = try FollowWorld(rows: 1)
        defer { world.end() }
        try await world.ready()
        let follower = try await world.follow()
        // No id has that length.
        try world.database.run(
            """
            BEGIN; INSERT INTO product (sku, title) SELECT 'long' || i || repeat('x', 2000), 'L' FROM generate_series(1, 300) i;
            UPDATE product SET title = 'Seen' WHERE sku = 'p1'; COMMIT; UPDATE category SET name = 'Desks'
            """)
        try await world.until("1", is: #"{"id":"1","name":"Desks"}"#, "category")
        #expect(try world.records()["p1"]?.contains("Seen") == true)
        #expect(follower.output.contains("sku 'long1x"), "\(follower.output)")
        try await world.list(says: "(300 bad rows)")
        // Compared, they are no other.
        try await follower.stop(SIGTERM)
        try await world.slotIsFree()
        try world.database.run("SELECT pg_drop_replication_slot('marquee_shop')")
        let next = try await world.follow()
        #expect(next.output.contains("sku 'long"))
        try world.database.run("DELETE FROM product WHERE sku LIKE 'long%'; UPDATE product SET title = 'Last'")
        try await eventually("p1 is the last") { try world.records()["p1"]?.contains("Last") == true }
        try await Self.verify(world)
        try await next.stop(SIGTERM)
    }

    @Test func `A table of a type that the server hasn't stops alone`() async throws {
        let world = try FollowWorld(rows: 2)
        defer { world.end() }
        try await world.ready()
        try """
        types:
          product: {fields: {sku: text, title: text, price: number, notes: text, photo: bytes}, id: sku}
          shelf: {fields: {id: integer, name: text}, id: id}
        """.write(to: world.folder.appending(path: "other.yaml"), atomically: true, encoding: .utf8)
        let file = world.folder.appending(path: "source.yaml")
        let source = try String(contentsOf: file, encoding: .utf8)
        try source.replacing("{type: category}", with: "{type: shelf}").write(
            to: file, atomically: true, encoding: .utf8)
        try world.database.run("INSERT INTO category SELECT i, 'C' FROM generate_series(2, 100) i")
        let follower = try world.run(["follow", "source.yaml", "--types", "other.yaml", "--to", world.address])
        _ = try await follower.line(with: "public.category has stopped: the server refused")
        try world.database.run("UPDATE product SET title = 'Seen' WHERE sku = 'p1'")
        try await eventually("the other table goes on") { try world.records()["p1"]?.contains("Seen") == true }
        try await world.list(says: "follows, without 1 table")
        try await follower.stop(SIGTERM)
    }

    @Test func `A column that is added and has a field is mapped at once, and one of another type is compared`()
        async throws
    {
        let world = try FollowWorld(rows: 2)
        defer { world.end() }
        try world.database.run("ALTER TABLE product DROP COLUMN photo")
        try await world.ready()
        let follower = try await world.follow()
        try world.database.run(
            "ALTER TABLE product ADD COLUMN photo bytea DEFAULT '\\x01'; UPDATE product SET title = 'T' WHERE sku = 'p1'"
        )
        // Of the row that wasn't touched, too.
        try await world.until("p2", is: #"{"sku":"p2","title":"Product 2","price":1.0,"photo":"AQ=="}"#)
        #expect(follower.output.contains("public.product: column 'photo' is new; its rows are compared"))
        try world.database.run(
            "ALTER TABLE product ALTER COLUMN price TYPE text; UPDATE product SET price = 'much' WHERE sku = 'p1'")
        // That it is text now is said only where the log says so before a comparison finds it.
        _ = try await follower.line(with: "public.product, product/p1: column 'price': 'much' is not a number")
        try world.database.run("UPDATE product SET price = '7' WHERE sku = 'p1'")
        try await world.until("p1", is: #"{"sku":"p1","title":"T","price":7.0,"photo":"AQ=="}"#)
        // A column without a field is named, and makes no difference.
        try world.database.run(
            "ALTER TABLE product ADD COLUMN colour text; UPDATE product SET title = 'U' WHERE sku = 'p1'")
        try await world.until("p1", is: #"{"sku":"p1","title":"U","price":7.0,"photo":"AQ=="}"#)
        #expect(follower.output.components(separatedBy: "'colour'").count == 2)
        #expect(
            follower.output.components(separatedBy: "category: 1 row").count == 2, "the other table wasn't compared")
        try await follower.stop(SIGTERM)
    }

    @Test func `A column is read once it can be seen, however long its commit is in the log before`() async throws {
        let world = try FollowWorld(rows: 2)
        defer { world.end() }
        let database = world.database
        try database.run("ALTER TABLE product DROP COLUMN photo")
        try await world.ready()
        let follower = try await world.follow()
        // The commit waits for a standby, and nobody sees it before.
        try database.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try database.run("SELECT pg_reload_conf()")
        Thread.detachNewThread {
            _ = try? database.run(
                "ALTER TABLE product ADD COLUMN photo bytea DEFAULT '\\x01'; UPDATE product SET title = 'T' WHERE sku = 'p1'"
            )
        }
        try await eventually("the follower has the commit") {
            try database.run(
                """
                SELECT count(*) FROM pg_stat_activity a, pg_stat_replication r
                    WHERE a.wait_event = 'SyncRep' AND r.sent_lsn = pg_current_wal_flush_lsn()
                """) == "1"
        }
        try database.run("ALTER SYSTEM RESET synchronous_standby_names")
        try database.run("SELECT pg_reload_conf()")
        try await world.until("p2", is: #"{"sku":"p2","title":"Product 2","price":1.0,"photo":"AQ=="}"#)
        try await follower.stop(SIGTERM)
    }

    @Test func `A table that is dropped and made anew stops, says what it needs, and goes on`() async throws {
        let world = try FollowWorld(rows: 1)
        defer { world.end() }
        try await world.ready()
        let follower = try await world.follow()
        try world.database.run(
            "DROP TABLE category; CREATE TABLE category (id int PRIMARY KEY, name text); INSERT INTO category VALUES (2, 'New')"
        )
        _ = try await follower.line(
            with: "public.category has stopped: the publication 'marquee' lacks public.category")
        try world.database.run("UPDATE product SET title = 'Seen' WHERE sku = 'p1'")
        try await eventually("the other table goes on") { try world.records()["p1"]?.contains("Seen") == true }
        try world.database.run("ALTER PUBLICATION marquee ADD TABLE category; GRANT SELECT ON category TO follower")
        try await world.until("2", is: #"{"id":"2","name":"New"}"#, "category")
        try await world.until("1", is: nil, "category")
        try await Self.verify(world)
        try await follower.stop(SIGTERM)
    }

    /// As `pg_restore --clean` does: what the slot still has is from a time without the publication.
    @Test func `A publication that is made anew costs a comparison`() async throws {
        let world = try FollowWorld(rows: 2)
        defer { world.end() }
        try await world.ready()
        let follower = try await world.follow()
        try await follower.stop(SIGTERM)
        try world.database.run(
            """
            DROP PUBLICATION marquee; UPDATE product SET title = 'Unseen';
            CREATE PUBLICATION marquee FOR TABLE category, product;
            """)
        let next = try await world.follow()
        try await eventually("p2 is compared") { try world.records()["p2"]?.contains("Unseen") == true }
        #expect(next.output.contains("compares all rows with the catalogue: the publication was made anew"))
        try world.database.run("UPDATE product SET title = 'Seen' WHERE sku = 'p1'")
        try await eventually("p1 is followed") { try world.records()["p1"]?.contains("Seen") == true }
        try await next.stop(SIGTERM)
    }

    @Test func `A column that is lost while rows are read again empties nothing, whatever else fails`() async throws {
        let world = try FollowWorld(rows: 2, table: ", where: published")
        defer { world.end() }
        try await world.ready()
        let follower = try await world.follow()
        let before = try world.records()
        #expect(before["p1"]?.contains("0.5") == true)
        // The log has the row before the change, and the table none of that column when it is read.
        try world.database.run(
            """
            BEGIN; UPDATE product SET title = 'Unseen' WHERE sku = 'p1'; ALTER TABLE product RENAME COLUMN price TO cost;
            COMMIT; UPDATE category SET name = 'Seen'
            """)
        _ = try await follower.line(with: "public.product has stopped: it has no column 'price' any more")
        try await world.until("1", is: #"{"id":"1","name":"Seen"}"#, "category")
        #expect(try world.records() == before)
        try world.database.restart()
        try world.database.run("UPDATE category SET name = 'Again'")
        try await world.until("1", is: #"{"id":"1","name":"Again"}"#, "category")
        #expect(try world.records() == before)
        try world.database.run("ALTER TABLE product RENAME COLUMN cost TO price")
        try await world.until("p1", is: #"{"sku":"p1","title":"Unseen","price":0.5,"photo":"AQI="}"#)
        try await follower.stop(SIGTERM)
    }
}
