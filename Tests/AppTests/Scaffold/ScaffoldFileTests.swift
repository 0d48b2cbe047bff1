import Foundation
import MarqueeModel
import Testing

@testable import MarqueeImport

/// Files as people write them.
struct ScaffoldFileTests {
    @Test func `Types follow from how values are written`() throws {
        let made = try Scaffolded.file(
            """
            Code,Title,Zip,Count,Big,Huge,Share,Open,Since,At,Local,Empty
            a,First,01234,1,9007199254740993,18446744073709551616,0.5,yes,2026-01-02,2026-01-02T03:04:05Z,2026-01-02 03:04,
            b,Second,10115,-20,1,1,2,no,2025-12-31,2026-01-02 03:04:05+09,2026-01-02 03:04:05,
            c,Third,00000,,2,2,3e2,yes,,,,

            """)
        #expect(
            made.fields == [
                "code: text", "title: text", "zip: text", "count: integer", "big: integer", "huge: text",
                "share: number",
                "open: boolean", "since: date", "at: time", "local: time",
            ])
        #expect(made.leftOut == ["Empty: no row has a value"])
        #expect(made.notes == ["Local: times without a zone, read as UTC"])
        #expect(try made.warnings() == [])
        let (records, report) = try made.imported()
        #expect(report.bad == 0 && report.noteCount == 0)
        #expect(
            records["row/b"]
                == #"{"code":"b","title":"Second","zip":"10115","count":"-20","big":"1","huge":"1","share":2.0,"open":false,"since":"2025-12-31","at":"2026-01-01T18:04:05Z","local":"2026-01-02T03:04:05Z"}"#
        )
        #expect(records["row/a"]?.contains(#""big":"9007199254740993""#) == true)
    }

    @Test func `A byte order mark, semicolons, and names that occur twice or not at all are understood`() throws {
        let made = try Scaffolded.file("\u{FEFF}SKU;Name;Name;;2024 sales\nx-1;Lamp;Lampe;q;7\nx-2;Pot;Topf;r;8\n")
        #expect(made.fields == ["sku: text", "name: text", "name_2: text", "column_4: text", "n2024_sales: integer"])
        #expect(made.notes == ["the first line: column 3 is called Name_2 here, column 4 is called column_4 here"])
        #expect(
            made.files.source.contains(
                #"separator: ";", skip: 1, columns: [SKU, Name, Name_2, column_4, "2024 sales"]"#))
        #expect(try made.warnings() == [])
        let (records, report) = try made.imported()
        #expect(report.bad == 0 && report.noteCount == 0)
        #expect(records["row/x-1"] == #"{"sku":"x-1","name":"Lamp","name2":"Lampe","column4":"q","n2024Sales":"7"}"#)
    }

    @Test func `Korean headers become fields with Latin names, and stay labels`() throws {
        let made = try Scaffolded.file("역번호,이름,승객\n0001,강남,200\n0002,시청,100\n0003,종로,50\n", named: "역.csv")
        #expect(made.fields.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } } && made.fields.count == 3)
        #expect(made.files.programme.contains("label: 승객"))
        #expect(try made.warnings() == [])
        let (records, report) = try made.imported()
        #expect(records.count == 3 && report.bad == 0 && report.noteCount == 0)
    }

    @Test func `Names that are protobuf's words or no names at all are fields too`() throws {
        let made = try Scaffolded.file("message,a.b,a b,$id,true,!\n1,x,w,z,p,q\n2,x,w,z,p,q\n", key: ["message"])
        #expect(
            made.fields == [
                "message: integer", "a_b: text", "a_b_2: text", "row_id: text", "true: text", "column_6: text",
            ])
        #expect(try made.warnings() == [])
        let (records, report) = try made.imported()
        #expect(
            records["row/1"] == #"{"message":"1","aB":"x","aB2":"w","rowId":"z","true":"p","column6":"q"}"#, "\(report)"
        )
    }

    @Test func `Days are read by the only form that fits all of them, and an open question stays a text`() throws {
        let sure = try Scaffolded.file("id,day,at\n1,22/11/2026,01.02.2026 09:00\n2,01/02/2026,13.02.2026 10:30\n")
        #expect(sure.fields == ["id: integer", "day: date", "at: time"])
        #expect(sure.files.source.contains(#"time: {day: "%d/%m/%Y", at: "%d.%m.%Y %H:%M"}"#))
        #expect(try sure.imported().records["row/1"] == #"{"id":"1","day":"2026-11-22","at":"2026-02-01T09:00:00Z"}"#)
        let open = try Scaffolded.file("id,day\n1,02/11/2026\n2,01/02/2026\n")
        #expect(open.fields == ["id: integer", "day: text"])
        #expect(
            open.notes == [
                "day: kept as text: its days may be written %d/%m/%Y or %m/%d/%Y; say which under 'time', and change its type"
            ])
    }

    @Test func `A key is a column whose values are all different, or a question`() throws {
        let readings =
            "station,time,value\nseoul,2026-01-01 00:00,1\nseoul,2026-01-01 01:00,2\nbusan,2026-01-01 00:00,1\n"
        let open = try Scaffolded.file(readings)
        #expect(open.plan.isEmpty)
        #expect(
            open.plan.questions == [ScaffoldPlan.KeyQuestion(table: "rows", columns: ["station", "time", "value"])])
        let answered = try Scaffolded.file(readings, key: ["station", "time"])
        #expect(answered.files.source.contains("    id: [station, time]\n"))
        #expect(try answered.warnings() == [])
        #expect(
            try answered.imported().records.keys.sorted() == [
                "row/busan-2026-01-01 00:00", "row/seoul-2026-01-01 00:00", "row/seoul-2026-01-01 01:00",
            ])
    }

    @Test func `Members of JSON become fields, and lists of objects don't`() throws {
        let made = try Scaffolded.file(
            """
            [{"id": "a", "name": {"en": "A", "ko": "에이"}, "address": {"city": "Seoul", "geo": {"lat": 1}}, "tags": ["x", "y"],
              "prices": [1, 2.5], "crew": [{"n": 1}], "open": true},
             {"id": "b", "name": {"en": "B"}, "address": {"city": "Busan"}, "tags": [], "prices": [], "open": false}]
            """, named: "places.json")
        #expect(
            made.fields == [
                "id: text", "name: text by locale", "address_city: text", "tags: list of text",
                "prices: list of number",
                "open: boolean",
            ])
        #expect(
            made.leftOut == [
                "address.geo: no plain value; a message of a .proto file can hold it",
                "crew: a list of objects: they need a message of a .proto file",
            ])
        #expect(made.files.types.contains("  place-record:"))
        #expect(try made.warnings() == [])
        let (records, report) = try made.imported()
        #expect(report.bad == 0 && report.noteCount == 0)
        #expect(
            records["place-record/a"]
                == #"{"id":"a","name":{"en":"A","ko":"에이"},"addressCity":"Seoul","tags":["x","y"],"prices":[1.0,2.5],"open":true}"#
        )
    }

    @Test func `A sample is bounded, and its key is reported as a guess`() throws {
        let rows = (0...Sampler.rows).map { "k\($0),v\($0 % 3)" }
        let made = try Scaffolded.file("code,group\n" + rows.joined(separator: "\n"))
        #expect(made.sample.tables[0].sampled == Sampler.rows && !made.sample.tables[0].isWhole)
        #expect(made.notes.first?.hasPrefix("code: the key, as it differs in all \(Sampler.rows) rows that") == true)
        #expect(made.plan.types.first?.roles.tile == "group")
    }

    @Test func `All records, and all of one tile, are read to their end`() throws {
        let made = try Scaffolded.file("code,name,group\na,Ann,red\nb,Bo,red\nc,Cy,blue\nd,Di,blue\n")
        let lists = made.files.programme.components(separatedBy: "windows: anywhere\n")
        #expect(lists.count == 3)
        #expect(lists.dropFirst().allSatisfy { $0.prefix { $0 != "\n" }.contains("limit") == false })
        #expect(try made.warnings() == [])
    }

    @Test func `An amount that happens to differ in each row is no key`() throws {
        let open = try Scaffolded.file("Name;Price\nLamp;12,50\nLamp;13,75\nPot;1.204,00\n")
        #expect(open.plan.questions == [ScaffoldPlan.KeyQuestion(table: "rows", columns: ["Name", "Price"])])
    }

    @Test func `A version or a summary is no title, and the name that is the key is one`() throws {
        let made = try Scaffolded.file(
            "package,version,summary\nlib-a,1.0.0,A fast parser\nlib-b,1.0.1,A slow parser\nlib-c,2.1.0,No parser\n")
        #expect(made.plan.types.first?.roles.title == "package")
        #expect(try made.warnings() == [])
        // A key that only counts isn't one.
        #expect(try Scaffolded.file("code,version\nk-100,1.0.0\nk-101,1.0.1\n").plan.types.first?.roles.title == nil)
    }

    @Test func `Tiles go by a kind, not by numbers with words among them`() throws {
        let rows = (0..<12).map { "c\($0),\($0 % 3 == 0 ? "?" : "\($0 % 2 * 10)"),\($0 % 2 == 0 ? "Japan" : "USA")" }
        let made = try Scaffolded.file("id,horsepower,origin\n" + rows.joined(separator: "\n"))
        #expect(made.plan.types.first?.roles.tile == "origin")
        #expect(
            made.notes == [
                "horsepower: kept as text: '?' is no number; if it means that there is none, add 'null: \"?\"', and change "
                    + "its type"
            ])
        #expect(try made.warnings() == [])
    }

    @Test func `A word without a plural stays as it is`() {
        #expect(
            ["weather", "equipment", "airport"].map { ScaffoldNames.title($0) } == ["Weather", "Equipment", "Airports"])
    }
}
