import Foundation
import MarqueeModel
import Testing

@testable import MarqueeTypes

struct TypeSetTests {
    static let declaration = """
        descriptors: podcast.desc
        types:
          show:
            message: podcast.v1.Show
            id: slug
            localized: [title]
            search: [title, author]
            sorts: [title, year]
            facets: [topics]
          episode:
            message: podcast.v1.Episode
            kind: 2000
            id: guid
            localized: [{field: summary, locale: locale, text: text}]
            search: [title, summary, topics]
            references: {show: show, guests.people: person}
            sorts: [published, plays, {field: recorded, as: date}, audio.bytes]
            facets: [show, topics, kind, explicit]
          person: {message: podcast.v1.Person, id: id}
        collections:
          favorites: {of: [show, episode]}
          progress: {of: [episode], value: uint32}
          places: {of: [episode], value: podcast.v1.Text}
          seen: {of: [episode], value: google.protobuf.Timestamp}
        """

    static func types(_ text: String = declaration) throws -> TypeSet {
        try TypeSet(text, file: "types.yaml", descriptors: Fixtures.bytes("podcast.desc"))
    }

    /// All mistakes in a declaration, one per line.
    private func mistakes(_ text: String, descriptors: String = "podcast") throws -> [String] {
        let bytes = try Fixtures.bytes("\(descriptors).desc")
        do throws(FileMistakes) {
            _ = try TypeSet(text, file: "types.yaml", descriptors: bytes)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    @Test func `A declaration lists what is indexed`() throws {
        let set = try TypeSetTests.types()
        #expect(set.types.map(\.alias) == ["show", "episode", "person"])
        let episode = try #require(set.type("episode"))
        #expect(episode.message.fullName == "podcast.v1.Episode" && episode.id?.text == "guid")
        #expect(episode.kind == ItemKind(rawValue: 2_000))
        #expect(episode.search.map(\.path.text) == ["title", "summary", "topics"])
        #expect(episode.sorts.map(\.path.text) == ["published", "plays", "recorded", "audio.bytes"])
        #expect(episode.facets.map(\.text) == ["show", "topics", "kind", "explicit"])
        #expect(episode.references.map(\.path.text) == ["show", "guests.people"])
        #expect(episode.references.map(\.type) == ["show", "person"])
        #expect(set.collections.map(\.name) == ["favorites", "progress", "places", "seen"])
        #expect(set.collection("progress")?.types == ["episode"] && set.collection("favorites")?.value == nil)
    }

    @Test func `A type reads what it declares`() throws {
        let set = try TypeSetTests.types()
        let episode = try #require(set.type("episode"))
        let record = try episode.coder.record(
            """
            {"guid": "g-1", "title": "One", "show": "daily", "recorded": "2024-05-01", "topics": ["a", "b"],
             "published": "2024-05-02T00:00:00Z", "summary": [{"locale": "en", "text": "Hello"}, {"locale": "ko", "text": "안녕"}],
             "guests": {"people": ["7", "8"]}, "plays": "12"}
            """)
        #expect(try episode.id(of: record) == "g-1")
        #expect(episode.search.flatMap { $0.texts(in: record) }.map(\.text) == ["One", "Hello", "안녕", "a", "b"])
        #expect(episode.references.map { $0.ids(in: record) } == [["daily"], ["7", "8"]])
        #expect(episode.localized.first?.text(in: record, locales: ["fr", "ko"]) == "안녕")
        #expect(episode.localized.first?.text(in: record, locales: ["fr"]) == "Hello")
        let days = WellKnownText.days(try #require(CalendarDate("2024-05-01")))
        #expect(episode.sorts[2].key(of: record) == SortKey(.integer(days)))
        #expect(episode.sorts[1].key(of: record) == SortKey(.unsigned(12)))
        #expect(episode.sorts[2].key(of: []) == SortKey(nil))
        #expect(episode.sorts[3].key(of: record) == SortKey(nil))
        #expect(throws: RecordError(path: "episode.guid", "the id is missing")) { try episode.id(of: []) }
        let long = try episode.coder.record("{\"guid\": \"\(String(repeating: "a", count: 257))\"}")
        #expect(throws: RecordError.self) { try episode.id(of: long) }

        let show = try #require(set.type("show"))
        let titles = try show.coder.record(#"{"slug": "d", "title": {"en": "Daily", "ko": "매일"}}"#)
        #expect(show.sorts[0].isLocalized)
        #expect(show.sorts[0].key(of: titles, locales: ["ko"]) == SortKey(.text("매일")))
        #expect(show.sorts[0].key(of: titles, locales: ["fr", "en"]) == SortKey(.text("Daily")))
        let person = try #require(set.type("person"))
        #expect(try person.id(of: person.coder.record(#"{"id": 7}"#)) == "7")
    }

    @Test func `A message that clients know keeps its kind`() throws {
        func types(_ text: String) throws -> TypeSet {
            try TypeSet(
                "descriptors: a\ntypes:\n\(text)", file: "types.yaml", descriptors: Fixtures.bytes("podcast.desc"),
                builtIn: ["podcast.v1.Show": ItemKind(rawValue: 4)])
        }
        let set = try types(
            """
              show: {message: podcast.v1.Show, id: slug}
              series: {message: podcast.v1.Show, kind: 4}
              episode: {message: podcast.v1.Episode, id: guid, kind: 2001}
            """)
        #expect(set.types.map(\.kind.rawValue) == [4, 4, 2001])
        for wrong in ["5", "2001", "x"] {
            #expect(throws: FileMistakes.self) {
                try types("  show: {message: podcast.v1.Show, id: slug, kind: \(wrong)}")
            }
        }
    }

    @Test func `A type without an id field has no id to check`() throws {
        let named = "descriptors: a\ntypes:\n  show: {message: podcast.v1.Show, id: slug}"
        let free = "descriptors: a\ntypes:\n  show: {message: podcast.v1.Show}"
        let show = try #require(TypeSetTests.types(free).type("show"))
        #expect(show.id == nil)
        #expect(try show.id(of: []) == nil)
        let inUse = TypesInUse(records: ["show"])
        #expect(try TypeSetTests.types(named).changes(to: TypeSetTests.types(free), inUse: inUse).isCompatible)
        #expect(
            try TypeSetTests.types(free).changes(to: TypeSetTests.types(named), inUse: inUse).incompatible == [
                "the type 'show' has its id in 'slug' now, but its records are stored by ids that no field holds"
            ])
    }

    @Test func `A kind follows from the alias alone`() throws {
        let kind = try #require(TypeSetTests.types().type("show")?.kind.rawValue)
        #expect((TypeLimits.firstKind..<TypeLimits.firstKind + 1_000_000).contains(kind))
        let alone = "descriptors: a\ntypes:\n  show: {message: podcast.v1.Show, id: slug}"
        #expect(try TypeSetTests.types(alone).type("show")?.kind.rawValue == kind)
        // Clients may know the kind, so it must never change.
        #expect(kind == 457_051)
    }

    @Test func `A collection has small values`() throws {
        let set = try TypeSetTests.types()
        let progress = try #require(set.collection("progress")?.value)
        #expect(try progress.bytes(json: Array("90".utf8)) == [0x08, 90])
        #expect(try progress.json(of: [0x08, 90]) == "90")
        #expect(throws: RecordError(path: "progress", "a whole number from 0 to 4294967295 is expected, not -1")) {
            try progress.bytes(json: Array("-1".utf8))
        }
        let places = try #require(set.collection("places")?.value)
        #expect(try places.json(of: places.bytes(json: Array(#"{"text": "x"}"#.utf8))) == #"{"text":"x"}"#)
        let seen = try #require(set.collection("seen")?.value)
        #expect(
            try seen.json(of: seen.bytes(json: Array("\"1970-01-01T00:00:05Z\"".utf8))) == "\"1970-01-01T00:00:05Z\"")
        let long = "{\"text\": \"\(String(repeating: "a", count: 254))\"}"
        #expect(throws: RecordError(path: "places", "a value of 257 bytes; at most 256 are allowed")) {
            try places.bytes(json: Array(long.utf8))
        }
    }

    @Test func `The set is the same wherever it is built`() throws {
        let set = try TypeSetTests.types()
        let again = try TypeSet(serialized: set.serialized, file: "types")
        #expect(again == set && again.serialized == set.serialized)
        let other = try TypeSetTests.types(TypeSetTests.declaration + "\n# more")
        #expect(other.serialized != set.serialized)
        for end in stride(from: 0, to: set.serialized.count, by: 97) {
            #expect(throws: FileMistakes.self) { try TypeSet(serialized: Array(set.serialized[..<end]), file: "types") }
        }
        #expect(try TypeSet.descriptorFile(of: TypeSetTests.declaration, file: "types.yaml") == "podcast.desc")
    }

    @Test func `Every mistake is named with its line`() throws {
        let text = """
            descriptors: podcast.desc
            types:
              show:
                message: podcast.v1.Sho
                id: slug
              episode:
                message: podcast.v1.Episode
                kind: 12
                id: audio
                localised: [title]
                search: [titel, plays, show]
                sorts: [kind, topics, {field: published, as: date}, plays, plays]
                facets: [published, chapters.title]
                references: {show: shwo, rating: show}
              Person: {message: podcast.v1.Person, id: id}
            collections:
              favorites: {of: [shows]}
              progress: {of: [episode], value: uint3}
              empty: {of: []}
              twice: {of: [show, show], value: google.protobuf.Timestamp}
            """
        let found = try mistakes(text)
        let expected = [
            "types.yaml:4: there is no message 'podcast.v1.Sho'; did you mean 'podcast.v1.Show'?",
            "types.yaml:8: 'kind' must be from 1000 to 4294967295, not 12",
            "types.yaml:9: 'audio' is declared as podcast.v1.Audio; an id is a string or a whole number",
            "types.yaml:10: a type has no key 'localised'; did you mean 'localized'? Allowed: message, fields, kind, id, search, localized, references, sorts, facets, labels",
            "types.yaml:11: 'search': podcast.v1.Episode has no field 'titel'; did you mean 'title'?",
            "types.yaml:11: 'plays' is declared as uint64; a search field is a string, a list of them, or a field listed under 'localized'",
            "types.yaml:12: 'kind' is declared as podcast.v1.Kind; a sort is a number, a string, a time or a duration that occurs once, or a field listed under 'localized'",
            "types.yaml:12: 'topics' is declared as repeated string; a sort is a number, a string, a time or a duration that occurs once, or a field listed under 'localized'",
            "types.yaml:12: 'published' is declared as google.protobuf.Timestamp; a date is a string written YYYY-MM-DD",
            "types.yaml:12: 'sorts' names 'plays' twice",
            "types.yaml:13: 'published' is declared as google.protobuf.Timestamp; a facet is a scalar or a list of scalars",
            "types.yaml:13: 'facets': 'chapters.title' leads through 'chapters', declared as repeated podcast.v1.Chapter; a path leads only through messages that occur once",
            "types.yaml:14: there is no type 'shwo'; did you mean 'show'?",
            "types.yaml:14: 'rating' is declared as optional double; a reference is an id, or a list of ids: strings or whole numbers",
            "types.yaml:15: the alias of a type, 'Person', must begin with a letter and have only lowercase letters, digits, '-' and '_'",
            "types.yaml:17: there is no type 'shows'; did you mean 'show'?",
            "types.yaml:18: there is no type 'uint3' for a value; did you mean 'uint32'?",
            "types.yaml:19: 'of' is empty",
            "types.yaml:20: 'of' names 'show' twice",
        ]
        for (found, expected) in zip(found, expected) { #expect(found == expected) }
        #expect(found.count == expected.count)
    }

    @Test(arguments: [
        ("", "types.yaml:1: the file is empty"),
        ("types: [", "types.yaml:2: this is not YAML"),
        ("descriptors: a\ndescriptors: b", "types.yaml:1: this mapping has a duplicate key: 'descriptors'"),
        ("descriptors: a", "types.yaml:1: the declaration needs 'types'"),
        ("types: {a: {message: podcast.v1.Show, id: slug}}", "types.yaml:1: the declaration needs 'descriptors'"),
        ("descriptors: a\ntypes: {}", "types.yaml:2: 'types' is empty"),
        ("descriptors: a\ntypes: [a]", "types.yaml:2: 'types' must be a mapping"),
        (
            "descriptors: a\ntypes:\n  a: {message: podcast.v1.Show, id: slug, kind: 1001}\n  b: {message: podcast.v1.Show, id: slug, kind: 1001}",
            "types.yaml:4: the types 'a' and 'b' have the same item kind 1001"
        ),
        (
            "descriptors: a\ntypes:\n  a: {message: podcast.v1.Show, id: slug, localized: [{field: topics, locale: a, text: b}]}",
            "types.yaml:3: 'topics' is declared as repeated string; a text by locale is a list of messages"
        ),
        (
            "descriptors: a\ntypes:\n  a: {message: podcast.v1.Show, id: slug, search: [title]}",
            "types.yaml:3: 'title' is declared as map<string, string>; a search field is a string"
        ),
    ])
    func `The error for a file that isn't a declaration says why`(text: String, message: String) throws {
        let mistakes = try mistakes(text)
        #expect(mistakes.contains { $0.hasPrefix(message) }, "\(mistakes)")
    }

    @Test(arguments: ["card", "fields", "kind", "message", "place"])
    func `A name that programme bodies use for something else can't be an alias`(alias: String) throws {
        let found = try mistakes("descriptors: a\ntypes:\n  \(alias): {message: podcast.v1.Show, id: slug}")
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("types.yaml:3: no type can be called '\(alias)': ") == true, "\(found)")
        // A list or a collection is never the key of a body.
        let declared = "descriptors: a\ntypes:\n  show: {message: podcast.v1.Show, id: slug}\n"
        #expect(try mistakes(declared + "lists: {\(alias): {of: [show]}}\ncollections: {\(alias): {of: [show]}}") == [])
    }

    @Test func `An unsupported feature is named where it is used`() throws {
        let text = "descriptors: a\ntypes:\n  a:\n    message: refused.v1.WithGroup\n    id: x"
        #expect(
            try mistakes(text, descriptors: "refused") == [
                "types.yaml:4: refused.proto: refused.v1.WithGroup.place: a group is not supported"
            ])
        let broken = #expect(throws: FileMistakes.self) {
            try TypeSet(text, file: "types.yaml", descriptors: [1, 2, 3])
        }
        #expect(
            broken?.description == "types.yaml:1: a: this is not a descriptor set: its bytes are malformed or cut off")
    }

    @Test func `Limits are named`() throws {
        func type(_ extra: String) -> String {
            "descriptors: a\ntypes:\n  a: {message: podcast.v1.Episode, id: guid\(extra)}"
        }
        let many = (0...TypeLimits.types).map { "  a\($0): {message: podcast.v1.Show, id: slug}" }.joined(
            separator: "\n")
        #expect(
            try mistakes("descriptors: a\ntypes:\n\(many)").first
                == "types.yaml:3: 'types' has 65 entries; at most 64 are allowed")
        let fields =
            "search: [title, show, guid, audio.url, audio.codec.name, recorded], sorts: [title, show, guid, audio.url, plays, minutes], facets: [title, show, guid, plays, minutes]"
        #expect(
            try mistakes(type(", \(fields)")) == [
                "types.yaml:3: the type 'a' has 17 sorts, facets, search fields and references; at most 16 are allowed"
            ])
        let long = String(repeating: "a", count: TypeLimits.aliasBytes + 1)
        #expect(
            try mistakes("descriptors: a\ntypes:\n  \(long): {message: podcast.v1.Show, id: slug}").first
                == "types.yaml:3: the alias of a type is longer than 32 bytes")
        #expect(
            try mistakes(String(repeating: "#", count: TypeLimits.declarationBytes + 1)).first
                == "types.yaml:1: the file is larger than 262144 bytes")
    }

    @Test func `Nesting in a file is bounded`() throws {
        let depth = 50_000
        for text in [
            String(repeating: "[", count: depth), String(repeating: "{a: ", count: depth),
            String(repeating: "- ", count: depth),
            (0..<700).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n"),
            String(repeating: "? ", count: depth),
            String(repeating: "[", count: 990) + String(repeating: "]", count: 990),
        ] {
            #expect(try !mistakes(text).isEmpty)
        }
        // References to earlier nodes cost nothing until they are followed.
        let bomb =
            "descriptors: a\ntypes: &a {x: 1}\n"
            + (0..<30).map { "a\($0): &b\($0) [*\($0 == 0 ? "a" : "b\($0 - 1)"), *\($0 == 0 ? "a" : "b\($0 - 1)")]\n" }
            .joined()
        #expect(try !mistakes(bomb).isEmpty)
    }
}
