import Foundation
import MarqueeModel
import MarqueeTypes
import PostgresSupport
import ProcessSupport
import Synchronization
import Testing

/// `marquee-server follow` of an outbox, into which an application writes changes in its own transactions.
@Suite(.enabled(if: PostgresServer.isFound, "\(PostgresServer.reason)"), .timeLimit(.minutes(10)))
struct OutboxTests {
    private typealias World = OutboxWorld

    /// The ids of the records that commits have put, by the log.
    private static func puts(_ world: OutboxWorld) throws -> [String] {
        try world.changes().flatMap { commit -> [String] in
            guard case .list(let changes) = try JSONValue(parsing: Array(commit.changes.utf8), atMost: .max) else {
                return []
            }
            return changes.compactMap { $0["put"]?["id"] }.compactMap { id in
                if case .text(let text) = id { text } else { nil }
            }
        }
    }

    /// The changes of a transaction that is refused unless it comes once, right after the one before.
    private static func link(_ number: Int) -> [String] {
        [
            #"{"merge": {"type": "product", "id": "chain\#(number - 1)", "record": {"price": 1}, "create": false}}"#,
            #"{"remove": {"type": "product", "id": "chain\#(number - 1)"}}"#, World.put("chain\(number)", "\(number)"),
            World.put("t\(number)", "T"),
        ]
    }

    /// Each of the transactions has been committed once, in their order.
    private static func expectChain(_ world: OutboxWorld, _ count: Int) async throws {
        try await world.isDrained()
        #expect(try world.records().keys.filter { $0.hasPrefix("chain") } == ["chain\(count)"])
        #expect(try puts(world).filter { $0.hasPrefix("t") } == (1...count).map { "t\($0)" })
    }

    @Test func `Transactions are commits in the order of theirs, whichever began first`() async throws {
        let world = try await World()
        defer { world.end() }
        let follower = try await world.follow()
        let (a, b) = (
            try PostgresSession(at: world.database.url()), try PostgresSession(at: world.database.url())
        )
        func call(_ sku: String, _ title: String) -> String { "SELECT marquee_publish('\(World.put(sku, title))')" }
        // The transaction that began first has the lower id, and ends last.
        try a.run("BEGIN; \(call("a", "early"))")
        try b.run("BEGIN; \(call("b", "first")); \(call("p", "first")); COMMIT")
        try await world.until("p", is: World.product("p", "first"))
        #expect(try world.records()["a"] == nil)
        let before = try world.revision()
        try a.run("\(call("p", "last")); COMMIT")
        try await world.until("p", is: World.product("p", "last"))
        #expect(try world.records()["a"] == World.product("a", "early"))
        #expect(try world.changes(after: before).count == 1, "a transaction is a commit")
        #expect(try await follower.stop(SIGTERM) == 0)

        // The same for those that are there when it starts.
        try a.run("BEGIN; \(call("a", "early 2"))")
        try b.run("BEGIN; \(call("rolled", "back")); ROLLBACK; BEGIN; \(call("p", "first 2")); COMMIT")
        try a.run("\(call("p", "last 2")); COMMIT")
        let next = try await world.follow()
        try await world.isDrained()
        #expect(try world.records()["p"] == World.product("p", "last 2"))
        #expect(try !Self.puts(world).contains("rolled"))
        try await next.stop(SIGTERM)
    }

    @Test func `A notification wakes it`() async throws {
        let world = try await World(every: "1h")
        defer { world.end() }
        let follower = try await world.follow()
        for round in 1...4 {
            try world.publish(World.put("p", "\(round)"))
            try await world.isDrained()
        }
        try await follower.stop(SIGTERM)
    }

    @Test func `Without a notification it looks by itself`() async throws {
        let world = try await World(every: "200ms")
        defer { world.end() }
        let follower = try await world.follow()
        try world.database.run("INSERT INTO marquee_outbox (changes) VALUES ('\(World.put("p", "silent"))')")
        try await world.until("p", is: World.product("p", "silent"))
        try await follower.stop(SIGTERM)
    }

