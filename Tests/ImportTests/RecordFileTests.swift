import Foundation
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import SeededRandom
import Testing

@testable import MarqueeImport

/// Files that records are imported from, and the effects of their rows.
@Suite struct RecordFileTests {
    private let kitchen: RecordKitchen

    init() throws { kitchen = try RecordKitchen() }

    private static let record = #"{"aString":"x","aUint32":7}"#

    @Test(arguments: [
        ("rows.csv", "a_string,a_uint32\nx,7\n"), ("rows.tsv", "a_string\ta_uint32\nx\t7\n"),
        ("rows", "a_string,a_uint32\r\nx,7\r\n"),
        ("rows.jsonl", #"{"a_string": "x", "aUint32": 7}"#), ("rows", #"{"a_string": "x", "aUint32": "7"}"# + "\n\n"),
        ("rows.json", #"[{"aString": "x", "a_uint32": 7.0, "color": null}]"#),
        ("rows", #"[{"a_string": "x", "a_uint32": 7}]"#),
        ("rows.csv", "\u{FEFF}a_string,a_uint32\nx,7\n"),
        ("rows.ndjson", "\u{FEFF}{\"a_string\": \"x\", \"a_uint32\": 7}\n"),
    ])
    func `The format follows from the file's name and content`(name: String, text: String) throws {
        #expect(try kitchen.problems(text, named: name) == [])
        #expect(try kitchen.records() == ["x": Self.record])
    }

    @Test func `Rows may be inside a document`() throws {
        var request = try kitchen.request(
            "rows.json", #"{"result": {"items": [{"a_string": "x", "a_uint32": 7}], "more": 1}}"#)
        request.file.rows = ["result", "items"]
        #expect(try kitchen.run(request).report.imported == 1)
        #expect(try kitchen.records() == ["x": Self.record])
        request.file.rows = ["result", "itms"]
        #expect(throws: ImportError.self) { try kitchen.run(request) }
        #expect(
            try kitchen.refusal(#"{"a": 1, "items": []}"#, named: "rows.json").hasSuffix(
                "name the list with --path items"))
        #expect(
            try kitchen.refusal(#"{"a": {"b": 1}}"#, named: "rows.json").hasSuffix(
                "and their names the ids, say --keyed"))
        #expect(try kitchen.refusal("[1, 2", named: "rows.json").contains("this is not JSON: "))
    }

    @Test func `The names in an object may be the ids`() throws {
        var request = try kitchen.request("rows.json", #"{"x": {"a_uint32": 7}, "y": 1}"#)
        request.file.isKeyed = true
        let report = try kitchen.run(request).report
        #expect(try kitchen.records() == ["x": Self.record])
        #expect(report.problems.map(\.reason) == ["'y': an object is expected, not 1"])
    }

    @Test func `A column may lead into JSON`() throws {
        let mapping = RecordMapping(map: ["an_int32=score.ft[1]", "texts=genres[].name", "maybe_text=deep.er.text"])
        let rows = """
            a_string,score,genres,deep
            x,"{""ft"": [0, 3]}","[{""name"": ""a""}, {""id"": 1}, {""name"": ""b""}]","{""er"": null}"
            y,3,,
            """
        #expect(
            try kitchen.problems(rows, mapping)
                == ["rows.csv:3: column 'score.ft[1]', field an_int32: an object is expected there, not the text '3'"])
        #expect(try kitchen.records() == ["x": #"{"anInt32":3,"aString":"x","texts":["a","b"]}"#])
    }

    @Test func `Merging a row changes only its fields`() throws {
        var request = try kitchen.request("rows.csv", "a_string,a_uint32,titles[en]\nx,7,One\n")
        #expect(try kitchen.run(request).report.imported == 1)
        request = try kitchen.request(
            "more.csv", "a_string,Korean,a_uint32\nx,하나,\n", RecordMapping(map: ["titles[ko]=Korean"]))
        request.action = .merge
        #expect(try kitchen.run(request).report.imported == 1)
        #expect(try kitchen.records() == ["x": #"{"aString":"x","aUint32":7,"titles":{"en":"One","ko":"하나"}}"#])
        request.action = .put
        #expect(try kitchen.run(request).report.imported == 1)
        #expect(try kitchen.records() == ["x": #"{"aString":"x","titles":{"ko":"하나"}}"#])
        #expect(try kitchen.run(request).report.unchanged == 1, "importing twice changes nothing")
        request.action = .remove
        #expect(try kitchen.run(request).report.imported == 1)
        #expect(try kitchen.records() == [:])
    }

    @Test func `A table with another separator is recognized`() throws {
        let rows = "a_string;a_uint32\nx;7\n"
        #expect(try kitchen.refusal(rows).hasSuffix("is its separator a different one? Try --separator ';'"))
        var request = try kitchen.request("rows.csv", rows)
        request.file.separator = UInt8(ascii: ";")
        #expect(try kitchen.run(request).report.imported == 1)
        #expect(try kitchen.refusal("a,b,a\n").contains("has two columns 'a'"))
        #expect(try kitchen.refusal("").contains("its first line should name the columns"))
        #expect(
            try kitchen.refusal("a_string,a_uint32\nx\ny\n").contains("a different number of fields than the first"))
    }

    @Test func `An import is kept whole or not at all`() throws {
        let request = try kitchen.request("rows.csv", "a_string,a_uint32\nx,7\ny,?\n")
        let refused = try kitchen.run(request, .none)
        #expect(
            refused.refusal?.hasPrefix("1 of 2 rows can't be used, and none is allowed. Most of them fail at") == true)
        #expect(try kitchen.records() == [:])
        #expect(try kitchen.store.types() == nil, "the import's types are discarded with it")
        #expect(try kitchen.run(request, .rows(1)).report.recordCounts == [RecordCount(type: "dish", count: 1)])
        #expect(try kitchen.store.types() == kitchen.types.document)
    }

