import Foundation
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeImport

/// Tables as other programs write them.
@Suite struct RecordTableTests {
    private let kitchen: RecordKitchen

    init() throws { kitchen = try RecordKitchen() }

    private func run(
        _ name: String, _ text: String, _ mapping: RecordMapping = RecordMapping(),
        _ change: (inout RecordFile) -> Void = { _ in }
    ) throws -> ImportReport {
        var request = try kitchen.request(name, text, mapping)
        change(&request.file)
        return try kitchen.run(request).report
    }

    private func reasons(_ report: ImportReport) -> [String] { (report.problems + report.notes).map(\.reason) }

    // MARK: - Quotes

    @Test func `In a table with tabs, quotes are text and the usual mark means no value`() throws {
        let mapping = RecordMapping(map: ["a_string=tconst", "otherName=title", "a_uint32=year"])
        let report = try run(
            "title.basics.tsv", "tconst\ttitle\tyear\nt1\t\"Swing it\" magistern\t1940\nt2\t\"Old.\"\t\\N\n", mapping)
        #expect(
            try kitchen.records() == [
                "t1": #"{"aString":"t1","aUint32":1940,"otherName":"\"Swing it\" magistern"}"#,
                "t2": #"{"aString":"t2","otherName":"\"Old.\""}"#,
            ])
        #expect(
            reasons(report) == [
                "a cell begins and ends with a quotation mark, which is kept, as tables with tabs have no quotes (line 3); "
                    + "if this one has, add --quote '\"'"
            ])
    }

    @Test func `Quotes are as the option says`() throws {
        let text = "a_string\totherName\nx\t\"one, \"\"two\"\"\"\n"
        _ = try run("rows.tsv", text) { $0.quote = .character(UInt8(ascii: "\"")) }
        #expect(try kitchen.records()["x"]?.contains(#""otherName":"one, \"two\"""#) == true)
        _ = try run("rows.csv", "a_string,otherName\nx,'a,b'\n") { $0.quote = .character(UInt8(ascii: "'")) }
        #expect(try kitchen.records()["x"]?.contains(#""otherName":"a,b""#) == true)
        _ = try run("rows.csv", "a_string,otherName\nx,\"a\n") { $0.quote = .nothing }
        #expect(try kitchen.records()["x"]?.contains(#""otherName":"\"a""#) == true)
    }

    @Test func `The tables of COPY are read with their escapes, without a header`() throws {
        let rows = [
            ["x", #"a\tb\\N\nc\101"#, "t", #"{history,"food, drink",NULL}"#, "2026-11-22 07:10:44.5+09"],
            ["y", #"\N"#, "f", "{}", #"\N"#], [#"\."#], [], ["not a row"],
        ]
        let copied = rows.map { $0.joined(separator: "\t") + "\n" }.joined()
        let report = try run("shop.tsv", copied) {
            $0.hasEscapes = true
            $0.columns = ["a_string", "otherName", "a_bool", "texts", "at"]
        }
        #expect(reasons(report) == [])
        #expect(
            try kitchen.records() == [
                "x": #"{"aBool":true,"aString":"x","texts":["history","food, drink"],"#
                    + #""at":"2026-11-21T22:10:44.500Z","otherName":"a\tb\\N\ncA"}"#,
                "y": #"{"aString":"y"}"#,
            ])
    }

    // MARK: - Beginnings

    @Test func `A separator in the first line is used, as Excel writes it`() throws {
        for (number, first) in ["sep=;", "\"sep=;\"", "SEP=;", "\u{FEFF}sep=;"].enumerated() {
            #expect(try run("rows.csv", "\(first)\r\na_string;a_uint32\r\n\(number);7\r\n").imported == 1)
        }
        let report = try run("rows.csv", "sep=;\na_string;a_uint32\nx;?\n")
        #expect(report.problems.map(\.line) == [3])
        #expect(try run("rows.csv", "sep=;\nJunk\na_string;a_uint32\nz;7\n") { $0.skippedLines = 2 }.imported == 1)
        #expect(try run("rows.txt", "sep=\t\na_string\totherName\nt\t\"a\tb\"\n").notes == [])
    }

    @Test func `Lines before the columns can be skipped`() throws {
        let rows = "Exported on Monday, \"by Ann\n\na_string,a_uint32\nx,7\ny,?\n"
        let report = try run("rows.csv", rows) { $0.skippedLines = 2 }
        #expect(report.imported == 1 && report.problems.map(\.line) == [5])
        let plain = try run("rows.tsv", "# a comment\na_string\ta_uint32\nx\t7\nz\t?\n") { $0.skippedLines = 1 }
        #expect(plain.unchanged == 1 && plain.problems.map(\.line) == [4])
        #expect(
            try kitchen.refusal("{}", named: "rows.json") { $0.file.skippedLines = 1 }.contains("are for tables"))
    }

    @Test func `Lines may end with a carriage return alone`() throws {
        let report = try run("rows.csv", "a_string,a_uint32\rx,7\ry,?\r")
        #expect(report.imported == 1 && report.problems.map(\.line) == [3])
        let plain = try run("rows.tsv", "a_string\ta_uint32\rz\t7\rw\t?")
        #expect(plain.imported == 1 && plain.problems.map(\.line) == [3])
    }

    @Test func `Excel's text in UTF-16 may have quotes`() throws {
        var data = Data([0xFF, 0xFE])
        for unit in "a_string\totherName\r\nx\t\"a, b\"\r\n".utf16 { data += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        var request = try kitchen.request("rows.txt", "")
        request.file = RecordFile(path: try kitchen.folder.file("rows.txt", data))
        #expect(try kitchen.run(request).report.notes == [])
        #expect(try kitchen.records() == ["x": #"{"aString":"x","otherName":"a, b"}"#])
    }

    // MARK: - Columns

    @Test func `Two columns of one name are refused, even if they differ in case`() throws {
        #expect(
            try kitchen.refusal("a_string,A Uint32,a_uint32\nx,99,10\n")
                == "rows.csv has two columns for the field 'a_uint32', 'A Uint32' and 'a_uint32'; say which one fills it, "
                + "such as --map 'a_uint32=a_uint32'")
        let mapping = RecordMapping(map: ["a_uint32=A Uint32"])
        #expect(try run("rows.csv", "a_string,A Uint32,a_uint32\nx,99,10\n", mapping).imported == 1)
        #expect(try kitchen.records() == ["x": #"{"aString":"x","aUint32":99}"#])
        let lines = #"{"a_string": "y", "aUint32": 1}"# + "\n" + #"{"a_string": "z", "a_uint32": 2}"# + "\n"
        #expect(try run("rows.ndjson", lines).imported == 2, "each row has one of them")
        let both = try run("rows.ndjson", lines + #"{"a_string": "w", "a_uint32": 2, "aUint32": 3}"#)
        #expect(both.problems.first?.reason.contains("two columns for the field 'a_uint32'") == true)
    }

    @Test func `A column may fill several fields, and its own none`() throws {
        let text = "a_string,otherName\nx,one\n"
        _ = try run("rows.csv", text, RecordMapping(map: ["maybe_text=otherName"]))
        #expect(try kitchen.records() == ["x": #"{"aString":"x","maybeText":"one","otherName":"one"}"#])
        var mapping = RecordMapping(map: ["maybe_text=otherName"])
        mapping.omitted = ["otherName"]
        _ = try run("rows.csv", text, mapping)
        #expect(try kitchen.records() == ["x": #"{"aString":"x","maybeText":"one"}"#])
        mapping.omitted = ["otherNam"]
        #expect(try kitchen.refusal(text, mapping).contains("did you mean 'otherName'?"))
    }

    @Test func `Texts that mean no value are named`() throws {
        var mapping = RecordMapping()
        mapping.nullTexts = ["NULL", "N/A"]
        let report = try run("rows.csv", "a_string,a_uint32,otherName\nx,NULL,N/A\ny,1,null\n", mapping)
        #expect(report.problems == [])
        #expect(
            try kitchen.records() == [
                "x": #"{"aString":"x"}"#, "y": #"{"aString":"y","aUint32":1,"otherName":"null"}"#,
            ])
        let settings = "null: '\\N'\nomit: [a, b]\nzone: Asia/Seoul\ndecimal: comma\n"
        let yaml = try RecordMapping(yaml: settings, file: "map.yaml")
        #expect(yaml.nullTexts == ["\\N"] && yaml.omitted == ["a", "b"] && yaml.zone == ImportZone("Asia/Seoul"))
        #expect(yaml.decimal == .comma)
        let error = #expect(throws: FileMistakes.self) { try RecordMapping(yaml: "zone: KST", file: "map.yaml") }
        #expect(error?.description.contains("the zone 'KST' isn't known") == true)
        let mark = #expect(throws: FileMistakes.self) { try RecordMapping(yaml: "decimal: ','", file: "map.yaml") }
        #expect(mark?.description.contains("'decimal' is 'comma' or 'point'") == true)
    }

    @Test func `Decomposed text is composed in ids, columns and cells`() throws {
        let text = "a_string,otherName,Größe\nÉte\u{301},Me\u{301}lie\u{300}s,3\n"
            .replacing("ö", with: "o\u{308}")
        let report = try run("rows.csv", text, RecordMapping(map: ["a_uint32=Größe"]))
        #expect(reasons(report) == [])
        let records = try kitchen.records()
        #expect(records.keys.first.map { Array($0.utf8) } == Array("Été".utf8))
        let expected = #"{"aString":"Été","aUint32":3,"otherName":"Méliès"}"#
        #expect(records.values.first.map { Array($0.utf8) } == Array(expected.utf8))
        let json = try run("rows.ndjson", #"{"a_string": "\#("가".decomposedStringWithCanonicalMapping)"}"#)
        #expect(reasons(json) == [])
        #expect(try kitchen.records().keys.contains { Array($0.utf8) == Array("가".utf8) })
    }

    @Test(arguments: ["t", "T", "f", "F", "yes", "no", "1", "0"])
    func `A boolean is written in many ways`(cell: String) throws {
        _ = try run("rows.csv", "a_string,maybe_flag\nx,\(cell)\n")
        let expected = ["t", "T", "yes", "1"].contains(cell)
        #expect(try kitchen.records()["x"] == #"{"aString":"x","maybeFlag":\#(expected)}"#)
        _ = try run("rows.ndjson", #"{"a_string": "n", "maybe_flag": 1}"#)
        #expect(try kitchen.records()["n"] == #"{"aString":"n","maybeFlag":true}"#)
    }

    // MARK: - Ids

    @Test func `Rows that replace earlier ones are counted apart from new records`() throws {
        let report = try run("rows.csv", "a_string,a_uint32\nx,1\ny,1\nx,2\nx,3\n")
        #expect((report.rows, report.imported, report.repeated, report.unchanged) == (4, 2, 2, 0))
        #expect(report.recordCounts == [RecordCount(type: "dish", count: 2)])
        #expect(report.notes.count == 2)
    }

    @Test func `A merge creates a record under its id, unless it only updates`() throws {
        var request = try kitchen.request("rows.csv", "a_string,a_uint32\nx,1\n")
        request.action = .merge
        #expect(try kitchen.run(request).report.imported == 1)
        request = try kitchen.request("more.csv", "a_string,a_uint32\nx,2\nxx,3\n")
        request.action = .merge
        request.updatesOnly = true
        let report = try kitchen.run(request).report
        #expect(report.problems.map(\.reason) == ["there is no dish/xx, and this change doesn't create it"])
        #expect(try kitchen.records() == ["x": #"{"aString":"x","aUint32":2}"#])
    }

    @Test func `A text that is declared as a date has to be one`() throws {
        let kitchen = try RecordKitchen(sorts: "[{field: renamed, as: date}]")
        let problems = try kitchen.problems("a_string,renamed\nx,2012-01-01\ny,2012/01/01\nz,\n")
        #expect(
            problems == [
                "rows.csv:3: column 'renamed': a day written YYYY-MM-DD is expected, not the text '2012/01/01'"
            ])
        let mapping = RecordMapping(time: ["renamed=%Y/%m/%d"])
        #expect(try kitchen.problems("a_string,renamed\ny,2012/01/01\n", mapping) == [])
        #expect(try kitchen.records()["y"] == #"{"aString":"y","otherName":"2012-01-01"}"#)
    }
}
