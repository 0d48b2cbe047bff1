import MarqueeModel
import Testing

@testable import MarqueeTypes

/// Everything that is wrong with a record.
@Suite struct RecordMistakesTests {
    private func mistakes(_ json: String, _ coder: RecordCoder, atMost limit: Int = 100) throws -> [RecordError] {
        var mistakes = RecordMistakes(limit: limit)
        _ = coder.record(json: try JSONValue(parsing: Array(json.utf8)), noting: &mistakes)
        return mistakes.all
    }

    @Test func `Each is named by its path, in the order of the document, up to the bound`() throws {
        let kitchen = try Fixtures.coder("kitchen.v1.Kitchen", name: "k")
        let json = #"""
            {"anInt32": "x", "point": {"z": 1, "x": 1.5}, "points": [{}, {"x": "a"}, 7, {"y": "b"}],
             "titles": {"en": null, "ko": 5}, "asText": "a", "asNumber": 1, "aBool": true, "a_bool": true, "aStrin": ""}
            """#
        let all = try mistakes(json, kitchen)
        #expect(
            all.map(\.path) == [
                "k.anInt32", "k.point.z", "k.point.x", "k.points[1].x", "k.points[2]", "k.points[3].y", "k.titles[en]",
                "k.titles[ko]", "k.asNumber", "k.a_bool", "k.aStrin",
            ])
        #expect(all.last?.reason == "there is no field 'aStrin' here; did you mean 'aString'?")
        for limit in 1...all.count {
            let found = try mistakes(json, kitchen, atMost: limit)
            #expect(found == Array(all.prefix(limit)))
        }
        let first = try #require(all.first)
        #expect(throws: first) { try kitchen.record(json) }
    }

    @Test func `A field that is required and wrong isn't missing as well`() throws {
        let job = try Fixtures.coder("legacy.v1.Job", name: "job")
        #expect(
            try mistakes(#"{"id": 5, "steps": [{"name": 1}, 7, {}]}"#, job).map(\.path)
                == ["job.id", "job.steps[0].name", "job.steps[1]", "job.steps[2]"])
        #expect(
            try mistakes(#"{"plain": "x"}"#, job) == [
                RecordError(path: "job.plain", "a whole number from 0 to 4294967295 is expected, not the text 'x'"),
                RecordError(path: "job", "the field 'id' is missing"),
            ])
    }

    @Test func `The rest of a record is read, so that it can be judged`() throws {
        let kitchen = try Fixtures.coder("kitchen.v1.Kitchen", name: "k")
        var mistakes = RecordMistakes(limit: 9)
        let json = #"{"aString": "a", "anInt32": "x", "point": {"x": 1, "y": "b"}, "titles": {"en": "e", "ko": 5}}"#
        let record = kitchen.record(json: try JSONValue(parsing: Array(json.utf8)), noting: &mistakes)
        #expect(try kitchen.json(of: try #require(record)) == #"{"aString":"a","point":{"x":1},"titles":{"en":"e"}}"#)
        #expect(mistakes.areAbout("an_int32") && mistakes.areAbout("point.y"))
        #expect(!mistakes.areAbout("point.x") && !mistakes.areAbout("a_string"))
    }

    @Test func `A change names its wrong fields and the paths that it can't clear`() throws {
        let kitchen = try Fixtures.coder("kitchen.v1.Kitchen", name: "k")
        var mistakes = RecordMistakes(limit: 9)
        _ = kitchen.patch(
            json: try JSONValue(parsing: Array(#"{"aBool": 1, "anInt32": 1.5}"#.utf8)), clear: ["point", "a_strin"],
            noting: &mistakes)
        #expect(mistakes.all.map(\.path) == ["k.aBool", "k.anInt32", "k"])
        #expect(mistakes.all.last?.reason == "kitchen.v1.Kitchen has no field 'a_strin'; did you mean 'a_string'?")
    }
}
