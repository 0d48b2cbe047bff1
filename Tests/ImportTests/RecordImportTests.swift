import Foundation
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeImport

/// Rows of files are imported as records of a type.
@Suite struct RecordImportTests {
    private let kitchen: RecordKitchen

    init() throws { kitchen = try RecordKitchen() }

    @Test func `A column fills the field with its name`() throws {
        let result = try kitchen.run(
            kitchen.request("rows.csv", "A string,aUint32,a_double,otherName,a_uint64\nx,7,1.50,y,\n"))
        #expect(result.report.recordCounts == [RecordCount(type: "dish", count: 1)])
        #expect(try kitchen.records() == ["x": #"{"aDouble":1.5,"aString":"x","aUint32":7,"otherName":"y"}"#])
    }

    @Test func `A type without an id field takes the id from columns`() throws {
        let kitchen = try RecordKitchen(id: nil)
        let text = "a_string,an_int32\nx,1\n,2\ny,3\n"
        #expect(try kitchen.refusal(text).contains("no field of dish is its id; name its column with --id"))
        var mapping = RecordMapping()
        mapping.id = ["a_string"]
        #expect(try kitchen.problems(text, mapping).count == 1)
        #expect(try kitchen.records() == ["x": #"{"anInt32":1,"aString":"x"}"#, "y": #"{"anInt32":3,"aString":"y"}"#])
        var removal = try kitchen.request("gone.csv", "a_string\nx\n", mapping)
        removal.action = .remove
        _ = try kitchen.run(removal)
        #expect(try kitchen.records().keys.sorted() == ["y"])
    }

