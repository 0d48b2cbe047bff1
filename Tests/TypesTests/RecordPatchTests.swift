import Testing

@testable import MarqueeTypes

struct RecordPatchTests {
    private let kitchen: RecordCoder

    init() throws { kitchen = try Fixtures.coder("kitchen.v1.Kitchen", name: "k") }

    private func merged(_ record: String, _ change: String, clear: [String] = []) throws -> String {
        let patch = try kitchen.patch(json: Array(change.utf8), clear: clear)
        return try kitchen.json(of: kitchen.merge(patch, into: kitchen.record(record)))
    }

    @Test func `Present fields replace the old ones, and others stay`() throws {
        #expect(try merged(#"{"aString": "a", "anInt32": 1}"#, #"{"anInt32": 2}"#) == #"{"anInt32":2,"aString":"a"}"#)
        #expect(try merged(#"{"aString": "a"}"#, "{}") == #"{"aString":"a"}"#)
        #expect(try merged(#"{"aString": "a"}"#, #"{"aString": null}"#) == #"{"aString":"a"}"#)
    }

    @Test func `A title in another language never removes the rest`() throws {
        #expect(
            try merged(#"{"titles": {"en": "Home", "ko": "집"}}"#, #"{"titles": {"ko": "홈"}}"#)
                == #"{"titles":{"en":"Home","ko":"홈"}}"#)
        #expect(
            try merged(#"{"byNumber": {"1": {"x": 1, "y": 1}}}"#, #"{"byNumber": {"1": {"x": 2}}}"#)
                == #"{"byNumber":{"1":{"x":2}}}"#)
    }

    @Test func `Lists are replaced as a whole`() throws {
        #expect(try merged(#"{"texts": ["a", "b"]}"#, #"{"texts": ["c"]}"#) == #"{"texts":["c"]}"#)
        #expect(try merged(#"{"points": [{"x": 1}]}"#, #"{"points": [{"y": 1}]}"#) == #"{"points":[{"y":1}]}"#)
        #expect(try merged(#"{"texts": ["a", "b"]}"#, #"{"texts": []}"#) == "{}")
    }

    @Test func `Messages are merged, and protobuf's own are replaced`() throws {
        #expect(try merged(#"{"point": {"x": 1, "y": 1}}"#, #"{"point": {"x": 2}}"#) == #"{"point":{"x":2,"y":1}}"#)
        #expect(
            try merged(#"{"at": "2024-01-01T00:00:00.5Z"}"#, #"{"at": "2025-01-01T00:00:00Z"}"#)
                == #"{"at":"2025-01-01T00:00:00Z"}"#)
        #expect(try merged(#"{"wrappedInt32": 5}"#, #"{"wrappedInt32": 0}"#) == #"{"wrappedInt32":0}"#)
    }

    @Test func `A field set to its default is cleared`() throws {
        #expect(try merged(#"{"anInt32": 1, "aString": "a"}"#, #"{"anInt32": 0, "aString": ""}"#) == "{}")
        #expect(try merged(#"{"point": {"x": 1, "y": 1}}"#, #"{"point": {"x": 0}}"#) == #"{"point":{"y":1}}"#)
        let patch = try kitchen.patch(json: Array(#"{"point": {"x": 0}, "points": [{"x": 0}]}"#.utf8))
        #expect(patch.clear == ["point.x"])
    }

    @Test func `Clear names fields by path`() throws {
        let record =
            #"{"aString": "a", "titles": {"en": "a", "ko": "b"}, "inner": {"level": "HIGH", "deeper": {"text": "x"}}}"#
        #expect(
            try merged(record, "{}", clear: ["aString", "titles[ko]", "inner.deeper.text"])
                == #"{"inner":{"level":"HIGH","deeper":{}},"titles":{"en":"a"}}"#)
        #expect(
            try merged(record, #"{"inner": {"level": 0}}"#, clear: ["inner", "a_string", "titles"]) == #"{"inner":{}}"#)
        #expect(try merged("{}", "{}", clear: ["point.x", "byNumber[5]"]) == "{}")
    }

    @Test func `An invalid path is refused`() throws {
        func refusal(_ path: String) -> String {
            do throws(RecordError) {
                _ = try kitchen.patch(json: Array("{}".utf8), clear: [path])
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal("a_strin") == "k: kitchen.v1.Kitchen has no field 'a_strin'; did you mean 'a_string'?")
        #expect(refusal("points.x").contains("leads through 'points', declared as repeated kitchen.v1.Point"))
        #expect(refusal("aString[0]") == "k: 'a_string' is declared as string, not a map; it has no entry '0'")
        #expect(
            refusal("")
                == "k: kitchen.v1.Kitchen has no field ''; known: a_double, a_float, an_int64, a_uint64, an_int32, a_fixed64, a_fixed32, a_bool, a_string, some_bytes, a_uint32, a_sfixed32, a_sfixed64, a_sint32, a_sint64, color, point, inner, doubles, numbers, loose, texts, blobs, colors, …"
        )
        #expect(throws: RecordError.self) {
            try kitchen.patch(
                json: Array("{}".utf8), clear: Array(repeating: "point", count: RecordLimits.clearedPaths + 1))
        }
    }

    @Test func `A new oneof member clears the old one`() throws {
        #expect(try merged(#"{"asText": "a"}"#, #"{"asNumber": 5}"#) == #"{"asNumber":"5"}"#)
        #expect(try merged(#"{"asPoint": {"x": 1}}"#, #"{"asPoint": {"y": 1}}"#) == #"{"asPoint":{"x":1,"y":1}}"#)
    }

    @Test func `A change may lack required fields of a record`() throws {
        let job = try Fixtures.coder("legacy.v1.Job", name: "job")
        let patch = try job.patch(json: Array(#"{"plain": 5}"#.utf8))
        #expect(try job.json(of: job.merge(patch, into: job.record(#"{"id": "a"}"#))) == #"{"id":"a","plain":5}"#)
        #expect(throws: RecordError(path: "job", "the field 'id' is missing")) { try job.merge(patch, into: []) }
    }

    @Test func `Bytes merge as JSON does`() throws {
        let change = #"{"anInt32": 5, "titles": {"ko": "x"}, "point": {"y": 3}, "texts": ["z"]}"#
        let record = try kitchen.record(#"{"aString": "a", "titles": {"en": "e"}, "point": {"x": 1}, "texts": ["a"]}"#)
        let fromJSON = try kitchen.patch(json: Array(change.utf8))
        let fromBytes = try kitchen.patch(bytes: kitchen.record(change))
        #expect(try kitchen.merge(fromJSON, into: record) == kitchen.merge(fromBytes, into: record))
    }

    /// Laws, checked with pairs of random records from another implementation.
    @Test func `Merging obeys its laws`() throws {
        let vectors = try Fixtures.vectors().filter { $0.message == "kitchen.v1.Kitchen" }
        for (index, vector) in vectors.enumerated() {
            let record = [UInt8](vector.bytes)
            let other = [UInt8](vectors[(index + 7) % vectors.count].bytes)
            let patch = try kitchen.patch(json: Array(try kitchen.json(of: other).utf8))
            let once = try kitchen.merge(patch, into: record)
            #expect(try kitchen.merge(patch, into: once) == once, "a second merge changes nothing")
            #expect(try kitchen.merge(patch, into: []) == other, "merged into nothing, a change is the record")
            #expect(try kitchen.merge(RecordPatch(record: []), into: record) == record, "an empty patch does nothing")
            #expect(try kitchen.merge(RecordPatch(record: record), into: record) == record, "nor does its own content")
            #expect(try kitchen.record(bytes: once) == once, "the result is canonical")
        }
    }
}
