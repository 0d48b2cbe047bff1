import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeImport

/// Answers of other services, with their records deep inside, or with a single one.
@Suite struct RecordAnswerTests {
    private let kitchen: RecordKitchen

    init() throws { kitchen = try RecordKitchen() }

    private func run(
        _ text: String, _ mapping: RecordMapping = RecordMapping(), _ change: (inout RecordImport) -> Void = { _ in }
    ) throws -> ImportReport {
        var request = try kitchen.request("answer.json", text, mapping)
        change(&request)
        return try kitchen.run(request, .none).report
    }

    private static let film = """
        {
          "id": "x", "runtime": 0, "status": "",
          "releases": {"results": [
            {"iso": "DE", "dates": [{"cert": "12"}]}, {"iso": "US", "dates": [{"cert": "PG"}, {"cert": "R"}]}
          ]},
          "credits": {"crew": [
            {"job": "Writer", "at": {"x": 1}, "y": 5}, {"job": "Director", "at": {"x": 2}},
            {"job": "Director", "at": {"x": 3}, "y": 0}, {"job": "Director"}
          ]}
        }
        """

    @Test func `A document may be the only row`() throws {
        let mapping = RecordMapping(map: ["a_string=id"])
        #expect(try run(Self.film, mapping) { $0.file.isSingle = true }.imported == 1)
        #expect(try kitchen.records() == ["x": #"{"aString":"x"}"#])
        let inside = try run("{\"answer\": \(Self.film)}", mapping) {
            $0.file.isSingle = true
            $0.file.rows = ["answer"]
        }
        #expect(inside.unchanged == 1)
        #expect(try kitchen.refusal(Self.film, named: "a.json").contains("if it is the only row itself, say --one"))
        #expect(
            try kitchen.refusal("[1]", named: "a.json") { $0.file.isSingle = true }
                .hasSuffix("the document is a list, and an object is expected with --one"))
    }

    @Test func `A value is chosen by another one beside it`() throws {
        let mapping = RecordMapping(
            map: [
                "a_string=id", "otherName=releases.results[iso=US].dates[0].cert",
                "maybe_text=releases.results[iso=FR].dates[0].cert",
                "numbers=credits.crew[][job=Director].at.x", "a_uint32=credits.crew[job=Director].at.x",
            ])
        _ = try run(Self.film, mapping) { $0.file.isSingle = true }
        #expect(
            try kitchen.records() == ["x": #"{"aString":"x","aUint32":2,"numbers":[2,3],"otherName":"PG"}"#])
    }

    @Test func `Messages of a list are made of the elements of another`() throws {
        let mapping = RecordMapping(
            map: [
                "a_string=id", "points[].x=credits.crew[][job=Director].at.x",
                "points[].y=credits.crew[][job=Director].y",
            ])
        _ = try run(Self.film, mapping) { $0.file.isSingle = true }
        #expect(try kitchen.records() == ["x": #"{"aString":"x","points":[{"x":2},{"x":3}]}"#])
        func refusal(_ map: String...) throws -> String {
            try kitchen.refusal(Self.film, RecordMapping(map: ["a_string=id"] + map), named: "a.json") {
                $0.file.isSingle = true
            }
        }
        #expect(try refusal("points[].z=a[].b").contains("has no field 'z'"))
        #expect(try refusal("texts[].z=a[].b").contains("'texts' is not a list of messages"))
        #expect(try refusal("points[].x=a.b").contains("such as 'a.b[].id'"))
        #expect(try refusal("points[].x=a[].b", "points[].y=c[].b").contains("come from another list, 'a[]'"))
        #expect(try refusal("points[].x=a[].b", "points[].x=a[].c").contains("'points' has a value already"))
        #expect(try refusal("points[].x=nowhere[].b").contains("has no column 'nowhere[]'"))
    }

    @Test func `A number that means no value is named for its field`() throws {
        var mapping = RecordMapping(map: ["a_string=id", "maybe_number=runtime", "an_int32=runtime"])
        mapping.unknowns = [RecordMapping.Entry(field: "maybe_number", value: "0")]
        _ = try run(Self.film, mapping) { $0.file.isSingle = true }
        #expect(try kitchen.records() == ["x": #"{"aString":"x"}"#])
        let yaml = try RecordMapping(yaml: "unknown: {runtime: 0}", file: "map.yaml")
        #expect(yaml.unknowns == [RecordMapping.Entry(field: "runtime", value: "0")])
    }

    @Test func `The order of the rows may be kept as a list`() throws {
        let report = try run(#"[{"a_string": "b"}, {"a_string": "a"}, {"a_string": "b", "a_uint32": 1}]"#) {
            $0.list = ListName("top")
        }
        #expect((report.rows, report.imported, report.repeated) == (4, 3, 1), "the list counts as a row")
        let lists = try kitchen.store.allChanges().compactMap { if case .list(let list) = $0 { list } else { nil } }
        #expect(lists.first?.entries.compactMap(\.record?.id) == ["b", "a"])
        let refused = try run(#"[{"a_string": "b"}]"#) { $0.list = ListName("tpo") }
        #expect(refused.problems.first?.reason.hasPrefix("the list: ") == true && refused.bad == 1)
    }

    @Test func `Records that a complete file doesn't have are removed`() throws {
        _ = try run(#"[{"a_string": "a"}, {"a_string": "b"}, {"a_string": "c"}]"#)
        let report = try run(#"[{"a_string": "b"}, {"a_string": "d"}]"#) { $0.isComplete = true }
        #expect((report.rows, report.imported, report.unchanged, report.removed) == (2, 1, 1, 2))
        #expect(try kitchen.records().keys.sorted() == ["b", "d"])
        // A bad row has a record, too.
        let bad = try run(#"[{"a_string": "b"}, {"a_string": "d", "a_uint32": -1}]"#) { $0.isComplete = true }
        #expect(bad.bad == 1 && bad.removed == 0)
        #expect(try kitchen.records().keys.sorted() == ["b", "d"])
    }
}