    /// Each argument is a field, a cell, and the cell's value in JSON.
    @Test(arguments: [
        ("a_double", "1e3", #""aDouble":1000.0"#), ("a_float", "-0.5", #""aFloat":-0.5"#),
        ("a_double", "Infinity", #""aDouble":"Infinity""#),
        ("an_int64", "-9223372036854775808", #""anInt64":"-9223372036854775808""#),
        ("a_uint64", "18446744073709551615", #""aUint64":"18446744073709551615""#),
        ("an_int32", "+007", #""anInt32":7"#),
        ("an_int32", " 162.0 ", #""anInt32":162"#), ("a_fixed64", "9", #""aFixed64":"9""#),
        ("a_sint32", "-1", #""aSint32":-1"#),
        ("maybe_number", "0", #""maybeNumber":0"#), ("a_bool", "Yes", #""aBool":true"#),
        ("maybe_flag", "0", #""maybeFlag":false"#),
        ("some_bytes", "AAEC", #""someBytes":"AAEC""#), ("color", "red", #""color":"COLOR_RED""#),
        ("color", "COLOR_RED", #""color":"COLOR_RED""#), ("color", "1", #""color":"COLOR_RED""#),
        ("inner.level", "high", #""inner":{"level":"HIGH"}"#),
        ("inner.deeper.text", "z", #""inner":{"deeper":{"text":"z"}}"#),
        ("at", "2026-11-22T07:10:44+09:00", #""at":"2026-11-21T22:10:44Z""#),
        ("at", "2026-11-22", #""at":"2026-11-22T00:00:00Z""#),
        ("at", "2026-11-22 07:10:44.5Z", #""at":"2026-11-22T07:10:44.500Z""#), ("lasts", "90s", #""lasts":"90s""#),
        ("wrapped_int64", "5", #""wrappedInt64":"5""#), ("wrapped_bool", "n", #""wrappedBool":false"#),
        ("wrapped_string", "w", #""wrappedString":"w""#), ("titles[ko]", "제목", #""titles":{"ko":"제목"}"#),
        ("by_flag[true]", "red", #""byFlag":{"true":"COLOR_RED"}"#),
        ("texts", #"["a,b", "c"]"#, #""texts":["a,b","c"]"#),
        ("point", #"{"x": 1}"#, #""point":{"x":1}"#),
        ("points", #"[{"x": 1}, {"x": 2}]"#, #""points":[{"x":1},{"x":2}]"#),
        ("titles", #"{"en": "a"}"#, #""titles":{"en":"a"}"#), ("as_number", "4", #""asNumber":"4""#),
    ])
    func `A cell is read by the type of its field`(field: String, cell: String, json: String) throws {
        let row = "id,cell\nx,\"\(cell.replacing("\"", with: "\"\""))\"\n"
        #expect(try kitchen.problems(row, RecordMapping(id: ["id"], map: ["\(field)=cell"])) == [])
        let record = try #require(kitchen.records()["x"])
        #expect(record.contains(json))
    }

    /// Each argument is a field, a cell that can't be used, and words of the error.
    @Test(arguments: [
        (
            "a_double", "1,5",
            "'1,5' is not a number; numbers are written without separators, and with a point: 1204 or 1204.5, or with "
                + "--decimal comma, if 1.5 is meant"
        ),
        ("a_uint32", "1'204", "'1'204' is not a whole number; numbers are written without separators"),
        ("a_uint32", "12 %", "'12 %' is not a whole number"),
        ("a_uint32", "-1", "a whole number from 0 to 4294967295 is expected"),
        ("a_uint32", "1.5", "a whole number from 0 to 4294967295 is expected, not 1.5"),
        ("a_double", "--1", "'--1' is not a number"),
        ("a_bool", "maybe", "'maybe' is neither true nor false"), ("some_bytes", "?", "base64 is expected"),
        ("color", "rde", "has no value 'rde'"), ("at", "22/11/2026", "--time 'at=%d/%m/%Y %H:%M'"),
        ("at", "2026-02-30", "'2026-02-30' is not a time"),
        ("at", "2026-11-22T07:10:44", "has no zone; say which it is in, such as --zone UTC"),
        ("at", "2026-11-22 07:10:44 KST", "the zone 'KST' isn't known, or is ambiguous"),
        ("lasts", "90", "write it in seconds, such as 90s"), ("texts", "a;b", "--split 'texts=;'"),
        ("titles", "a", "such as --map 'titles[en]=COLUMN'"), ("point", "a", "such as --map 'point.x=COLUMN'"),
        ("point", "{", "this is not JSON"), ("by_number[z]", "{}", "by_number[z]=cell"),
    ])
    func `A bad cell is named by row, column and field`(field: String, cell: String, words: String) throws {
        let row = "id,cell\nx,\"\(cell.replacing("\"", with: "\"\""))\"\n"
        let mapping = RecordMapping(id: ["id"], map: ["\(field)=cell"])
        let told = field == "by_number[z]" ? [try kitchen.refusal(row, mapping)] : try kitchen.problems(row, mapping)
        let problem = try #require(told.first)
        #expect(problem.contains(words), "\(problem)")
        if field != "by_number[z]" {
            #expect(problem.hasPrefix("rows.csv:2: column 'cell', field \(field): "), "\(problem)")
        }
    }

    @Test(arguments: [
        ("a_double", "1,5", #""aDouble":1.5"#), ("a_double", "1.204,50", #""aDouble":1204.5"#),
        ("a_double", "-1.204", #""aDouble":-1204"#), ("an_int32", "1 204", #""anInt32":1204"#),
        ("an_int32", "1\u{202F}204\u{202F}567", #""anInt32":1204567"#), ("an_int32", "7,0", #""anInt32":7"#),
        ("a_double", "1'204,5", #""aDouble":1204.5"#), ("a_double", "1,5E+3", #""aDouble":1500"#),
        ("a_double", "NaN", #""aDouble":"NaN""#), ("an_int32", "1204", #""anInt32":1204"#),
        ("numbers", "[1,2]", #""numbers":[1,2]"#),
    ])
    func `Numbers with a decimal comma are read where the import says so`(
        field: String, cell: String, json: String
    ) throws {
        var mapping = RecordMapping(id: ["id"], map: ["\(field)=cell"])
        mapping.decimal = .comma
        #expect(try kitchen.problems("id,cell\nx,\"\(cell)\"\n", mapping) == [])
        #expect(try #require(kitchen.records()["x"]).contains(json))
    }

    @Test(arguments: [
        "1.5", "1.20", "1.2045", "1.204.56", "12345.678", "1.204 567", "0.204", "1,5,6", ",5", "5,", "1,204.5",
    ])
    func `With a decimal comma, what may be a point is refused`(cell: String) throws {
        var mapping = RecordMapping(id: ["id"], map: ["a_double=cell"])
        mapping.decimal = .comma
        #expect(
            try kitchen.problems("id,cell\nx,\"\(cell)\"\n", mapping) == [
                "rows.csv:2: column 'cell', field a_double: '\(cell)' is not a number with a decimal comma, such as "
                    + "1204,5 or 1.204,5"
            ])
    }

    @Test func `Lists are split, and their values read by type`() throws {
        let mapping = RecordMapping(
            id: ["id"], map: ["numbers=n", "times=t"], set: ["color=red"], split: ["numbers=;", "times=|", "texts=, "],
            time: ["times=%d.%m.%Y"])
        #expect(try kitchen.problems("id,n,t,texts\nx,1; 2;;3,01.02.2026|03.02.2026,\"a, b\"\n", mapping) == [])
        let expected =
            #"{"aString":"x","color":"COLOR_RED","numbers":[1,2,3],"texts":["a","b"],"#
            + #""times":["2026-02-01T00:00:00Z","2026-02-03T00:00:00Z"]}"#
        #expect(try kitchen.records()["x"] == expected)
        let bad = try kitchen.problems(
            "id,n\ny,1;b\n", RecordMapping(id: ["id"], map: ["numbers=n"], split: ["numbers=;"]))
        #expect(bad == ["rows.csv:2: column 'n', field numbers: 'b' is not a whole number"])
    }

    @Test(arguments: [
        ("%d/%m/%Y %H:%M", "22/11/2026 07:10", "2026-11-22T07:10:00Z"),
        ("%Y%m%d%z", "20261122+0900", "2026-11-21T15:00:00Z"),
        ("%b %d, %Y", "Nov 22, 2026", "2026-11-22T00:00:00Z"), ("unix", "-1", "1969-12-31T23:59:59Z"),
        ("unix-ms", "-1", "1969-12-31T23:59:59.999Z"), ("unix-ms", "1500", "1970-01-01T00:00:01.500Z"),
        ("%d/%m/%Y", "30/02/2026", nil), ("%d/%m/%Y", "22/11/2026 7", nil),
        ("unix", "99999999999999", nil),
        ("%Y", "2026\u{0}", nil),
    ])
    func `Times are read in the given form`(form: String, text: String, time: String?) throws {
        #expect((try? TimeFormat(form).time(text))?.timestamp == time)
    }

    @Test func `A day in a text field is written so that it sorts`() throws {
        let mapping = RecordMapping(id: ["id"], map: ["otherName=day"], time: ["renamed=%m/%d/%Y"])
        #expect(try kitchen.problems("id,day\nx,11/22/2026\n", mapping) == [])
        #expect(try kitchen.records()["x"] == #"{"aString":"x","otherName":"2026-11-22"}"#)
    }

    // MARK: - Mappings

    @Test func `A misspelt name is reported with the nearest one`() throws {
        let rows = "A string,Plays\nx,1\n"
        #expect(
            try kitchen.refusal(rows, RecordMapping(map: ["a_unit32=Plays"]))
                == "--map 'a_unit32=Plays': kitchen.v1.Kitchen has no field 'a_unit32'; did you mean 'a_uint32'?")
        #expect(
            try kitchen.refusal(rows, RecordMapping(map: ["a_uint32=Playz"]))
                == "rows.csv has no column 'Playz'; did you mean 'Plays'?; it has 'A string', 'Plays'")
        #expect(try kitchen.refusal(rows) { $0.type = "dich" }.contains("did you mean 'dish'?"))
        #expect(try kitchen.refusal(rows, RecordMapping(split: ["color=;"])).contains("'color' is not a list"))
        #expect(
            try kitchen.refusal(rows, RecordMapping(time: ["color=unix"])).contains("neither a timestamp nor a string"))
        #expect(try kitchen.refusal(rows, RecordMapping(time: ["at=Y-m-d"])).contains("a pattern such as %d/%m/%Y"))
        #expect(
            try kitchen.refusal(rows, RecordMapping(map: ["color=Plays"], set: ["color=red"]))
                .contains("'color' has a value already"))
        #expect(try kitchen.records() == [:])
    }

    @Test func `Columns that fill no field are reported once`() throws {
        let report = try kitchen.run(
            kitchen.request("rows.csv", "a_string,remarks,annotations\n" + "x,1,2\n" + "y,1,2\n")
        ).report
        #expect(report.notes.map(\.reason) == ["not imported: the columns 'remarks', 'annotations'"])
        #expect(report.notes.first?.line == nil)
    }

    @Test func `A column with a misspelt name stops the import, unless it is left out`() throws {
        let rows = "a_string,a_dubble\nx,1\n"
        #expect(
            try kitchen.refusal(rows)
                == "rows.csv has a column 'a_dubble', which is no field of dish, but none for its field 'a_double'; did "
                + "you mean --map 'a_double=a_dubble'? --omit 'a_dubble' leaves the column out")
        #expect(try kitchen.records() == [:])
        var mapping = RecordMapping()
        mapping.omitted = ["a_dubble"]
        #expect(try kitchen.problems(rows, mapping) == [])
        #expect(try kitchen.records() == ["x": #"{"aString":"x"}"#])
    }

    @Test func `An id may be made of several columns`() throws {
        let mapping = RecordMapping(id: ["day", "a_uint32"])
        #expect(
            try kitchen.problems("day,a_uint32\n2026-01-02,7\n2026-01-02,\n", mapping).first
                == "rows.csv:3: column 'a_uint32' is empty, and the id is made of it")
        #expect(try kitchen.records() == ["2026-01-02-7": #"{"aString":"2026-01-02-7","aUint32":7}"#])
    }

    @Test func `For a file without an id, the error says how to name one`() throws {
        #expect(
            try kitchen.refusal("Code,Plays\nx,1\n")
                == "rows.csv has no column 'a_string', the id of dish; name its column with --id, or "
                + "several columns that form it together; it has 'Code', 'Plays'")
        let document = try kitchen.refusal(#"[{"a_uint32": 1}, {"a_uint32": 2}]"#, named: "rows.json")
        #expect(document.hasPrefix("no row can be used. Most of them have no id: name its column"))
    }

    @Test func `An id that occurs twice is reported`() throws {
        let report = try kitchen.run(kitchen.request("rows.csv", "a_string,a_uint32\nx,1\ny,1\nx,2\n")).report
        #expect(
            report.notes.map(\.description).map { $0.replacing("\(kitchen.folder.path)/", with: "") }
                == ["rows.csv:4: the id 'x' was in line 2 already; this row counts"])
        #expect(try kitchen.records()["x"] == #"{"aString":"x","aUint32":2}"#)
    }

    @Test func `A mapping in a file means the same as the options`() throws {
        let mapping = try RecordMapping(
            yaml: """
                id: [a, b]
                map: {"titles[ko]": Title, numbers: "n[].v"}
                set: {color: red}
                split: {texts: ;}
                time: {at: "%d/%m/%Y"}
                """, file: "map.yaml")
        #expect(
            mapping
                == RecordMapping(
                    id: ["a", "b"], map: ["titles[ko]=Title", "numbers=n[].v"], set: ["color=red"], split: ["texts=;"],
                    time: ["at=%d/%m/%Y"]))
        var options = RecordMapping(id: ["c"], map: ["color=Color"])
        options.add(mapping)
        #expect(
            options
                == RecordMapping(
                    id: ["c"], map: ["color=Color", "titles[ko]=Title", "numbers=n[].v"], split: ["texts=;"],
                    time: ["at=%d/%m/%Y"]))
        let error = #expect(throws: FileMistakes.self) {
            try RecordMapping(yaml: "map: {a: [b]}\nsplitt: {}\n", file: "map.yaml")
        }
        let mistakes = try #require(error).mistakes.map(\.description)
        #expect(mistakes.count == 2)
        #expect(mistakes.last?.contains("did you mean 'split'?") == true)
    }
}
