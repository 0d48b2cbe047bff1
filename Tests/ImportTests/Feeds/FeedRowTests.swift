import Foundation
import MarqueeCatalogue
import MarqueeDiff
import MarqueeTypes
import Testing

@testable import MarqueeImport

/// Rows of a source that is read as a whole, or line by line, beside what a catalogue holds.
@Suite struct FeedRowTests {
    private static let declarations = "types:\n  product: {fields: {sku: text, title: text, price: number}, id: sku}\n"

    private static func types() throws -> TypeSet { try TypeSet(declarations, file: "types.yaml", descriptors: []) }

    private static func source(_ origin: String, mapping: String = "") throws -> SourceFile {
        try SourceFile(yaml: "source: s\n\(origin)\ntables: {rows: {type: product\(mapping)}}\n", file: "source.yaml")
    }

    private static func rows(
        _ pages: [String], format: RecordFile.Format? = nil, path: [String] = []
    ) throws -> (rows: [FollowedDatabase.Row], notes: [String]) {
        var settings = RecordFile(path: "https://api.example/rows")
        (settings.format, settings.rows) = (format, path)
        var feed = FeedPages(settings)
        for page in pages { try feed.append(Array(page.utf8)) }
        let table = try FeedTable(try #require(source("http: https://api.example/rows").tables.first), types())
        var rows: [FollowedDatabase.Row] = []
        let notes = try table.each(of: feed, shouldContinue: { true }) { (row) throws(ImportError) in rows.append(row) }
        return (rows, notes)
    }

    private static func ids(_ rows: [FollowedDatabase.Row]) -> [String] {
        rows.map { row in
            switch row {
            case .record(let id, _): id
            case .bad(let id, _): "bad \(id ?? "?")"
            }
        }
    }

    @Test func `Pages are read one after the other, each as a file of its own`() throws {
        #expect(Self.ids(try Self.rows(["sku,title\na,A\n", "title,sku\nB,b\n"]).rows) == ["a", "b"])
        #expect(
            Self.ids(
                try Self.rows([#"{"d": [{"sku": "a"}]}"#, #"{"d": []}"#, #"{"d": [{"sku": 2}]}"#], path: ["d"]).rows)
                == ["a", "2"])
        #expect(Self.ids(try Self.rows(["{\"sku\": \"a\"}\n{\"sku\": \"b\"}"]).rows) == ["a", "b"])
        #expect(try Self.rows(["sku,colour\na,red\n"]).notes == ["not imported: the column 'colour'"])
        for broken in [#"{"d": [{"sku": "a"}"#, "<!DOCTYPE html><p>Log in", ""] {
            #expect(throws: ImportError.self) { try Self.rows([#"{"d": [{"sku": "a"}]}"#, broken], path: ["d"]) }
        }
    }

    @Test func `A number may be a text; another text makes no record, and its id is known`() throws {
        let rows = try Self.rows([#"[{"sku": "a", "price": "1.5"}, {"sku": "b", "price": "much"}, {"price": 1}, 7]"#])
            .rows
        #expect(Self.ids(rows) == ["a", "bad b", "bad ?", "bad ?"])
        guard case .record(_, let text) = rows[0],
            case .record(_, let number)? = try Self.rows([#"[{"sku": "a", "price": 1.5}]"#]).rows.first
        else { throw ImportError(.malformed, "no record") }
        #expect(text == number)
    }

    @Test func `The value that leads to the next page is found`() throws {
        func cursor(_ text: String) throws -> String? {
            var pages = FeedPages(RecordFile(path: "https://api.example/rows"))
            try pages.append(Array(text.utf8))
            return try pages.cursor(at: ["meta", "next"])
        }
        #expect(try cursor(#"{"meta": {"next": "abc"}}"#) == "abc")
        #expect(try cursor(#"{"meta": {"next": 12}}"#) == "12")
        for end in [
            #"{"meta": {"next": null}}"#, #"{"meta": {"next": ""}}"#, #"{"meta": {}}"#, "{}",
            #"{"meta": {"next": false}}"#,
        ] {
            #expect(try cursor(end) == nil)
        }
        #expect(throws: ImportError.self) { try cursor(#"{"meta": {"next": {}}}"#) }
    }

    // MARK: - Comparing

    private static func comparison(
        _ rows: [FollowedDatabase.Row], held: [String: [UInt8]]
    ) throws -> FeedComparison.Differences {
        var comparison = FeedComparison()
        let held = held.sorted { $0.key < $1.key }
        try comparison.hold(held.map(\.key), held.map { XXH64.hash($0.value) })
        for row in rows { try comparison.meet(row) }
        return comparison.differences()
    }

    @Test func `Only what differs is published, and of rows with one id the last`() throws {
        var differences = try Self.comparison(
            [
                .record(id: "same", bytes: [1]), .record(id: "twice", bytes: [9]), .record(id: "new", bytes: [3]),
                .record(id: "other", bytes: [4]), .record(id: "twice", bytes: [2]), .bad(id: "bad", reason: "x"),
            ], held: ["same": [1], "twice": [2], "other": [5], "bad": [6], "gone": [7]])
        #expect(differences.gone == ["gone"])
        #expect((differences.same, differences.changed, differences.new) == (2, 1, 1))
        let rows: [(String, UInt8)] = [("twice", 9), ("twice", 2), ("new", 4), ("new", 3), ("other", 4), ("new", 3)]
        var taken: [Bool] = []
        for (id, byte) in rows { taken.append(differences.take(id: id, [byte])) }
        #expect(taken == [false, false, false, true, true, false], "a row that has changed since isn't the one")
    }

    @Test func `Records without a row leave, unless less than half have one or a row can't be told`() throws {
        let held = Dictionary(uniqueKeysWithValues: (0..<4).map { ("\($0)", [UInt8($0)]) })
        let half: [FollowedDatabase.Row] = [.record(id: "0", bytes: [0]), .bad(id: "1", reason: "x")]
        #expect(try Self.comparison(half, held: held).gone == ["2", "3"])
        #expect(try !Self.comparison(half, held: held).isSuspicious)
        #expect(try Self.comparison([half[0]], held: held).isSuspicious)
        #expect(try Self.comparison([], held: held).isSuspicious)
        #expect(try !Self.comparison([], held: [:]).isSuspicious)
        let blind = try Self.comparison([half[0], .bad(id: nil, reason: "x")], held: held)
        #expect(blind.gone == [] && !blind.isSuspicious)
    }

    // MARK: - Files

    @Test func `Files are read once they have stayed as they are`() {
        func stamp(_ bytes: Int64) -> [String: FileCourse.Stamp] {
            ["a": FileCourse.Stamp(bytes: bytes, modified: 1, number: 1)]
        }
        var course = FileCourse(quiet: 100)
        var looks: [Bool] = []
        func look(_ found: [String: FileCourse.Stamp], _ now: UInt64) { looks.append(course.look(found, now: now)) }
        for (bytes, now) in [(1, 0), (2, 90), (2, 189), (2, 190)] { look(stamp(Int64(bytes)), UInt64(now)) }
        #expect(looks == [false, false, false, true], "not while it is being written")
        var isSame = course.isSame(stamp(3), now: 195)
        #expect(!isSame, "it has changed while it was read")
        looks = []
        for now in [200, 295] { look(stamp(3), UInt64(now)) }
        #expect(looks == [false, true])
        isSame = course.isSame(stamp(3), now: 296)
        #expect(isSame)
        course.compared()
        looks = []
        look(stamp(3), 1_000)
        for now in [1_000, 1_100] { look([:], UInt64(now)) }
        #expect(looks == [false, false, true])
    }

    @Test func `Files count by their names, unless they are being written`() throws {
        guard case .files(let feed) = try Self.source("files: {name: incoming, match: '*.csv'}").origin else {
            throw ImportError(.malformed, "no files")
        }
        #expect(feed.path == "incoming" && feed.quiet == 2_000)
        #expect(feed.matches("a.csv"))
        #expect(!feed.matches("a.tsv") && !feed.matches(".a.csv") && !feed.matches("a.csv.part"))
        #expect(feed.pages(["b", "a"]).files.map(\.path) == ["a", "b"])
    }

    // MARK: - Lines

    @Test func `Lines may come in pieces, and one that is too long is left out`() {
        var splitter = LineSplitter()
        #expect(splitter.take(Array("{\"a\":".utf8)) == [])
        #expect(splitter.take(Array("1}\r\n\n  \n2".utf8)) == [.text(Array("{\"a\":1}".utf8))])
        #expect(splitter.take(Array("3\n".utf8)) == [.text(Array("23".utf8))])
        let piece = [UInt8](repeating: 0x61, count: LineSplitter.lineBytes / 2 + 1)
        for _ in 0..<3 { #expect(splitter.take(piece) == []) }
        #expect(splitter.take(Array("\nb".utf8)) == [.tooLong])
        #expect(splitter.end() == .text(Array("b".utf8)))
        #expect(splitter.end() == nil)
    }

    private static func lines(_ origin: String, _ mapping: String = "", at position: LinePosition? = nil) throws
        -> LineRows
    {
        let source = try source(origin, mapping: mapping)
        guard case .lines(let feed) = source.origin else { throw ImportError(.malformed, "no lines") }
        return try LineRows(feed, source.tables, types(), from: position ?? LinePosition(shape: "5f"))
    }

    private static func read(_ line: String, _ rows: inout LineRows) -> [String] {
        rows.read(.text(Array(line.utf8))).map { step in
            switch step {
            case .put(let id, _): "put \(id.id)"
            case .remove(let id): "remove \(id.id)"
            case .bad(let reason): reason
            }
        }
    }

    @Test func `A line is published if its record differs from the catalogue's`() throws {
        var rows = try Self.lines("stdin: {remove: gone}")
        #expect(Self.read(#"{"sku": "a", "price": 1}"#, &rows) == ["put a"])
        #expect(Self.read(#"{"sku": "a", "price": "1"}"#, &rows) == [])
        #expect(Self.read(#"{"sku": "a", "gone": "true", "price": "x"}"#, &rows) == ["remove a"])
        #expect(Self.read(#"{"sku": "a", "gone": true}"#, &rows) == [], "there is none any more")
        #expect(Self.read(#"{"sku": "b", "gone": false}"#, &rows) == ["put b"])
        #expect(Self.read("[1]", &rows) == ["line 6: an object is expected, not a list"])
        #expect(
            Self.read(#"{"sku": "c", "price": "x"}"#, &rows).first?.hasPrefix("line 7: column 'price': 'x'") == true)
    }

    @Test func `A line that was published before a restart isn't read again`() throws {
        let mapping = ", map: {sku: payload.sku, title: payload.title}"
        let origin = "stdin: {position: offset, partition: partition}"
        func line(_ partition: Int, _ offset: Int, _ sku: String) -> String {
            #"{"partition": \#(partition), "offset": \#(offset), "payload": "{\"sku\": \"\#(sku)\"}"}"#
        }
        var rows = try Self.lines(origin, mapping)
        #expect(Self.read(line(0, 5, "a"), &rows) == ["put a"])
        #expect(Self.read(line(1, 2, "b"), &rows) == ["put b"])
        #expect(Self.read(line(0, 5, "c"), &rows) == [])
        rows.published()
        #expect(rows.position.description == "lines1 5f 1 0=5 1=2")
        rows = try Self.lines(origin, mapping, at: LinePosition(rows.position.description))
        #expect(Self.read(line(1, 2, "d"), &rows) == [])
        #expect(Self.read(line(1, 3, "e"), &rows) == ["put e"])
        #expect(
            Self.read(#"{"payload": {"sku": "f"}}"#, &rows) == [
                "line 3: 'offset' is missing, and the position is made of it"
            ])
        for partition in 2..<LinePosition.partitions { _ = Self.read(line(partition, 1, "g"), &rows) }
        #expect(Self.read(line(99, 1, "h"), &rows).first?.contains("more than 10 partitions") == true)
        #expect(rows.position.description.utf8.count <= 256)
        #expect(LinePosition("feed1 5f 1") == nil && LinePosition("lines1 5f 1 0=x") == nil)
    }

    // MARK: - The source file

    private static func mistakes(_ origin: String, table: String = "") -> [String] {
        do {
            _ = try source(origin, mapping: table)
            return []
        } catch let error as FileMistakes {
            return error.mistakes.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `An address has its settings`() throws {
        let text = """
            http:
              url: https://api.example/rows?key=1#top
              every: 5m
              timeout: 10s
              headers: {Authorization: {file: token.txt}, Accept-Language: ko}
              path: result.items
              next: {cursor: meta.next, parameter: after}
              pages: 20
              bytes: 1048576
            """
        guard case .http(let feed) = try Self.source(text).origin else { throw ImportError(.malformed, "no address") }
        #expect(feed.address.text == "https://api.example/rows?key=1")
        #expect(feed.address.description == "https://api.example/rows", "a query may have a key in it")
        #expect((feed.interval, feed.timeout, feed.bytes, feed.pages) == (300_000, 10_000, 1 << 20, 20))
        #expect(feed.headers.map(\.value) == [.file("token.txt"), .text("ko")])
        #expect(feed.paging == .cursor(path: ["meta", "next"], parameter: "after"))
        #expect(feed.file.rows == ["result", "items"])
        #expect(
            try Self.source(text).feedShape(Self.types())
                != Self.source("http: https://api.example/").feedShape(Self.types()))
    }

    @Test(arguments: [
        (
            "http: ftp://api.example/",
            "source.yaml:2: 'url': an address is expected, such as https://api.example/products"
        ),
        ("http: https://a:b@api.example/", "send them as a header from a file"),
        ("http: {url: https://a.example/, every: 5}", "'every' is a time from 1s to 7d, such as 30s or 5m, not '5'"),
        ("http: {url: https://a.example/, every: 100ms}", "not '100ms'"),
        ("http: {url: https://a.example/, headers: {authorization: Bearer x}}", "authorization: {file: token.txt}"),
        (
            "http: {url: https://a.example/, headers: {Host: x}}",
            "the header 'Host' follows from the request; leave it out"
        ),
        ("http: {url: https://a.example/, headers: {X: {fil: x, file: y}}}", "did you mean 'file'?"),
        ("http: {url: https://a.example/, next: page}", "'next' is link, or {cursor: meta.next, parameter: after}"),
        ("http: {url: https://a.example/, pages: 3}", "'pages' goes with 'next'"),
        ("http: {url: https://a.example/, bytes: 1}", "'bytes' must be from 1024"),
        ("http: {url: https://a.example/, form: csv}", "did you mean 'format'?"),
        ("http: {every: 5m}", "'http' needs 'url'"),
        ("files: {name: incoming, quiet: 9}", "'quiet' is a time from 100ms to 1h"),
        ("files: '-'", "stdin: ndjson"),
        ("stdin: csv", "'stdin' is ndjson, or {position: offset"),
        ("stdin: {partition: p}", "'partition' goes with 'position'"),
    ])
    func `A mistake in a source file names its line and the cure`(origin: String, words: String) {
        let mistakes = Self.mistakes(origin)
        #expect(mistakes.count == 1 && mistakes.first?.contains(words) == true, "\(mistakes)")
        #expect(mistakes.first?.hasPrefix("source.yaml:2: ") == true, "\(mistakes)")
    }

    @Test func `All mistakes of an address are told, and tables of one have no condition`() throws {
        #expect(Self.mistakes("http: {url: x, every: x, next: x}").count == 3)
        #expect(
            Self.mistakes("http: https://a.example/", table: ", where: x").first?.contains("tables of a database")
                == true)
        #expect(try !Self.source("http: https://a.example/").isImported)
        #expect(try Self.source("file: rows.csv").isImported)
    }
}
