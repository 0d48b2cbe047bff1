import Foundation
import MarqueeModel
import MarqueeStore
import PostgresSupport
import Testing

@testable import MarqueeClient

/// Servers that share a database, each with clients of its own.
@Suite(.enabled(if: PostgresServer.isFound, "\(PostgresServer.reason)"), .timeLimit(.minutes(10)))
struct SharedDatabaseTests {
    /// Two servers on one database with the sample catalogue.
    private func withNodes(
        _ body: (_ one: Harness, _ two: Harness, PostgresServer) async throws -> Void
    ) async throws {
        let database = try PostgresServer()
        defer { database.stop() }
        let stores = try (0..<2).map { _ in try PostgresStore(url: PostgresURL(database.url())) }
        try Harness.fill(stores[0])
        let (one, two) = (try await Harness(store: stores[0]), try await Harness(store: stores[1]))
        try await body(one, two, database)
        await one.stop()
        await two.stop()
        for store in stores { try store.close() }
    }

    @Test func `Changes made at one server show at the other`() async throws {
        try await withNodes { one, two, _ in
            let (phone, tablet) = (try one.client(user: "mina"), try two.client(user: "mina"))
            var onPhone = phone.screen(.favorites).makeAsyncIterator()
            var onTablet = tablet.screen(.favorites).makeAsyncIterator()
            _ = try await onPhone.first { $0.origin == .live }
            _ = try await onTablet.first { $0.origin == .live }
            try await phone.setFavorite(true, for: .movie(27_205))
            _ = try await onTablet.first { $0.screen.sections.first?.items.map(\.subject) == [.movie(27_205)] }
            try await tablet.setFavorite(true, for: .movie(496_243))
            let both: [Subject?] = [.movie(496_243), .movie(27_205)]
            _ = try await onPhone.first { $0.screen.sections.first?.items.map(\.subject) == both }
            _ = try await onTablet.first { $0.screen.sections.first?.items.map(\.subject) == both }

            var home = tablet.screen(.home).makeAsyncIterator()
            let before = try await home.first { $0.origin == .live }
            try await one.showChart("2024-05-02")
            let after = try await home.first {
                $0.screen.revision.catalogueRevision > before.screen.revision.catalogueRevision
            }
            #expect(after.screen.sections.map(\.sum) == (try await phone.fetchScreen(.home)).sections.map(\.sum))
            await phone.close()
            await tablet.close()
        }
    }

    /// Nobody at the second server shows the favorites, so it hears of the moves and holds none of their content.
    @Test func `A position that another server made is waited for, not refused`() async throws {
        try await withNodes { one, two, _ in
            let writer = try one.client(user: "mina", mirror: "m.sqlite")
            var favorites = writer.screen(.favorites).makeAsyncIterator()
            _ = try await favorites.first { $0.origin == .live }
            let resting = try two.client(user: "mina")
            var home = resting.screen(.home).makeAsyncIterator()
            _ = try await home.first { $0.origin == .live }
            for movie in [27_205, 496_243, 13] as [UInt64] { try await writer.setFavorite(true, for: .movie(movie)) }
            #expect(try await writer.waitForConfirmation(within: .seconds(60)))
            _ = try await favorites.first {
                $0.screen.sections.first?.items.allSatisfy { $0.favorite == .yes } == true
                    && $0.screen.sections.first?.items.count == 3
            }
            await writer.close()

            let relay = try await Relay.start(to: two.server.summary.port)
            let mirror = one.folder.appending(path: "m.sqlite").path
            let moved = try two.client(user: "mina", mirror: mirror, port: relay.port)
            var again = moved.screen(.favorites).makeAsyncIterator()
            let live = try await again.first { $0.origin == .live }
            #expect(live.screen.sections.first?.items.count == 3)
            // Its sums proved its content.
            #expect((relay.passed.withLock { $0[.stage] ?? 0 }) < 8_192)
            await moved.close()
            await resting.close()
        }
    }