    @Test func `Refused changes are named and kept, and the others go on`() async throws {
        let world = try await World()
        defer { world.end() }
        let follower = try await world.follow()
        try world.publish(World.put("a", "A"), #"{"put": {"type": "shelf", "id": "1", "record": {}}}"#)
        let unknown = #"{"put": {"type": "product", "id": "c", "record": {"colour": 1}}}"#
        try world.publish("[\(World.put("b", "B")), \(unknown)]")
        try world.publish(#"{"undo": {"revision": 1}}"#)
        try world.publish("7", World.put("d", "D"), "[]")
        try world.publish("[\(World.put("e", "E")), \(World.put("e", String(repeating: "e", count: 70_000)))]")
        try world.publish(World.put("f", "F"))
        try await world.until("f", is: World.product("f", "F"))
        try await world.isDrained(but: 5)
        #expect(try world.records().keys.sorted() == ["a", "d", "f"], "a call is published as a whole")
        #expect(try world.database.run("SELECT count(*)::text FROM marquee_outbox WHERE refused > ''") == "5")
        let reason = try world.database.run("SELECT refused FROM marquee_outbox WHERE changes::text LIKE '%shelf%'")
        #expect(reason.contains("shelf"), "\(reason)")
        #expect(follower.output.contains("marquee_outbox, row 2: refused: \(reason)"), "\(follower.output)")
        try await world.list(says: "5 rows of public.marquee_outbox refused, the last is row ")

        // Once somebody has mended them.
        try world.database.run(
            """
            UPDATE marquee_outbox SET changes = '\(World.put("c", "C"))', refused = NULL WHERE changes::text LIKE '%colour%';
            DELETE FROM marquee_outbox WHERE refused IS NOT NULL
            """)
        try await world.until("c", is: World.product("c", "C"))
        try await world.isDrained()
        #expect(try await follower.stop(SIGINT) == 0)
    }

    @Test func `Changes that the token doesn't allow are kept, and the others go on`() async throws {
        let world = try await World(scopes: ["publish product", "publish source/shop"])
        defer { world.end() }
        try world.publish(World.put("a", "A"), #"{"remove": {"type": "category", "id": "1"}}"#, World.put("b", "B"))
        try world.publish(World.put("c", "C"))
        let follower = try await world.follow()
        try await world.until("c", is: World.product("c", "C"))
        try await world.isDrained(but: 1)
        #expect(try world.records().keys.sorted() == ["a", "b", "c"])
        let reason = try world.database.run("SELECT refused FROM marquee_outbox")
        #expect(reason.contains("may not publish 'category'"), "\(reason)")
        try await follower.stop(SIGTERM)
    }

    @Test func `A token without the source's scope is said, and no change is blamed for it`() async throws {
        let world = try await World(scopes: ["publish product"])
        defer { world.end() }
        try world.publish(World.put("a", "A"))
        let follower = try world.launch()
        #expect(try await follower.ended() == 77)
        #expect(follower.errors.contains("may not publish 'source/shop'"), "\(follower.errors)")
        #expect(try world.database.run("SELECT count(*)::text FROM marquee_outbox WHERE refused IS NULL") == "1")
    }

    @Test func `Killed between a publication and the deletion, it publishes everything once`() async throws {
        let world = try await World()
        defer { world.end() }
        var follower = try await world.follow()
        try world.publish(World.put("chain0", "0"))
        try await world.isDrained()
        let standby = try world.launch()
        _ = try await standby.line(with: "stands by")
        for round in 1...4 {
            // A publication has no answer now while the follower lives.
            world.server.signal(SIGSTOP)
            try world.publish(Self.link(round))
            try await eventually("the rows are claimed") {
                try world.database.run("SELECT count(claim)::text FROM marquee_outbox") == "4"
            }
            if round.isMultiple(of: 2) { try await Task.sleep(for: .milliseconds(200)) }
            try await follower.stop(SIGKILL)
            world.server.signal(SIGCONT)
            if round == 1 {
                _ = try await standby.line(with: " follows ")
                follower = standby
            } else {
                follower = try await world.follow()
            }
            try await Self.expectChain(world, round)
        }
        // Either side goes away and comes back.
        try await world.restartServer()
        try world.database.restart()
        try world.publish(World.put("p", "last"))
        try await world.until("p", is: World.product("p", "last"))
        #expect(try await follower.stop(SIGTERM) == 0)
    }

    @Test func `A publication that arrives after its process was replaced isn't made twice`() async throws {
        let world = try await World()
        defer { world.end() }
        try world.publish(World.put("chain0", "0"))
        let first = try await world.follow()
        try await world.isDrained()
        try await first.stop(SIGTERM)
        // The first text of a position is that of the publication.
        let (late, second) = (
            try HoldingProxy(to: world.port, holdingFrom: "outbox1"),
            try HoldingProxy(to: world.port, holdingFrom: "outbox1")
        )
        defer {
            late.stop()
            second.stop()
        }
        let killed = try world.launch(to: late.port)
        _ = try await killed.line(with: " follows ")
        try world.publish(Self.link(1))
        try await eventually("the publication is on its way") { late.isHolding }
        try await killed.stop(SIGKILL)
        let next = try world.launch(to: second.port)
        try await eventually("the next process has begun") { second.isHolding }
        late.release()
        try await world.until("t1", is: World.product("t1", "T"))
        second.release()
        try await Self.expectChain(world, 1)
        try await next.stop(SIGTERM)
    }

    @Test func `Whatever is killed at whatever moment, each change is committed once and in order`() async throws {
        let world = try await World()
        defer { world.end() }
        try world.publish(World.put("chain0", "0"))
        let isDone = Mutex(false)
        let database = world.database
        async let written = blocking { () -> Int in
            let session = try PostgresSession(at: database.url(user: "app"))
            var count = 0
            while !isDone.withLock({ $0 }) {
                let calls = Self.link(count + 1).map { "SELECT marquee_publish('\($0)')" }.joined(separator: "; ")
                if count.isMultiple(of: 7) { try session.run("BEGIN; \(calls); ROLLBACK") }
                try session.run("BEGIN; \(calls); COMMIT")
                count += 1
                usleep(3_000)
            }
            return count
        }
        var processes = [try world.launch(), try world.launch()]
        for round in 1...12 {
            try await Task.sleep(for: .milliseconds(.random(in: 50...900)))
            if round.isMultiple(of: 4) { try await world.restartServer() }
            try await processes.remove(at: 0).stop(SIGKILL)
            processes.append(try world.launch())
        }
        isDone.withLock { $0 = true }
        try await Self.expectChain(world, try await written)
        for process in processes { try await process.stop(SIGTERM) }
    }

    @Test func `A transaction that doesn't fit is committed in pieces`() async throws {
        let world = try await World()
        defer { world.end() }
        let follower = try await world.follow()
        let before = try world.revision()
        try world.database.run(
            """
            SELECT marquee_publish(jsonb_build_object('put', jsonb_build_object('type', 'product', 'id', 'l' || i, 'record',
                jsonb_build_object('sku', 'l' || i, 'title', repeat('n', 9000))))) FROM generate_series(1, 1500) i
            """)
        try await world.until("l1500", is: World.product("l1500", String(repeating: "n", count: 9_000)))
        try await world.isDrained()
        #expect(try world.records().count == 1_500)
        #expect(try world.changes(after: before).count == 2)
        #expect(follower.output.contains("a transaction is published in pieces"))
        try await follower.stop(SIGTERM)
    }

    @Test func `An administrator is told in SQL what is missing`() async throws {
        let world = try await World(isPrepared: false)
        defer { world.end() }
        try world.database.run("CREATE ROLE follower LOGIN; CREATE ROLE app LOGIN")
        func check() async throws -> String {
            let check = try world.run(["source", "check", "source.yaml"])
            #expect(try await check.ended() == 77, "\(check.output)\(check.errors)")
            return check.output
        }
        let refused = try world.launch()
        #expect(try await refused.ended() == 77)
        #expect(refused.errors.contains("-- there is no table public.marquee_outbox"), "\(refused.errors)")
        for (damage, problem) in [
            ("SELECT 1", "there is no function public.marquee_publish(jsonb)"),
            ("REVOKE DELETE ON marquee_outbox FROM follower", "may not read and empty public.marquee_outbox"),
            ("REVOKE UPDATE (claim) ON marquee_outbox FROM follower", "may not read and empty public.marquee_outbox"),
            ("ALTER TABLE marquee_outbox DROP COLUMN refused", "has no column 'refused'"),
            ("ALTER TABLE marquee_outbox SET UNLOGGED", "is unlogged"),
            ("DROP FUNCTION marquee_publish", "there is no function"),
            ("GRANT EXECUTE ON FUNCTION marquee_publish TO PUBLIC", "every role may publish"),
            ("ALTER FUNCTION marquee_publish RESET search_path", "chooses its search_path"),
        ] {
            try world.database.run(damage)
            var told = try await check()
            #expect(told.contains(problem), "\(told)")
            // A column that is added lacks the right to it.
            for _ in 0..<2 where !told.isEmpty {
                try world.database.run(told)
                let again = try world.run(["source", "check", "source.yaml"])
                told = try await again.ended() == 0 ? "" : again.output
            }
            #expect(told.isEmpty, "\(told)")
        }
        // An application may do nothing else.
        try world.database.run("GRANT EXECUTE ON FUNCTION marquee_publish TO app")
        #expect(throws: PostgresServer.Failure.self) {
            try world.database.run("SELECT changes FROM marquee_outbox", at: world.database.url(user: "app"))
        }
        let follower = try await world.follow()
        try world.publish(World.put("p", "P"))
        try await world.until("p", is: World.product("p", "P"))
        try await follower.stop(SIGTERM)
    }

    @Test func `Another database is named, and what its outbox has is published`() async throws {
        let world = try await World()
        defer { world.end() }
        let follower = try await world.follow()
        try world.publish(World.put("p", "1"))
        try await world.until("p", is: World.product("p", "1"))
        try await follower.stop(SIGTERM)
        let other = try PostgresServer(settings: ["fsync=off"])
        defer { other.stop() }
        try world.follows(other)
        try await world.prepare(other)
        // As if they had been published from there once.
        try other.run("SELECT marquee_publish('\(World.put("p", "2"))'); UPDATE marquee_outbox SET claim = 5")
        let next = try await world.follow()
        #expect(next.output.contains("the database is another one: what public.marquee_outbox has is published"))
        try await world.until("p", is: World.product("p", "2"))
        try await next.stop(SIGTERM)
        let last = try await world.follow()
        #expect(!last.output.contains("another one"))
        let verified = try world.run(["source", "verify", "source.yaml", "--to", world.address])
        #expect(try await verified.ended() == 65)
        #expect(verified.errors.contains("no rows to compare"))
        try await last.stop(SIGTERM)
    }
}
