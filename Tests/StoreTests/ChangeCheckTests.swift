import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeStore

/// A check of a change has the rules of a commit, as far as they need nothing but the types.
@Suite struct ChangeCheckTests {
    private static let declarations = """
        descriptors: podcast.desc
        types:
          show: {message: podcast.v1.Show, id: slug}
          episode: {message: podcast.v1.Episode, id: guid, sorts: [plays, {field: recorded, as: date}]}
          part: {message: podcast.v1.Episode, id: minutes}
        lists:
          top: {of: [episode, show], place: podcast.v1.Audio}
          daily: {of: [episode], editions: true}
        """

    private static let types = Sample.types(declarations)

    private let set: TypeSet

    init() throws { set = try TypeSet(Self.declarations, file: "types", descriptors: Sample.descriptors) }

    private func check(_ json: String, atMost limit: Int = 100) throws -> [RecordError] {
        var mistakes = RecordMistakes(limit: limit)
        CommitPlan.check(try Change(document: Array(json.utf8)), by: set, noting: &mistakes)
        return mistakes.all
    }

    private static func episode(_ change: String, _ fields: String) -> String {
        #"{"\#(change)": {"type": "episode", "id": "e1", "record": {\#(fields)}}}"#
    }

    private static let wrong: [(String, String)] = [
        // Names.
        (#"{"put": {"type": "episod", "id": "e1", "record": {}}}"#, "type"),
        (#"{"merge": {"type": "episod", "id": "e1", "record": {}}}"#, "type"),
        (#"{"remove": {"type": "episod", "id": "e1"}}"#, "type"),
        (#"{"choose": {"pool": "main", "record": "shw/s"}}"#, "record"),
        (#"{"list": {"list": "tops", "entries": []}}"#, "list"),
        (#"{"listItem": {"list": "tops", "item": {"record": "show/s"}}}"#, "list"),
        (#"{"listItem": {"list": "tops", "remove": "show/s"}}"#, "list"),
        (#"{"show": {"list": "dialy", "edition": "a"}}"#, "list"),
        (#"{"removeList": {"list": "tops/week"}}"#, "list"),
        (#"{"list": {"list": "daily", "entries": []}}"#, "edition"),
        (#"{"listItem": {"list": "daily", "remove": "show/s"}}"#, "edition"),
        (#"{"show": {"list": "top", "edition": "a"}}"#, "edition"),
        (#"{"removeList": {"list": "top", "edition": "a"}}"#, "edition"),
        // Dates and ids.
        (Self.episode("put", #""guid": "e1", "recorded": "2012""#), "episode.recorded"),
        (Self.episode("merge", #""recorded": "2012-02-30""#), "episode.recorded"),
        (Self.episode("put", #""guid": "e2""#), "episode.guid"),
        (Self.episode("put", #""title": "One""#), "episode.guid"),
        (Self.episode("merge", #""guid": "e2""#), "episode.guid"),
        (Self.episode("merge", #""guid": """#), "episode.guid"),
        (#"{"merge": {"type": "episode", "id": "e1", "clear": ["guid"]}}"#, "episode.guid"),
        (#"{"merge": {"type": "part", "id": "x", "record": {"title": "One"}}}"#, "part.minutes"),
        // Entries.
        (#"{"list": {"list": "top", "entries": [{"record": "part/1"}]}}"#, "entries[0].record"),
        (#"{"list": {"list": "daily", "edition": "a", "entries": [{"key": "k"}]}}"#, "entries[0]"),
        (#"{"list": {"list": "top", "entries": [{"key": "k", "place": {"byts": 1}}]}}"#, "entries[0].place.byts"),
        (#"{"listItem": {"list": "top", "item": {"key": "k", "place": {"byts": 1}}}}"#, "item.place.byts"),
        (#"{"listItem": {"list": "daily", "edition": "a", "item": {"record": "show/s"}}}"#, "item.record"),
    ]

    @Test(arguments: ChangeCheckTests.wrong)
    func `A check finds a mistake for which a commit is refused, in the same words`(json: String, path: String) throws {
        let mistakes = try check(json)
        #expect(mistakes.map(\.path) == [path], "\(mistakes)")
        let store = MemoryStore()
        try store.commit(Self.types)
        let outcome = try store.commit(Change(document: Array(json.utf8)))
        let first = try #require(mistakes.first)
        #expect(outcome == .refused("change 1: \(CommitPlan.Refusal(first).reason)"))
        #expect(try store.catalogueHead().revision == 1)
    }

    @Test(arguments: [
        (
            #"{"remove": {"type": "episod", "id": "e1"}}"#,
            "change 1: there is no type 'episod'; did you mean 'episode'?"
        ),
        (#"{"choose": {"pool": "main", "record": "shw/s"}}"#, "change 1: there is no type 'shw'; did you mean 'show'?"),
        (#"{"removeList": {"list": "tops/week"}}"#, "change 1: there is no list 'tops'; did you mean 'top'?"),
        (#"{"listItem": {"list": "tops", "remove": "k"}}"#, "change 1: there is no list 'tops'; did you mean 'top'?"),
    ])
    func `A misspelt type or list is refused with the nearest name`(json: String, reason: String) throws {
        let store = MemoryStore()
        try store.commit(Self.types)
        #expect(try store.commit(Change(document: Array(json.utf8))) == .refused(reason))
    }

    @Test(arguments: [
        #"{"remove": {"type": "episode", "id": "none"}}"#, #"{"removeList": {"list": "top"}}"#,
        #"{"removeList": {"list": "top/none"}}"#, #"{"removeList": {"list": "daily"}}"#,
        #"{"removeList": {"list": "daily", "edition": "none"}}"#, #"{"listItem": {"list": "top", "remove": "none"}}"#,
        #"{"listItem": {"list": "daily", "edition": "none", "remove": "none"}}"#, #"{"removePage": {"id": "none"}}"#,
    ])
    func `Removing something that isn't there is no mistake`(json: String) throws {
        #expect(try check(json).isEmpty)
        let store = MemoryStore()
        try store.commit(Self.types)
        #expect(try store.commit(Change(document: Array(json.utf8))) == .done(revision: 1, changed: false))
    }

    /// A commit refuses them where the record, the entry or the edition isn't there.
    @Test(arguments: [
        #"{"merge": {"type": "episode", "id": "e1", "record": {"plays": 1}, "create": false}}"#,
        #"{"listItem": {"list": "daily", "edition": "a", "item": {"key": "k"}, "at": 1}}"#,
        #"{"show": {"list": "daily", "edition": "a"}}"#,
    ])
    func `A check refuses nothing that depends on the catalogue's content`(json: String) throws {
        #expect(try check(json).isEmpty)
        let store = MemoryStore()
        try store.commit(Self.types)
        #expect(try store.commit(Change(document: Array(json.utf8)))?.isRefused == true)
    }

    @Test func `All mistakes of a record are named, each once, up to the bound`() throws {
        let json = Self.episode(
            "put",
            #"""
            "guid": "e2", "titel": "One", "plays": "many", "recorded": "2012", "kind": "KIND_FUL",
            "chapters": [{"title": 5}, {}, {"titel": "x"}]
            """#)
        let mistakes = try check(json)
        #expect(
            mistakes.map(\.path) == [
                "episode.chapters[0].title", "episode.chapters[2].titel", "episode.kind", "episode.plays",
                "episode.titel", "episode.recorded", "episode.guid",
            ])
        #expect(mistakes[2].reason == "podcast.v1.Kind has no value 'KIND_FUL'; did you mean 'KIND_FULL'?")
        #expect(mistakes[4].reason == "there is no field 'titel' here; did you mean 'title'?")
        #expect(mistakes[6].reason == "the id is 'e2', but the change is about 'e1'")
        for limit in 1...mistakes.count {
            let found = try check(json, atMost: limit)
            #expect(found == Array(mistakes.prefix(limit)))
        }
        let wrongID = try check(Self.episode("put", #""guid": 5"#))
        #expect(wrongID.map(\.path) == ["episode.guid"], "it isn't missing as well")
    }

    @Test func `All mistakes of a merge and of a list are named`() throws {
        let merge = #"""
            {"merge": {"type": "episode", "id": "e1", "record": {"plays": -1, "recorded": "x"}, "clear": ["tite"]}}
            """#
        #expect(try check(merge).map(\.path) == ["episode.plays", "episode", "episode.recorded"])
        let list = #"""
            {"list": {"list": "top", "edition": "a", "entries": [
              {"record": "part/1", "place": {"byts": 1, "url": 5}}, {"record": "show/s"},
              {"key": "k", "place": {"bytes": -1}}]}}
            """#
        #expect(
            try check(list).map(\.path) == [
                "edition", "entries[0].record", "entries[0].place.byts", "entries[0].place.url",
                "entries[2].place.bytes",
            ])
    }

    @Test func `Without types, a change that needs them is refused`() throws {
        for (json, isRefused) in [
            (#"{"remove": {"type": "episode", "id": "e1"}}"#, true), (#"{"removeList": {"list": "top"}}"#, true),
            (#"{"choose": {"pool": "main", "record": "episode/e1"}}"#, true), (#"{"removePage": {"id": "p"}}"#, false),
        ] {
            let change = try Change(document: Array(json.utf8))
            var mistakes = RecordMistakes(limit: 9)
            CommitPlan.check(change, by: nil, noting: &mistakes)
            #expect(mistakes.all == (isRefused ? [RecordError(CommitPlan.noTypes)] : []))
            let expected: StoreOutcome =
                isRefused ? .refused("change 1: \(CommitPlan.noTypes)") : .done(revision: 0, changed: false)
            #expect(try MemoryStore().commit(change) == expected)
        }
    }
}