    @Test func `While the database is away its servers show what they have, and go on once it is back`() async throws {
        try await withNodes { one, two, database in
            let (phone, tablet) = (try one.client(user: "mina"), try two.client(user: "mina"))
            var onTablet = tablet.screen(.favorites).makeAsyncIterator()
            _ = try await onTablet.first { $0.origin == .live }
            var home = phone.screen(.home).makeAsyncIterator()
            _ = try await home.first { $0.origin == .live }
            let guest = try one.client()
            let before = try await guest.fetchScreen(.home)

            try database.pause()
            let store = try #require(one.store as? PostgresStore)
            try await eventually("the server noticing that its database is away") {
                do throws(StoreError) {
                    try store.check()
                    return false
                } catch {
                    return error.code == .io
                }
            }
            try await phone.setFavorite(true, for: .movie(27_205))
            #expect(try await guest.fetchScreen(.home).sections.map(\.sum) == before.sections.map(\.sum))
            #expect(try await phone.favorites().map(\.mark) == [.pendingYes])
            // New clients are shown everything except collections that the server doesn't hold.
            let newcomers = [try one.client(), try one.client(user: "mina"), try one.client(user: "jun")]
            for newcomer in newcomers { _ = try await newcomer.screen(.home).first { $0.origin == .live } }
            let hers = try await newcomers[1].screen(.favorites).first { $0.origin == .live }
            #expect(hers?.screen.sections.first?.items.isEmpty == true)
            try await newcomers[2].setFavorite(true, for: .movie(27_205))

            try database.resume()
            #expect(try await newcomers[2].waitForConfirmation(within: .seconds(60)))
            #expect(try await phone.waitForConfirmation(within: .seconds(60)))
            _ = try await onTablet.first { $0.screen.sections.first?.items.map(\.subject) == [.movie(27_205)] }
            try await eventually("the server reaching its database again") { (try? store.check()) != nil }
            for client in [phone, tablet, guest] + newcomers { await client.close() }
        }
    }
}

