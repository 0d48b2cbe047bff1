import Foundation
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import PresetSupport
import SeededRandom
import Testing

@testable import MarqueeImport

/// An import is kept whole or not at all.
@Suite struct ImportRunTests {
    private static let header =
        "date,rank,release_id,title,gross_usd,theaters,gross_to_date_usd,days_in_release,distributor\n"

    private let folder: ImportFolder
    private let store: SQLiteStore

    init() throws {
        folder = try ImportFolder()
        store = try SQLiteStore(folder: "\(folder.path)/data")
    }

    private func run(
        _ file: String, _ tolerance: ImportTolerance = .half, dry: Bool = false, encoding: TextEncoding? = nil
    ) throws -> ImportRun.Result {
        try ImportRun(tolerance: tolerance, isRehearsal: dry).run(in: store) { (writer) throws(ImportError) in
            try Importer(store: writer, encoding: encoding).chart(file: file, id: "us")
        }
    }

    /// EUC-KR, by its Core Foundation constant.
    private static let korean = String.Encoding(rawValue: 0x8000_0940)

    private static func rows(good: Int, bad: Int) -> String {
        header + (0..<good).map { "2014-01-01,\($0 + 1),g\($0),T,1,1,1,1,\n" }.joined()
            + (0..<bad).map { "2014-01-01,x,b\($0),T,1,1,1,1,\n" }.joined()
    }

    @Test(arguments: [
        (5, 5, ImportTolerance.half, true), (5, 6, .half, false), (5, 1, .none, false), (5, 0, .none, true),
        (5, 2, .rows(2), true), (5, 3, .rows(2), false), (98, 2, .percent(2), true), (97, 3, .percent(2), false),
        (0, 3, .percent(100), false), (0, 0, .half, false),
    ])
    func `More bad rows than are allowed leave nothing behind`(
        good: Int, bad: Int, tolerance: ImportTolerance, isKept: Bool
    ) throws {
        let before = try store.catalogueHead()
        let result = try run(folder.file("c.csv", ImportRunTests.rows(good: good, bad: bad)), tolerance)
        #expect((result.refusal == nil) == isKept)
        #expect(result.report.bad == bad)
        if isKept {
            #expect(try store.chartDays().first?.entries.count == good)
        } else {
            #expect(try store.catalogueHead() == before)
            #expect(try store.allChanges() == [])
        }
    }

    @Test func `A rehearsal reports the outcome and changes nothing`() throws {
        let file = try folder.file("c.csv", ImportRunTests.rows(good: 3, bad: 1))
        let before = try store.catalogueHead()
        let rehearsal = try run(file, dry: true)
        #expect(rehearsal.refusal == nil)
        #expect(try store.catalogueHead() == before)
        let real = try run(file)
        #expect(real.report == rehearsal.report)
        #expect(try store.catalogueHead() != before)
    }

    @Test func `A refusal names the numbers of rows`() throws {
        let result = try run(folder.file("c.csv", ImportRunTests.rows(good: 5, bad: 6)))
        #expect(result.refusal == "6 of 11 rows can't be used, where 50 % are allowed")
        let strict = try run(folder.file("c.csv", ImportRunTests.rows(good: 5, bad: 1)), .none)
        #expect(strict.refusal == "1 of 6 rows can't be used, and none is allowed")
        #expect(try run(folder.file("c.csv", ImportRunTests.header)).refusal == "it has no rows")
    }

    @Test(arguments: [("20", ImportTolerance.rows(20)), ("0", .rows(0)), ("5%", .percent(5)), ("0.5%", .percent(0.5))])
    func `A tolerance is a number of rows or a share`(text: String, tolerance: ImportTolerance) {
        #expect(ImportTolerance(text) == tolerance)
    }

