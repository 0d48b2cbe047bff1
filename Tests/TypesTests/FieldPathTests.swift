import SeededRandom
import Testing

@testable import MarqueeTypes

struct FieldPathTests {
    private let kitchen: RecordCoder
    private let episode: RecordCoder

    init() throws {
        kitchen = try Fixtures.coder("kitchen.v1.Kitchen")
        episode = try Fixtures.coder("podcast.v1.Episode")
    }

    private func value(_ path: String, _ json: String, _ coder: RecordCoder? = nil) throws -> FieldValue? {
        let coder = coder ?? kitchen
        return try FieldPath(path, message: coder.message, set: coder.set).value(in: coder.record(json))
    }

    private func values(_ path: String, _ json: String) throws -> [FieldValue] {
        try FieldPath(path, message: kitchen.message, set: kitchen.set).values(in: kitchen.record(json))
    }

    @Test func `Every scalar is read from bytes`() throws {
        let json = """
            {"aDouble": 1.5, "aFloat": 0.5, "anInt64": "-7", "aUint64": "18446744073709551615", "anInt32": -3,
             "aFixed32": 9, "aBool": true, "aString": "x", "someBytes": "AQ==", "aSint32": -5, "aSfixed64": "-6",
             "color": "COLOR_BELOW", "far": 1}
            """
        #expect(try value("aDouble", json) == .real(1.5))
        #expect(try value("a_float", json) == .real(0.5))
        #expect(try value("anInt64", json) == .integer(-7))
        #expect(try value("aUint64", json) == .unsigned(.max))
        #expect(try value("anInt32", json) == .integer(-3))
        #expect(try value("aFixed32", json) == .unsigned(9))
        #expect(try value("aBool", json) == .bool(true))
        #expect(try value("aString", json) == .text("x"))
        #expect(try value("someBytes", json) == .bytes([1]))
        #expect(try value("aSint32", json) == .integer(-5))
        #expect(try value("aSfixed64", json) == .integer(-6))
        #expect(try value("color", json) == .enumeration(name: "COLOR_BELOW", number: -1))
        #expect(try value("far", json) == .integer(1))
        #expect(try value("color", #"{"color": 77}"#) == .enumeration(name: "77", number: 77))
    }

    @Test func `Protobuf's own messages are values`() throws {
        #expect(try value("at", #"{"at": "1970-01-01T00:00:01.5Z"}"#) == .timestamp(seconds: 1, nanos: 500_000_000))
        #expect(try value("at", #"{"at": "1969-12-31T23:59:59Z"}"#) == .timestamp(seconds: -1, nanos: 0))
        #expect(try value("lasts", #"{"lasts": "-2s"}"#) == .duration(seconds: -2, nanos: 0))
        #expect(try value("wrappedInt64", #"{"wrappedInt64": 0}"#) == .integer(0))
        #expect(try value("wrappedString", #"{"wrappedString": "a"}"#) == .text("a"))
        #expect(try value("wrappedString", #"{"wrappedString": ""}"#) == .text(""))
        #expect(try value("wrappedBool", "{}") == nil)
        #expect(try value("at", "{}") == nil)
    }

    @Test func `A missing number is zero, and a missing text is missing`() throws {
        #expect(try value("anInt32", "{}") == .integer(0))
        #expect(try value("aBool", "{}") == .bool(false))
        #expect(try value("color", "{}") == .enumeration(name: "COLOR_UNSPECIFIED", number: 0))
        #expect(try value("aString", "{}") == nil)
        #expect(try value("maybeNumber", "{}") == nil)
        #expect(try value("maybeNumber", #"{"maybeNumber": 0}"#) == .integer(0))
        #expect(try value("asNumber", "{}") == nil)
        #expect(try value("point.x", "{}") == nil)
        #expect(try value("point.x", #"{"point": {}}"#) == .integer(0))
        let job = try Fixtures.coder("legacy.v1.Job")
        #expect(try value("priority", #"{"id": "a"}"#, job) == .integer(-5))
        #expect(try value("state", #"{"id": "a"}"#, job) == .enumeration(name: "RUNNING", number: 2))
        #expect(try value("plain", #"{"id": "a"}"#, job) == nil)
        #expect(try value("title", #"{"id": "a"}"#, job) == .text("Untitled \"job\"\n"))
    }