/// The same with processes.
@Suite(.enabled(if: PostgresServer.isFound, "\(PostgresServer.reason)"), .timeLimit(.minutes(10)))
struct SharedDatabaseProcessTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-nodes-\(UUID().uuidString)")

    private func run(_ program: String, _ arguments: String...) async throws -> (Int32?, RunningProcess) {
        let process = try RunningProcess(program, arguments, in: folder)
        return (try await process.ended(), process)
    }

    @Test func `serve --store: changes confirmed by one process survive kill -9 and show at another`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try PostgresServer()
        defer { database.stop() }
        for (kind, file) in [("types", "types.yaml"), ("ndjson", "catalogue.ndjson")] {
            let (status, imported) = try await run(
                "marquee-server", "import", kind, Harness.samples.appending(path: file).path, "--store", database.url())
            #expect(status == 0, "\(imported.errors)")
        }
        let programme = ["--programme", Harness.samples.appending(path: "programme.yaml").path]
        let nodes = try (0..<2).map { _ in
            try ServerProcess(in: folder, database: database.url(), options: programme)
        }
        for node in nodes { try await node.start() }
        let (added, _) = try await run(
            "marquee", "favorite", "add", "27205", "--user", "mina", "--server", nodes[0].address, "--mirror",
            folder.appending(path: "writer.sqlite").path)
        #expect(added == 0)
        try await nodes[0].kill()
        let (_, list) = try await run(
            "marquee", "get", "favorites", "--user", "mina", "--server", nodes[1].address, "--output", "ndjson")
        #expect(list.output.contains("movie/27205"))
        #expect(try await nodes[1].stop() == 0)
    }

    @Test func `An import that waits for a pipe keeps nobody else from publishing`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try PostgresServer()
        defer { database.stop() }
        for (kind, file) in [("types", "types.yaml"), ("ndjson", "catalogue.ndjson")] {
            let (status, imported) = try await run(
                "marquee-server", "import", kind, Harness.samples.appending(path: file).path, "--store", database.url())
            #expect(status == 0, "\(imported.errors)")
        }
        let (pipe, file) = (folder.appending(path: "pipe").path, folder.appending(path: "change.ndjson"))
        try #require(mkfifo(pipe, 0o600) == 0)
        // Doesn't wait for the reader, and the pipe has no end before this is closed.
        let feed = FileHandle(fileDescriptor: open(pipe, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
        let slow = try RunningProcess(
            "marquee-server", ["import", "ndjson", pipe, "--store", database.url()], in: folder)
        // More than fits into one write, so the import would have begun.
        let rows = (1...600).map { Harness.update(680, "\"popularity\": \($0).5") + "\n" }
        try feed.write(contentsOf: Data(rows.joined().utf8))
        try await eventually("that the rows are read") {
            var left: CInt = 0
            return ioctl(feed.fileDescriptor, UInt(FIONREAD), &left) == 0 && left == 0
        }
        try Harness.update(27_205, #""popularity": 9.5"#).write(to: file, atomically: true, encoding: .utf8)
        let (status, published) = try await run(
            "marquee-server", "import", "ndjson", file.path, "--store", database.url())
        #expect(status == 0, "\(published.errors)")
        try feed.write(contentsOf: Data((Harness.update(680, #""popularity": 1.25"#) + "\n").utf8))
        try feed.close()
        #expect(try await slow.ended() == 0, "\(slow.errors)")
        #expect(slow.output.hasPrefix("601 rows: 601 imported"), "\(slow.output)")
    }

    @Test func `A server ends when its logs get new epochs, and serves the database again after that`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try PostgresServer()
        defer { database.stop() }
        let node = try ServerProcess(in: folder, database: database.url())
        try await node.start()
        let (refused, shown) = try await run("marquee-server", "epoch", "new", "--store", database.url())
        #expect(refused == 64 && shown.errors.contains("--force"), "\(shown.errors)")
        for words in ["timeline 1", "last commit    revision 1", "seen more      no client", "still in use by marquee"]
        {
            #expect(shown.output.contains(words), "\(shown.output)")
        }
        let (status, renewed) = try await run("marquee-server", "epoch", "new", "--force", "--store", database.url())
        #expect(status == 0, "\(renewed.errors)")
        #expect(try await node.running?.ended() == 74)
        #expect(node.log.contains("start this server again"))
        try await node.start()
        #expect(try await node.stop() == 0)
    }

    /// Unlike 74, after which systemd starts the service again: a new process wouldn't notice.
    @Test func `A server ends with 65 when its database has lost commits`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try PostgresServer()
        defer { database.stop() }
        let node = try ServerProcess(in: folder, database: database.url())
        try await node.start()
        try database.run("UPDATE catalogue_head SET revision = revision - 1", at: database.url())
        #expect(try await node.running?.ended() == 65)
        #expect(node.log.contains("marquee-server epoch new"))
    }

    @Test func `A server that starts while its database is away waits for it, says so, and serves then`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try PostgresServer()
        defer { database.stop() }
        let store = try PostgresStore(url: PostgresURL(database.url()))
        try Harness.fill(store)
        try store.close()
        try database.pause()
        let node = try ServerProcess(in: folder, database: database.url(), options: ["--admin", "127.0.0.1:0"])
        let process = try node.launch()
        let admin = try await node.admin()
        func reason() async throws -> String {
            let checks = try await admin.get("/ready").object["checks"] as? [String: [String: Any]]
            return checks?["state"]?["reason"] as? String ?? ""
        }
        try await eventually("that it waits; it said \(node.log)") {
            try await reason().hasPrefix("starting: waiting for the store: the PostgreSQL database")
        }
        #expect(try await admin.get("/ready").status == 503)
        #expect(try await admin.get("/metrics").metric("marquee_source_up") == 0)
        try await eventually("a line about it") { node.log.contains("waiting for the store, trying again") }
        // Somebody who wants it to end doesn't wait.
        process.signal(SIGTERM)
        #expect(try await process.ended() == 0, "\(node.log)")

        let again = try node.launch()
        try await eventually("a line about it") { node.log.contains("waiting for the store, trying again") }
        try database.resume()
        _ = try await again.line(with: " ready on ")
        let ready = try await node.admin().get("/ready")
        #expect(ready.status == 200, "\(ready.body)")
        #expect(ready.object["writable"] as? Bool == true)
        #expect(try await node.stop() == 0)
    }

    @Test func `A server that loses its database still gets clients, and says how long it has been without`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try PostgresServer()
        defer { database.stop() }
        let node = try ServerProcess(in: folder, database: database.url(), options: ["--admin", "127.0.0.1:0"])
        try await node.start()
        let admin = try await node.admin()
        #expect(try await admin.get("/writable").status == 200)
        try database.pause()
        try await eventually("that it notices") { try await admin.get("/writable").status == 503 }
        let ready = try await admin.get("/ready")
        #expect(ready.status == 200, "\(ready.body)")
        #expect(ready.object["writable"] as? Bool == false)
        let store = try #require((ready.object["checks"] as? [String: [String: Any]])?["store"])
        #expect((store["reason"] as? String)?.contains("can't be reached") == true)
        #expect(store["seconds"] is Int)
        // Figures are at most a second old.
        try await eventually("that metrics say so") {
            let metrics = try await admin.get("/metrics")
            return metrics.metric("marquee_source_up") == 0
                && metrics.metric("marquee_stale_seconds").map { $0 > 0 } == true
        }
        let (status, health) = try await run("marquee", "health", "--server", node.address)
        #expect(status == 0 && health.output.contains("stale: what is shown may be "), "\(health.output)")
        #expect(health.output.contains("not writable: no change could be stored for "), "\(health.output)")
        try database.resume()
        try await eventually("that it has it again") { try await admin.get("/writable").status == 200 }
        #expect(node.log.contains("the store can be reached again"))
        #expect(try await node.stop() == 0)
    }

    @Test func `An unreachable database is reported in one line, without its password`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (status, process) = try await run(
            "marquee-server", "epoch", "new", "--store", "postgres://mina:sesame@127.0.0.1:1/nowhere")
        #expect(status == 69)
        #expect(process.errors.contains("the PostgreSQL database 'nowhere' at 127.0.0.1:1"))
        #expect(!process.errors.contains("sesame"))
        #expect(try await run("marquee-server", "serve", "--store", "mysql://x").0 == 64)
        #expect(try await run("marquee-server", "serve").0 == 64)
    }
}
