import Foundation
import ProcessSupport
import Testing

/// `marquee-server follow` beside addresses that misbehave, files that are being written, and lines.
@Suite(.timeLimit(.minutes(10)))
struct FeedTests {
    private typealias Fault = MisbehavingServer.Fault

    private static let products = ["a": "Lamp", "b": "Desk", "c": "Chair", "d": "Shelf"]

    @Test func `However an address misbehaves, its rows arrive once, and those that are the same aren't sent again`()
        async throws
    {
        let web = try await MisbehavingServer()
        web.set("/rows", .init(body: FeedWorld.json(Self.products)))
        let world = try await FeedWorld("http: {url: '\(web.address("/rows"))', every: 1s, timeout: 1s}")
        let follower = try world.launch()
        try await world.until(Self.products)
        var products = Self.products
        let faults: [(String, [Fault])] = [
            ("429", [.status("429 Too Many Requests", ["Retry-After: 1"])]),
            ("500", [.status("500 Internal Server Error")]), ("slow", [.silence]), ("cut", [.cut]),
            ("broken", [.body(#"[{"sku": "a", "title": "Half"}, {"sk"#)]),
            ("a page to log in", [.body("<!DOCTYPE html><title>Log in</title>")]),
            ("gone", [.status("404 Not Found")]), ("304 to everything", [.status("304 Not Modified")]),
        ]
        for (name, fault) in faults {
            let before = try world.revision()
            products["b"] = name
            web.fail(fault)
            web.set("/rows", .init(body: FeedWorld.json(products)))
            try await world.until(products)
            #expect(try world.touched(after: before) == ["b"], "\(name)")
            #expect(try world.changes(after: before).count == 1, "\(name)")
        }
        #expect(!web.hasFaults)

        // Nothing has changed: nothing is read, and nothing published.
        let before = (try world.revision(), web.requests.count)
        try await eventually("it asks again") { web.requests.count >= before.1 + 2 }
        #expect(web.answers.last == "HTTP/1.1 304 Not Modified")
        #expect(try world.revision() == before.0)

        // A number as a text is a number; another text makes no record, and the record stays.
        web.set(
            "/rows",
            .init(
                body:
                    #"[{"sku": "a", "title": "Lamp", "price": "1.5"}, {"sku": "b", "price": "much"}, {"sku": "c"}]"#
            ))
        try await world.until("a", is: #"{"sku":"a","title":"Lamp","price":1.5}"#)
        #expect(try world.records()["b"] != nil && world.records()["d"] == nil)
        _ = try await follower.line(with: "rows: item 2: column 'price': 'much' is not a number")

        let list = try await world.source("list", ["--to", world.address])
        #expect(
            list.status == 0 && list.text.contains("feed    feed1 ") && list.text.contains("'much'"), "\(list.text)")
        #expect(try await follower.stop(SIGINT) == 0)
        #expect(follower.output.contains("feed: stopped"))
        let verified = try await world.source("verify", ["source.yaml", "--to", world.address])
        #expect(verified.status == 0, "\(verified.text)")
        #expect(try await world.source("check", ["source.yaml"]).status == 65, "a row can't be used")
    }

    @Test func `Killed between its reading and the commit, it publishes everything once`() async throws {
        let web = try await MisbehavingServer()
        web.set("/rows", .init(body: FeedWorld.json(Self.products)))
        let world = try await FeedWorld("http: {url: '\(web.address("/rows"))', every: 1s}")
        var follower = try world.launch()
        try await world.until(Self.products)
        var products = Self.products
        for round in 1...2 {
            let before = try world.revision()
            products["a"] = "Round \(round)"
            products["new \(round)"] = "New"
            // It has told the server how it is doing, and would wait for the answer to that.
            let told = web.requests.count
            try await eventually("it asks again") { web.requests.count > told }
            // The server reads no more: a publication waits for its answer, or even to be read.
            world.server.signal(SIGSTOP)
            let asked = web.answers.count
            web.set("/rows", .init(body: FeedWorld.json(products)))
            // A report that is on its way now keeps it from reading: it is killed before that then.
            try? await eventually("the change was read", within: .seconds(10)) {
                web.answers.dropFirst(asked).contains("HTTP/1.1 200 OK")
            }
            try await follower.stop(SIGKILL)
            world.server.signal(SIGCONT)
            follower = try world.launch()
            try await world.until(products)
            #expect(try world.touched(after: before) == ["a", "new \(round)"])
        }
        #expect(try await follower.stop(SIGTERM) == 0)

        // A restart goes on by what is committed, and so does a standby.
        let asked = web.requests.count
        let once = try world.launch(["--once"])
        #expect(try await once.ended() == 0, "\(once.output)\(once.errors)")
        #expect(once.output.contains("feed: nothing has changed"), "\(once.output)")
        #expect(web.answers.dropFirst(asked) == ["HTTP/1.1 304 Not Modified"])
        let both = [try world.launch(), try world.launch()]
        let before = try world.revision()
        products["b"] = "Both"
        web.set("/rows", .init(body: FeedWorld.json(products)))
        try await world.until(products)
        let seen = web.requests.count
        try await eventually("both ask again") { web.requests.count >= seen + 4 }
        #expect(try world.touched(after: before) == ["b"])
        for follower in both { #expect(try await follower.stop(SIGTERM) == 0) }
    }

    @Test func `Less than half of the rows stop it, until they are back or somebody accepts it`() async throws {
        let web = try await MisbehavingServer()
        web.set("/rows", .init(body: FeedWorld.json(Self.products)))
        let world = try await FeedWorld("http: {url: '\(web.address("/rows"))', every: 1s}")
        let follower = try world.launch()
        try await world.until(Self.products)
        let before = try world.revision()
        web.set("/rows", .init(body: "[]"))
        _ = try await follower.line(with: "only 0 of 4 records of product still have a row")
        #expect(try world.revision() == before)
        let products = ["a": "Lamp", "b": "Desk", "e": "New"]
        web.set("/rows", .init(body: FeedWorld.json(products)))
        try await world.until(products)
        #expect(try world.touched(after: before) == ["c", "d", "e"])
        try await follower.stop(SIGTERM)

        web.set("/rows", .init(body: FeedWorld.json(["a": "Lamp"])))
        let refused = try world.launch(["--once"])
        #expect(try await refused.ended() == 65)
        #expect(refused.errors.contains("only 1 of 3 records"), "\(refused.errors)")
        #expect(try await world.launch(["--once", "--accept-fewer"]).ended() == 0)
        try await world.until(["a": "Lamp"])
    }

    @Test func `Pages are one reading: none is missed, and none read again in vain`() async throws {
        let web = try await MisbehavingServer()
        let other = try await MisbehavingServer()
        func set(_ second: String) {
            web.set("/rows?key=1", .init(body: FeedWorld.json(["a": "Lamp", "b": "Desk"]), next: "/rows?page=2"))
            web.set("/rows?page=2", .init(body: FeedWorld.json(["c": second]), next: other.address("/rows")))
            other.set("/rows", .init(body: FeedWorld.json(["d": "Shelf"])))
        }
        set("Chair")
        let headers = "headers: {Authorization: {file: token.txt}, X-Shop: shop}"
        let world = try await FeedWorld(
            "http: {url: '\(web.address("/rows?key=1"))', every: 1s, next: link, \(headers)}")
        let denied = try world.launch(["--once"])
        #expect(try await denied.ended() == 77, "there is no token")
        #expect(denied.errors.contains("token.txt can't be read"), "\(denied.errors)")
        try world.write("token.txt", "Bearer secret\n")
        let follower = try world.launch()
        try await world.until(Self.products)
        #expect(web.requests.allSatisfy { $0.contains("\r\nAuthorization: Bearer secret\r\n") })
        #expect(other.requests.allSatisfy { $0.contains("\r\nX-Shop: shop\r\n") && !$0.contains("secret") })

        let before = try world.revision()
        let seen = web.requests.count
        try await eventually("all pages are asked for again") { web.requests.count >= seen + 4 }
        #expect(web.answers.dropFirst(seen + 1).allSatisfy { $0 == "HTTP/1.1 304 Not Modified" })
        #expect(try world.revision() == before)
        // A page that is gone for a moment takes no rows with it.
        other.fail([.status("404 Not Found"), .status("500 Internal Server Error"), .cut])
        set("Stool")
        var products = Self.products
        products["c"] = "Stool"
        try await world.until(products)
        #expect(try world.touched(after: before) == ["c"])
        #expect(!follower.output.contains("secret") && !follower.output.contains("key=1"))
        try await follower.stop(SIGTERM)
    }

    @Test func `A redirect is followed, and an address without rows is told`()
        async throws
    {
        let web = try await MisbehavingServer()
        web.set("/sheet.csv", .init(body: "sku,title\na,Lamp\nb,\"Desk, large\"\n", isNamed: false))
        let moved = Fault.status("307 Temporary Redirect", ["Location: /sheet.csv"])
        let world = try await FeedWorld("http: '\(web.address("/export?format=csv"))'")
        web.fail([moved, moved])
        #expect(try await world.source("check", ["source.yaml"]).text.contains("rows: 2 rows, 0 bad"))
        web.fail([moved])
        let once = try world.launch(["--once"])
        #expect(try await once.ended() == 0, "\(once.output)\(once.errors)")
        try await world.until(["a": "Lamp", "b": "Desk, large"])
        let gone = try world.launch(["--once"])
        #expect(try await gone.ended() == 69)
        #expect(gone.errors.contains("/export answers 404"), "\(gone.errors)")
    }

    @Test func `A reading too large for one publication is committed in pieces`() async throws {
        let web = try await MisbehavingServer()
        let title = String(repeating: "t", count: 6_000)
        let products = Dictionary(uniqueKeysWithValues: (0..<1_500).map { ("p\($0)", title) })
        web.set("/rows", .init(body: FeedWorld.json(products)))
        let world = try await FeedWorld("http: '\(web.address("/rows"))'")
        #expect(try await world.launch(["--once"]).ended() == 0)
        #expect(try world.records().count == products.count)
        let positions = try world.changes().compactMap { $0.changes.firstMatch(of: #/feed1 \w+ \d+( etag)?/#)?.0 }
        #expect(positions.count > 1)
        #expect(positions.map { $0.hasSuffix(" etag") } == positions.indices.map { $0 == positions.count - 1 })
        let again = try world.launch(["--once"])
        #expect(try await again.ended() == 0)
        #expect(again.output.contains("nothing has changed"), "\(again.output)")
    }

    // MARK: - Files and lines

    @Test func `Files of a folder are read once they are whole`() async throws {
        let world = try await FeedWorld("files: {name: incoming, match: '*.csv', quiet: 500ms}")
        let folder = world.folder.appending(path: "incoming")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try world.write("incoming/1.csv", "sku,title\na,Lamp\nb,Desk\n")
        try world.write("incoming/2.csv", "sku,title\nc,Chair\n")
        let follower = try world.launch()
        try await world.until(["a": "Lamp", "b": "Desk", "c": "Chair"])
        let before = try world.revision()

        // It grows in pieces that aren't whole.
        let file = try FileHandle(forWritingTo: folder.appending(path: "2.csv"))
        try file.seekToEnd()
        try world.write("incoming/3.csv.part", "sku,title\nbroken")
        for part in ["d,Sh", "elf\n", "b,Table", "\n"] {
            try file.write(contentsOf: Data(part.utf8))
        }
        try file.close()
        try await world.until(["a": "Lamp", "b": "Table", "c": "Chair", "d": "Shelf"])
        #expect(try world.changes(after: before).count == 1, "one reading, of the whole file")

        try world.write("incoming/3.csv.part", "sku,title\ne,Rug\n")
        try FileManager.default.moveItem(
            at: folder.appending(path: "3.csv.part"), to: folder.appending(path: "3.csv"))
        try FileManager.default.removeItem(at: folder.appending(path: "2.csv"))
        try await world.until(["a": "Lamp", "b": "Desk", "e": "Rug"])
        #expect(try await follower.stop(SIGTERM) == 0)
    }

    @Test func `Lines are published as they come, and each once, killed or not`() async throws {
        let world = try await FeedWorld("stdin: {position: offset, remove: gone}")
        var lines = ""
        var pipes = 0
        /// Writes to a new pipe from the first line on, as a reader of a topic does.
        func feed() throws -> (FileHandle, RunningProcess) {
            pipes += 1
            let pipe = world.folder.appending(path: "lines \(pipes)")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let descriptor = open(pipe.path, O_RDWR)
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            let process = try world.launch(input: pipe)
            try handle.write(contentsOf: Data(lines.utf8))
            return (handle, process)
        }
        var (input, follower) = try feed()
        func write(_ text: String) throws {
            lines += text
            try input.write(contentsOf: Data(text.utf8))
        }
        try write(
            "{\"offset\": 1, \"sku\": \"a\", \"title\": \"Lamp\"}\n{\"offset\": 2, \"sku\": \"b\", \"title\": \"De")
        try await world.until(["a": "Lamp"])
        try write("sk\"}\nbroken\n")
        try await world.until(["a": "Lamp", "b": "Desk"])
        _ = try await follower.line(with: "line 3: this is not JSON")
        for round in 1...2 {
            let before = try world.revision()
            world.server.signal(SIGSTOP)
            try write("{\"offset\": \(round * 2 + 1), \"sku\": \"a\", \"title\": \"Round \(round)\"}\n")
            try write("{\"offset\": \(round * 2 + 2), \"sku\": \"b\", \"gone\": \(round == 2)}\n")
            try await follower.stop(SIGKILL)
            world.server.signal(SIGCONT)
            (input, follower) = try feed()
            try await world.until("a", is: #"{"sku":"a","title":"Round \#(round)"}"#)
            try await world.until("b", is: round == 2 ? nil : #"{"sku":"b"}"#)
            let touched = try world.touched(after: before)
            #expect(touched == ["a", "b"], "each line once")
        }
        #expect(try await world.source("list", ["--to", world.address]).text.contains("0=6"))
        #expect(try await follower.stop(SIGTERM) == 0)
    }
}