    @Test func `The first record is shown`() throws {
        var shown: [String] = []
        let request = try kitchen.request("rows.csv", "a_string,a_uint32\nw,?\nx,7\ny,8\n")
        let writer = MemoryStore()
        _ = try Importer(store: writer).records(request) { shown.append($0) }
        #expect(shown == [Self.record])
    }

    /// Compares generated rows with records made in another way.
    @Test(arguments: [UInt64(7), 0xC0FFEE])
    func `A thousand rows are imported unchanged`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rows = "a_string,a_uint32,a_double,texts,titles[en],at,Colour\n"
        var expected: [String: String] = [:]
        for index in 0..<1_000 {
            let number = UInt32.random(in: 1...UInt32.max, using: &random)
            let real = Double(Int.random(in: 1...1_000_000, using: &random)) / 64
            let texts = (0..<Int.random(in: 1...3, using: &random)).map { "t\($0)" }
            let day = Int.random(in: 1...28, using: &random)
            rows += "id \(index),\(number),\(real),\(texts.joined(separator: "|")),\"A, \(index)\",\(day)/2/2026,red\n"
            let list = texts.map { "\"\($0)\"" }.joined(separator: ",")
            expected["id \(index)"] =
                "{\"aDouble\":\(real),\"aString\":\"id \(index)\",\"aUint32\":\(number),\"color\":\"COLOR_RED\",\"texts\":[\(list)],"
                + "\"titles\":{\"en\":\"A, \(index)\"},\"at\":\"2026-02-\(day < 10 ? "0" : "")\(day)T00:00:00Z\"}"
        }
        let mapping = RecordMapping(map: ["color=Colour"], split: ["texts=|"], time: ["at=%d/%m/%Y"])
        let report = try kitchen.run(kitchen.request("rows.csv", rows, mapping)).report
        #expect(report.imported == 1_000)
        #expect(report.problems == [])
        #expect(try kitchen.records() == expected)
    }
}
