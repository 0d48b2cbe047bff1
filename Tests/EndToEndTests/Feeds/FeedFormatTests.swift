import Foundation
import GRDB
import ProcessSupport
import Testing

/// `marquee-server follow` beside news in RSS and Atom, and an SQLite file that somebody writes.
@Suite(.timeLimit(.minutes(10)))
struct FeedFormatTests {
    private static func rss(_ items: [String: String]) -> String {
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title>"
            + items.sorted { $0.key < $1.key }.map { "<item><guid>\($0.key)</guid><title>\($0.value)</title></item>" }
            .joined() + "</channel></rss>"
    }

    @Test func `The items of a news feed are records, and a feed that is cut off removes none`() async throws {
        var news = ["n-1": "Rain", "n-2": "Snow", "n-3": "Hail"]
        let web = try await MisbehavingServer()
        web.set("/news", .init(body: Self.rss(news)))
        let world = try await FeedWorld("http: {url: '\(web.address("/news"))', every: 1s}", table: ", map: {sku: id}")
        let follower = try world.launch()
        try await world.until(news)
        let whole = Self.rss(news)
        for fault in [
            MisbehavingServer.Fault.cut, .body(String(whole.prefix(whole.count / 2))), .body("<rss/>"),
            .body("<!DOCTYPE rss [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><rss><channel>&x;</channel></rss>"),
            .status("503 Service Unavailable"),
        ] {
            let before = try world.revision()
            news["n-2"] = "\(fault)".filter { $0.isLetter }
            web.fail([fault])
            web.set("/news", .init(body: Self.rss(news)))
            try await world.until(news)
            #expect(try world.touched(after: before) == ["n-2"])
        }
        #expect(try await follower.stop(SIGTERM) == 0)

        // Atom, in a folder.
        let files = try await FeedWorld("files: {name: news, quiet: 200ms}", table: ", map: {sku: id}")
        try FileManager.default.createDirectory(
            at: files.folder.appending(path: "news"), withIntermediateDirectories: true)
        try files.write(
            "news/a.xml",
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>urn:1</id><title>Rain</title></entry></feed>")
        try files.write("news/b.xml", Self.rss(["n-1": "Snow"]))
        #expect(try await files.launch(["--once"]).ended() == 0)
        try await files.until(["urn:1": "Rain", "n-1": "Snow"])
    }

    @Test func `An SQLite file is followed as others write it, and only differences are published`() async throws {
        let world = try await FeedWorld("sqlite: {file: shop.db, every: 200ms}", table: ", where: hidden = 0")
        let path = world.folder.appending(path: "shop.db").path
        let missing = try world.launch(["--once"])
        #expect(try await missing.ended() == 66, "\(missing.errors)")
        let follower = try world.launch()
        _ = try await follower.line(with: "shop.db can't be read")

        func database(_ path: String) throws -> DatabaseQueue {
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE rows (sku TEXT PRIMARY KEY, title TEXT, hidden INTEGER NOT NULL DEFAULT 0);
                        INSERT INTO rows (sku, title) VALUES ('a', 'Lamp'), ('b', 'Desk'), ('c', 'Chair');
                        """)
            }
            return queue
        }
        var products = ["a": "Lamp", "b": "Desk", "c": "Chair"]
        let writer = try database(path)
        func write(_ sql: String) throws { try writer.write { try $0.execute(sql: sql) } }
        try await world.until(products)
        for mode in ["DELETE", "WAL"] {
            _ = try await writer.writeWithoutTransaction {
                try String.fetchOne($0, sql: "PRAGMA journal_mode = \(mode)")
            }
            var before = try world.revision()
            products["b"] = mode
            try write("UPDATE rows SET title = '\(mode)' WHERE sku = 'b'")
            try await world.until(products)
            #expect(try world.touched(after: before) == ["b"])
            before = try world.revision()
            // Rows that no record is made of.
            try write("INSERT INTO rows (sku, hidden) VALUES ('x \(mode)', 1)")
            try await Task.sleep(for: .seconds(1))
            #expect(try world.revision() == before)
        }
        // Killed and started again, it goes on.
        let before = try world.revision()
        try await follower.stop(SIGKILL)
        products["c"] = nil
        products["d"] = "Shelf"
        try write("DELETE FROM rows WHERE sku = 'c'; INSERT INTO rows (sku, title) VALUES ('d', 'Shelf')")
        let again = try world.launch()
        try await world.until(products)
        #expect(try world.touched(after: before) == ["c", "d"])

        // The table goes away, and a file with less than half of it comes: nothing is published.
        let last = try world.revision()
        try write("ALTER TABLE rows RENAME TO old")
        _ = try await again.line(with: "has no table 'rows'")
        try write("ALTER TABLE old RENAME TO rows; UPDATE rows SET hidden = 1 WHERE sku <> 'a'")
        _ = try await again.line(with: "only 1 of 3 records of product still have a row")
        #expect(try world.revision() == last)
        try writer.close()
        let other = try database(world.folder.appending(path: "new.db").path)
        try other.close()
        #expect(rename(world.folder.appending(path: "new.db").path, path) == 0)
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        try await world.until(["a": "Lamp", "b": "Desk", "c": "Chair"])
        #expect(try await again.stop(SIGINT) == 0)
        let verified = try await world.source("verify", ["source.yaml", "--to", world.address])
        #expect(verified.status == 0, "\(verified.text)")
        #expect(try await world.source("check", ["source.yaml"]).text.contains("rows: 3 rows, 0 bad"))
    }
}