    @Test func `A path leads through messages`() throws {
        let json = #"{"guid": "g", "audio": {"url": "u", "codec": {"name": "aac", "kbps": 64}}}"#
        #expect(try value("audio.codec.kbps", json, episode) == .unsigned(64))
        #expect(try value("audio.url", json, episode) == .text("u"))
        let path = try FieldPath("audio.codec", message: episode.message, set: episode.set)
        let record = try episode.record(json)
        let range = try #require(path.messageRange(in: record))
        #expect(path.value(in: record) == .message(Array(record[range])))
        #expect(try FieldPath("inner.deeper", message: kitchen.message, set: kitchen.set).text == "inner.deeper")
    }

    @Test func `Lists are read packed or not`() throws {
        #expect(try values("numbers", #"{"numbers": [1, -1, 300]}"#) == [.integer(1), .integer(-1), .integer(300)])
        #expect(try values("loose", #"{"loose": [1, -1]}"#) == [.integer(1), .integer(-1)])
        #expect(try values("texts", #"{"texts": ["a", ""]}"#) == [.text("a"), .text("")])
        #expect(try values("colors", #"{"colors": [1]}"#) == [.enumeration(name: "COLOR_RED", number: 1)])
        #expect(try values("fixeds", #"{"fixeds": [7]}"#) == [.unsigned(7)])
        #expect(try values("times", #"{"times": ["1970-01-01T00:00:02Z"]}"#) == [.timestamp(seconds: 2, nanos: 0)])
        #expect(try values("anInt32", #"{"anInt32": 4}"#) == [.integer(4)])
        #expect(try values("texts", "{}") == [])
    }

    @Test func `A map is read by key`() throws {
        let json =
            #"{"titles": {"en": "Home", "ko": "홈", "": "none"}, "byNumber": {"-2": {"x": 1}}, "byFlag": {"true": 2}}"#
        #expect(try value("titles[ko]", json) == .text("홈"))
        #expect(try value("titles[]", json) == .text("none"))
        #expect(try value("titles[fr]", json) == nil)
        #expect(try value("byFlag[true]", json) == .enumeration(name: "COLOR_GREEN", number: 2))
        #expect(try value("byNumber[-2]", json) != nil)
        #expect(try value("titles", json) == nil)
        let titles = try FieldPath("titles", message: kitchen.message, set: kitchen.set)
        let record = try kitchen.record(json)
        let entries = titles.textEntries(in: record)
        #expect(entries.map { String(decoding: record[$0.key], as: UTF8.self) } == ["", "en", "ko"])
        #expect(entries.map { String(decoding: record[$0.text], as: UTF8.self) } == ["none", "Home", "홈"])
    }

    @Test func `Messages of a list are read in place`() throws {
        let chapters = try FieldPath("chapters", message: episode.message, set: episode.set)
        let chapter = try #require(episode.set.message(named: "podcast.v1.Chapter"))
        let title = try FieldPath("title", message: chapter, set: episode.set)
        let record = try episode.record(#"{"guid": "g", "chapters": [{"title": "a"}, {}, {"title": "c"}]}"#)
        #expect(chapters.messageRanges(in: record).map { title.text(in: record, at: $0) } == ["a", nil, "c"])
    }

    @Test func `Unknown fields are skipped`() throws {
        let record: [UInt8] = [0x28, 0x07, 0x9A, 0x01, 0x02, 0xFF, 0xFF, 0xA8, 0x05, 0x05]
        let path = try FieldPath("anInt32", message: kitchen.message, set: kitchen.set)
        #expect(path.value(in: record) == .integer(7))
    }

    @Test func `Times beyond all bounds don't trap`() throws {
        // The least nanoseconds that a varint can have, and seconds to match.
        let least: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]
        for (name, tag) in [("at", [0xEA, 0x03]), ("lasts", [0xF2, 0x03])] as [(String, [UInt8])] {
            let path = try FieldPath(name, message: kitchen.message, set: kitchen.set)
            let value = path.value(in: tag + [22, 0x08] + least + [0x10] + least)
            #expect(value != nil)
            #expect(value?.text == (name == "at" ? nil : "-9223372036854775808s"))
        }
    }

