import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeTypes

/// The JSON that is accepted, and the errors for everything else.
struct RecordMappingTests {
    private let kitchen: RecordCoder
    private let job: RecordCoder
    private let episode: RecordCoder

    init() throws {
        kitchen = try Fixtures.coder("kitchen.v1.Kitchen", name: "k")
        job = try Fixtures.coder("legacy.v1.Job", name: "job")
        episode = try Fixtures.coder("podcast.v1.Episode", name: "episode")
    }

    private func written(_ json: String) throws -> String { try kitchen.json(of: kitchen.record(json)) }

    @Test func `Both names are read, and the JSON name is written`() throws {
        #expect(try written(#"{"an_int32": 5}"#) == #"{"anInt32":5}"#)
        #expect(try written(#"{"renamed": "x"}"#) == #"{"otherName":"x"}"#)
        #expect(try written(#"{"otherName": "x"}"#) == #"{"otherName":"x"}"#)
    }

    @Test func `64-bit integers are strings on output`() throws {
        #expect(
            try written(#"{"anInt64": -9223372036854775808, "aUint64": "18446744073709551615", "anInt32": "-1"}"#)
                == #"{"anInt64":"-9223372036854775808","aUint64":"18446744073709551615","anInt32":-1}"#)
        #expect(try written(#"{"anInt32": 1.5e1, "aUint32": 4.0, "aFixed64": 0e99}"#) == #"{"anInt32":15,"aUint32":4}"#)
    }

    @Test func `A null or default value is absent`() throws {
        #expect(
            try kitchen.record(#"{"aString": null, "titles": null, "point": null, "anInt32": 0, "numbers": []}"#) == [])
        #expect(try written(#"{"maybeNumber": 0, "maybeText": ""}"#) == #"{"maybeNumber":0,"maybeText":""}"#)
        #expect(try written(#"{"point": {}, "inner": {"deeper": {}}}"#) == #"{"point":{},"inner":{"deeper":{}}}"#)
        #expect(try written(#"{"aDouble": -0.0}"#) == #"{"aDouble":-0.0}"#)
    }

    @Test func `Times have zones and fractions`() throws {
        #expect(try written(#"{"at": "2024-02-29T12:00:00+09:00"}"#) == #"{"at":"2024-02-29T03:00:00Z"}"#)
        #expect(try written(#"{"at": "1969-12-31T23:59:59.000001Z"}"#) == #"{"at":"1969-12-31T23:59:59.000001Z"}"#)
        #expect(
            try written(#"{"at": "9999-12-31T23:59:59.999999999Z"}"#) == #"{"at":"9999-12-31T23:59:59.999999999Z"}"#)
        #expect(try written(#"{"lasts": "-0.25s"}"#) == #"{"lasts":"-0.250s"}"#)
        for text in ["2024-02-30T00:00:00Z", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T24:00:00Z", "x", ""] {
            #expect(
                kitchen.refusal(#"{"at": "\#(text)"}"#)
                    == "k.at: a time such as \"2026-11-22T07:10:44Z\" is expected, not the text '\(text)'")
        }
        #expect(kitchen.refusal(#"{"lasts": "5"}"#).contains("a duration in seconds such as \"3.5s\" is expected"))
    }

    @Test(arguments: [
        (#"{"anInt32": 1e12}"#, "k.anInt32: a whole number from -2147483648 to 2147483647 is expected, not 1e12"),
        (#"{"anInt32": 1.5}"#, "k.anInt32: a whole number from -2147483648 to 2147483647 is expected, not 1.5"),
        (#"{"aUint64": -1}"#, "k.aUint64: a whole number from 0 to 18446744073709551615 is expected, not -1"),
        (
            #"{"anInt64": "x"}"#,
            "k.anInt64: a whole number from -9223372036854775808 to 9223372036854775807 is expected, not the text 'x'"
        ),
        (#"{"aString": 5}"#, "k.aString: text is expected, not 5"),
        (#"{"aString": "a\u0000b"}"#, "k.aString: text without NUL is expected"),
        (#"{"aBool": "true"}"#, "k.aBool: true or false is expected, not the text 'true'"),
        (#"{"someBytes": "a"}"#, "k.someBytes: base64 is expected, not the text 'a'"),
        (
            #"{"aFloat": 1e39}"#,
            "k.aFloat: a number of 32 bits, \"NaN\", \"Infinity\" or \"-Infinity\" is expected, not 1e39"
        ),
        (#"{"aDouble": 1e999}"#, "k.aDouble: a number, \"NaN\", \"Infinity\" or \"-Infinity\" is expected, not 1e999"),
        (#"{"texts": "a"}"#, "k.texts: a list is expected, not the text 'a'"),
        (#"{"texts": ["a", null]}"#, "k.texts[1]: text is expected, not null"),
        (#"{"titles": {"en": null}}"#, "k.titles[en]: text is expected, not null"),
        (#"{"titles": []}"#, "k.titles: an object is expected, not a list"),
        (
            #"{"byNumber": {"x": {}}}"#,
            "k.byNumber[x]: a whole number from -2147483648 to 2147483647 is expected, not the text 'x'"
        ),
        (
            #"{"byNumber": {"1": {}, "1.0": {}}}"#,
            "k.byNumber[1.0]: a whole number from -2147483648 to 2147483647 is expected, not the text '1.0'"
        ),
        (#"{"byFlag": {"yes": 0}}"#, "k.byFlag[yes]: the key 'true' or 'false' is expected, not the text 'yes'"),
        (#"{"color": "COLOR_REDD"}"#, "k.color: kitchen.v1.Color has no value 'COLOR_REDD'; did you mean 'COLOR_RED'?"),
        (#"{"color": true}"#, "k.color: the name or number of a value of kitchen.v1.Color is expected, not true"),
        (#"{"point": {"z": 1}}"#, "k.point.z: there is no field 'z' here; known: x, y"),
        (
            #"{"points": [{}, {"x": "a"}]}"#,
            "k.points[1].x: a whole number from -2147483648 to 2147483647 is expected, not the text 'a'"
        ),
        (#"{"asText": "a", "asNumber": 1}"#, "k.asNumber: 'asText' is given too; only one of 'choice' can be set"),
        (#"{"anInt32": 1, "an_int32": 1}"#, "k.an_int32: the field is given twice, as 'anInt32' and 'an_int32'"),
        (#"[]"#, "k: an object is expected, not a list"),
    ])
    func `A value that doesn't fit is named by its path`(json: String, message: String) {
        #expect(kitchen.refusal(json) == message)
    }

    @Test func `The error for a misspelt field suggests the nearest name`() {
        #expect(
            episode.refusal(#"{"guid": "a", "chapters": [{}, {}, {"titel": "x"}]}"#)
                == "episode.chapters[2].titel: there is no field 'titel' here; did you mean 'title'?")
    }

    @Test(arguments: [
        (#"{"a": 1, "a": 2}"#, "the name 'a' occurs twice in an object (line 1, column 13)"),
        ("{\n \"a\": \n}", "a value is expected (line 3, column 1)"),
        (#"{"a": "\ud800"}"#, "half of a surrogate pair stands alone (line 1, column 14)"),
        ("{} x", "something follows the document (line 1, column 4)"),
        ("", "the document ends early (line 1, column 1)"),
        (#"{"a": 01}"#, "',' or '}' is expected (line 1, column 8)"),
        ("nul", "a value is expected (line 1, column 1)"),
    ])
    func `Text that is not JSON is reported by its line`(json: String, message: String) {
        #expect(kitchen.refusal(json) == "k: this is not JSON: \(message)")
    }

    @Test func `A record may be inside a document`() throws {
        let document = try JSONValue(
            parsing: Array(#"{"put": {"type": "k", "record": {"anInt64": 9007199254740993}}}"#.utf8))
        let record = try #require(document["put"]?["record"])
        #expect(try kitchen.json(of: kitchen.record(json: record)) == #"{"anInt64":"9007199254740993"}"#)
        #expect(try kitchen.patch(json: record).record == kitchen.record(json: record))
        #expect(document["put"]?["id"] == nil && record["anInt64"]?["x"] == nil)
    }

    @Test func `Any text is read or refused`() throws {
        var random = SeededGenerator(seed: 23)
        for vector in try Fixtures.vectors().filter({ $0.message == "kitchen.v1.Kitchen" }) {
            let text = Array(vector.json.utf8)
            for _ in 0..<20 {
                var wrong = text
                wrong[Int.random(in: wrong.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                if let record = try? kitchen.record(json: wrong) {
                    #expect(throws: Never.self) { try kitchen.json(of: record) }
                }
                _ = try? kitchen.record(json: Array(text[..<Int.random(in: text.indices, using: &random)]))
            }
        }
    }

    @Test func `Depth and size are bounded`() throws {
        let tree = try Fixtures.coder("kitchen.v1.Tree", name: "tree")
        func nested(_ depth: Int) -> String {
            (1..<depth).reduce("{}") { inner, _ in "{\"left\": \(inner)}" }
        }
        #expect(tree.refusal(nested(RecordLimits.depth)) == "")
        #expect(tree.refusal(nested(RecordLimits.depth + 1)).hasSuffix("messages are nested more than 8 deep"))
        let brackets = String(repeating: "[", count: 100_000)
        #expect(tree.refusal(brackets).contains("values are nested more than 32 deep"))
        let long = String(repeating: "a", count: RecordLimits.bytes)
        #expect(tree.refusal("{\"name\": \"\(long)\"}") == "tree: a record of 65540 bytes; at most 65536 are allowed")
        #expect(tree.refusal(String(repeating: " ", count: RecordLimits.jsonBytes + 1)).contains("at most 1048576"))
    }

    @Test func `Proto2 says what is required`() throws {
        #expect(job.refusal("{}") == "job: the field 'id' is missing")
        #expect(
            job.refusal(#"{"id": "a", "steps": [{"name": "x"}, {"offset": 1}]}"#)
                == "job.steps[1]: the field 'name' is missing")
        #expect(job.refusal(#"{"id": "a", "state": 3}"#) == "job.state: legacy.v1.State has no value with the number 3")
        #expect(job.refusal(bytes: []) == "job: the field 'id' is missing")
    }

    /// Found by fuzzing: such a record was taken, and what was printed of it could not be read again.
    @Test func `A number that a closed enum has no name for is refused in bytes, too`() throws {
        let id: [UInt8] = [0x0A, 1, UInt8(ascii: "a")]
        let reason = "legacy.v1.State has no value with the number 3"
        #expect(job.refusal(bytes: id + [0x18, 3]) == "job.state: \(reason)")
        #expect(job.refusal(bytes: id + [0x50, 3]) == "job.states: \(reason)")
        #expect(job.refusal(bytes: id + [0x52, 2, 7, 3]) == "job.states: \(reason)")
        // A store may hold one, of older types; it isn't shown.
        #expect(try job.json(of: id + [0x18, 3]) == #"{"id":"a"}"#)
    }
}