    @Test(arguments: ["", "-1", "101%", "x", "%", "nan%", "5 %%"])
    func `Invalid tolerances are refused`(text: String) { #expect(ImportTolerance(text) == nil) }

    // MARK: - Wrong files

    @Test func `Another encoding is suggested, and read when it is named`() throws {
        let titles = ["휴민트", "만약에 우리", "왕과 사는 남자"]
        let text =
            ImportRunTests.header + titles.enumerated().map { "2026-01-20,\($0 + 1),r\($0),\($1),1,1,1,1,\n" }.joined()
        let file = try folder.file("k.csv", try #require(text.data(using: ImportRunTests.korean)))
        let result = try run(file)
        #expect(result.refusal?.contains("no row can be used. Most of them are not UTF-8 text") == true)
        #expect(result.refusal?.contains("--encoding cp949") == true)
        #expect(try store.chartDays() == [])
        for name in ["cp949", "EUC-KR"] {
            let encoding: TextEncoding = try #require(TextEncoding(name))
            #expect(try run(file, .none, encoding: encoding).refusal == nil)
            #expect(try store.chartDays().first?.entries.map(\.title) == titles)
        }
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func `UTF-16 is read by its byte order mark, and suggested without one, but not for zeros`(
        encoding: String.Encoding
    ) throws {
        let text = ImportRunTests.header + "2026-01-20,1,r,Amélie 기생충,1,1,1,1,\n"
        let marked = try folder.file("m.csv", try #require("\u{FEFF}\(text)".data(using: encoding)))
        #expect(try run(marked, .none).refusal == nil)
        #expect(try store.chartDays().first?.entries.map(\.title) == ["Amélie 기생충"])
        let bare = try folder.file("b.csv", try #require(text.data(using: encoding)))
        let error = #expect(throws: ImportError.self) { try run(bare) }
        #expect(error?.message.contains("looks like UTF-16") == true)
        let zeros = try folder.file("z.csv", Data(count: 300))
        let unwritten = #expect(throws: ImportError.self) { try run(zeros) }
        #expect(unwritten?.message.hasSuffix("z.csv begins with 300 zero bytes: it was never written whole") == true)
    }

    @Test func `Characters stay whole wherever the file is cut`() throws {
        // Longer than one read, so that a character straddles the boundary.
        let title = String(repeating: "가", count: 1_300)
        let rows = (0..<60).map {
            "2026-01-20,\($0 + 1),r\($0),\(String(repeating: "x", count: $0 % 2))\(title),1,1,1,1,\n"
        }
        let file = try folder.file(
            "long.csv", try #require((ImportRunTests.header + rows.joined()).data(using: .utf16LittleEndian)))
        let encoding: TextEncoding = try #require(TextEncoding("utf-16le"))
        #expect(try run(file, .none, encoding: encoding).refusal == nil)
        #expect(try store.chartDays().first?.entries.allSatisfy { $0.title.hasSuffix(title) } == true)
    }

    @Test(arguments: [
        (Data("PK\u{3}\u{4}rest".utf8), "zip archive"), (Data("<!DOCTYPE html><html>".utf8), "page of HTML"),
        (Data("  <HTML><body>".utf8), "page of HTML"), (Data("%PDF-1.4".utf8), "PDF"),
        (Data([0xFD]) + Data("7zXZ".utf8), "xz"),
    ])
    func `A file of another kind is named in the error`(content: Data, name: String) throws {
        let error = #expect(throws: ImportError.self) { try run(folder.file("f", content)) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(name) == true)
    }

    @Test func `A file with an unclosed quote changes nothing`() throws {
        let text = ImportRunTests.rows(good: 30, bad: 0) + "2014-01-02,1,q,\"The End,1,1,1,1,\n"
        let error = #expect(throws: ImportError.self) { try run(folder.file("q.csv", text)) }
        #expect(error?.message.contains("q.csv:32:") == true)
        #expect(try store.allChanges() == [])
    }

    @Test func `Rows swallowed by a stray quote are counted`() throws {
        let lines = (0..<9).map { row in
            "2014-01-01,\(row + 1),r\(row)\(row == 7 ? "\"" : ""),\(row == 2 ? "\"" : "")T,1,1,1,1,\n"
        }
        let result = try run(folder.file("s.csv", ImportRunTests.header + lines.joined()))
        #expect(result.report.rows == 9)
        #expect(result.report.bad == 6)
        #expect(result.report.problems.first?.line == 4)
        #expect(result.report.problems.first?.reason.contains("goes on to line 9") == true)
        #expect(result.refusal?.contains("is a quote missing") == true)
    }

    @Test func `A cancelled import keeps nothing`() throws {
        let file = try folder.file("c.csv", ImportRunTests.rows(good: 500, bad: 0))
        let error = #expect(throws: ImportError.self) {
            try ImportRun(tolerance: .half).run(in: store) { (writer) throws(ImportError) in
                try Importer(store: writer, shouldContinue: { false }).chart(file: file, id: "us")
            }
        }
        #expect(error?.code == .cancelled)
        #expect(try store.allChanges() == [])
    }

    @Test func `One bad section of a page replaces none of it`() throws {
        func plist(_ sections: [Any]) throws -> ImportRun.Result {
            let data = try PropertyListSerialization.data(fromPropertyList: sections, format: .xml, options: 0)
            let file = try folder.file("p.plist", data)
            return try ImportRun(tolerance: .none).run(in: store) { (writer) throws(ImportError) in
                try Importer(store: writer).plist(file: file, page: "home")
            }
        }
        let good: [String: Any] = ["sectionType": "basic", "contentItem": [["imageName": "a.jpg"]]]
        #expect(try plist([good]).refusal == nil)
        let before = try store.allChanges()
        let result = try plist([
            ["sectionType": "main", "contentItem": [["imageName": "z.jpg"]]], ["sectionName": "x"], good,
        ])
        #expect(result.refusal == "1 of 3 rows can't be used, and none is allowed")
        #expect(result.report.problems.first?.reason == "section 2 'x': 'sectionType' is missing")
        #expect(try store.allChanges() == before)
    }
}

/// Real files with realistic damage.
@Suite(.enabled(if: RealData.isPresent, Comment(rawValue: RealData.howToSet)))
struct DamagedRealDataTests {
    private let folder: ImportFolder
    private let store = MemoryStore()

    init() throws {
        folder = try ImportFolder()
    }

    private func run(_ file: String, _ tolerance: ImportTolerance = .half) throws -> ImportRun.Result {
        try ImportRun(tolerance: tolerance).run(in: store) { (writer) throws(ImportError) in
            try Importer(store: writer).chart(file: file, id: "us")
        }
    }

    @Test func `A truncated gzip file is reported and changes nothing`() throws {
        let whole = try Data(
            contentsOf: URL(fileURLWithPath: RealData.path("rank_series/us_boxoffice_daily_2014.csv.gz")))
        let file = try folder.file("cut.csv.gz", whole.prefix(whole.count / 2))
        let error = #expect(throws: ImportError.self) { try run(file) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("the file was cut off") == true)
        #expect(try store.allChanges() == [])
    }

    @Test func `A year of charts is the same in any order of rows`() throws {
        let path = try RealData.path("rank_series/us_boxoffice_daily_2014.csv.gz")
        #expect(try run(path, .none).report.imported == 17_677)
        let ordered = try store.allChanges()
        let lines = String(decoding: try FileContent.read(ImportSource(path)), as: UTF8.self).split(separator: "\n")
        var random = SeededGenerator(seed: 14)
        let shuffled = ([lines[0]] + lines.dropFirst().shuffled(using: &random)).joined(separator: "\n")
        let other = MemoryStore()
        let file = try folder.file("shuffled.csv", shuffled)
        let result = try ImportRun(tolerance: .none).run(in: other) { (writer) throws(ImportError) in
            try Importer(store: writer).chart(file: file, id: "us")
        }
        #expect(result.report.imported == 17_677)
        #expect(try other.allChanges() == ordered)
    }
}