    @Test func `Any bytes are read without a trap`() throws {
        var random = SeededGenerator(seed: 11)
        let paths = try kitchen.message.fields.map {
            try FieldPath($0.name, message: kitchen.message, set: kitchen.set)
        }
        for vector in try Fixtures.vectors().filter({ $0.message == "kitchen.v1.Kitchen" }) where !vector.bytes.isEmpty
        {
            for _ in 0..<5 {
                var wrong = [UInt8](vector.bytes)
                wrong[Int.random(in: wrong.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                for path in paths {
                    _ = path.value(in: wrong).map { $0.text }
                    _ = path.values(in: wrong)
                    _ = path.messageRanges(in: wrong)
                    _ = path.textEntries(in: wrong)
                    _ = SortKey(path.value(in: wrong))
                }
            }
        }
    }

    @Test(arguments: [
        ("titel", "podcast.v1.Episode has no field 'titel'; did you mean 'title'?"),
        ("audio.urk", "podcast.v1.Audio has no field 'urk'; did you mean 'url'?"),
        (
            "chapters.title",
            "'chapters.title' leads through 'chapters', declared as repeated podcast.v1.Chapter; a path leads only through messages that occur once"
        ),
        (
            "published.seconds",
            "'published.seconds' leads through 'published', declared as google.protobuf.Timestamp; a path leads only through messages that occur once"
        ),
        (
            "title.x",
            "'title.x' leads through 'title', declared as string; a path leads only through messages that occur once"
        ),
        ("a.b.c.d.e.f.g.h.i", "the path 'a.b.c.d.e.f.g.h.i' has more than 8 names"),
    ])
    func `The error for a wrong path says why`(path: String, message: String) throws {
        #expect(throws: RecordError(message)) { try FieldPath(path, message: episode.message, set: episode.set) }
    }
}

struct SortKeyTests {
    private func expectAscending(_ values: [FieldValue?]) {
        let keys = values.map { SortKey($0) }
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == keys.count)
        // Descending, with missing values still last.
        let present = values.filter { $0 != nil }
        let descending = present.reversed().map { SortKey($0, descending: true) } + [SortKey(nil, descending: true)]
        #expect(descending == descending.sorted())
    }

    @Test func `Keys compare as their values do`() {
        expectAscending([.integer(.min), .integer(-300), .integer(-1), .integer(0), .integer(1), .integer(.max), nil])
        expectAscending([.unsigned(0), .unsigned(255), .unsigned(256), .unsigned(.max), nil])
        expectAscending([
            .real(-.infinity), .real(-1e300), .real(-1), .real(-.leastNonzeroMagnitude), .real(0),
            .real(.leastNonzeroMagnitude), .real(1.5),
            .real(.infinity), nil,
        ])
        expectAscending([
            .timestamp(seconds: -5, nanos: 0), .timestamp(seconds: -5, nanos: 1), .timestamp(seconds: 0, nanos: 0),
            .timestamp(seconds: 1 << 40, nanos: 999_999_999), nil,
        ])
        expectAscending([
            .duration(seconds: -1, nanos: -5), .duration(seconds: -1, nanos: 0), .duration(seconds: 2, nanos: 0),
        ])
        expectAscending([.text(""), .text("a"), .text("ab"), .text("abc"), .text("b"), .text("é"), .text("홈"), nil])
    }

    @Test func `Texts of any length are ordered`() {
        // The parts compared as numbers end after 8 and 16 bytes.
        let lengths = [1, 2, 7, 8, 9, 15, 16, 17, 24, 255, 256]
        for letter in ["a", "z", "가"] {
            let texts = lengths.map { String(repeating: "b", count: $0 - 1) + letter }
            expectAscending(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .text($0) } + [nil])
        }
        expectAscending(lengths.map { .text(String(repeating: "b", count: $0)) } + [nil])
    }

    @Test func `Keys ignore the case of texts and the sign of zero`() {
        #expect(SortKey(.text("Dark")) == SortKey(.text("dARK")))
        #expect(SortKey(.real(0)) == SortKey(.real(-0.0)))
        #expect(SortKey(.real(.nan)) == SortKey(nil))
        #expect(SortKey(nil) == SortKey(nil, descending: true))
    }

    @Test func `A key is bounded`() {
        let text = String(repeating: "a", count: SortKey.textBytes)
        #expect(SortKey(.text(text + "b")) == SortKey(.text(text + "c")))
        #expect(SortKey(.text(text.dropLast() + "b")) > SortKey(.text(text)))
    }

    @Test func `Random numbers are ordered as numbers`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let a = Double(bitPattern: random.next())
            let b = Double(bitPattern: random.next())
            guard !a.isNaN, !b.isNaN else { continue }
            #expect((SortKey(.real(a)) < SortKey(.real(b))) == (a < b))
            let (i, j) = (Int64(bitPattern: random.next()), Int64(bitPattern: random.next()))
            #expect((SortKey(.integer(i)) < SortKey(.integer(j))) == (i < j))
            #expect((SortKey(.integer(i), descending: true) < SortKey(.integer(j), descending: true)) == (i > j))
        }
    }
}
