import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Lists on screens: entries in their order, with values of the record and of the place.
@Suite struct ListSourceTests {
    private let types: RecordTypes

    init() throws {
        types = try Podcasts.types(
            Podcasts.text("types.yaml") + """
                lists:
                  picks: {of: [episode], place: podcast.v1.Chapter}
                  weekly: {of: [episode, show], place: podcast.v1.Chapter, editions: true}
                  notes: {place: podcast.v1.Chapter}
                """)
    }

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: picks, kind: rank, source: {list: {name: picks, limit: 3}},
                 body: {card: {title: $title, subtitle: "$place.title · $show.title"}}}
              - {id: weekly, kind: list, header: "Week of $edition", source: {list: weekly},
                 body: {episode: {card: {title: "E $title"}}, show: {card: {title: "S $title"}}, place: card}}
              - {id: notes, kind: list, source: {list: notes}, body: {card: {title: $title, caption: $place.start, record: true}}}
          topic/$id:
            title: $id
            sections:
              - {id: picks, kind: list, source: {list: picks/$id}}
        """

    private func changes(_ json: String) throws -> [Change] {
        var journal = RecordJournal(types)
        return try journal.changes(ndjson: json)
    }

    private func screens() throws -> Screens {
        let records = try ["a", "b", "c", "d"].map {
            try types.put("episode", $0, #"{"guid": "\#($0)", "show": "s", "title": {"en": "\#($0.uppercased())"}}"#)
        }
        let show = try types.put("show", "s", #"{"slug": "s", "title": {"en": "Show"}}"#)
        return try Screens(records + [show], types: types, programme: Self.programme)
    }

    @Test func `A list shows its first entries in order`() throws {
        var screens = try screens()
        #expect(try screens.section("picks").head.errorReason == "LIST_MISSING")
        #expect(try screens.section("picks").head.error == "There is nothing to show here yet.")
        try screens.commit([.list(RecordList(ListName("picks"), entries: []))])
        #expect(try screens.section("picks").head.errorReason == nil, "it is there and empty")
        try screens.commit(
            changes(
                #"{"list": {"list": "picks", "entries": [{"record": "episode/b", "place": {"start": "1", "title": "First"}}, {"record": "episode/gone"}, {"record": "episode/a"}, {"record": "episode/c"}]}}"#
            ))
        let section = try screens.section("picks")
        #expect(section.head.errorReason == nil)
        #expect(section.items.map(\.id) == ["episode/b", "episode/a"])
        #expect(section.items.map(\.subject) == ["episode/b", "episode/a"])
        #expect(section.cards.map(\.subtitle) == ["First · Show", "Show"])
        try screens.commit(
            changes(
                #"{"listItem": {"list": "picks", "item": {"record": "episode/d", "place": {"title": "New"}}, "at": 1}}"#
            ))
        #expect(try screens.section("picks").titles == ["D", "B"])
        try screens.commit(changes(#"{"listItem": {"list": "picks", "remove": "episode/gone"}}"#))
        #expect(try screens.section("picks").titles == ["D", "B", "A"])
    }

    @Test func `A list shows its current edition`() throws {
        var screens = try screens()
        try screens.commit(
            changes(
                """
                {"list": {"list": "weekly", "edition": "w1", "entries": [{"record": "episode/a"}, {"record": "show/s"}]}}
                {"list": {"list": "weekly", "edition": "w2", "entries": [{"key": "n", "place": {"title": "Note"}}]}}
                """))
        #expect(try screens.section("weekly").head.errorReason == "LIST_MISSING")
        try screens.commit([.show(list: "weekly", edition: "w1")])
        #expect(try screens.section("weekly").titles == ["E A", "S Show"])
        #expect(try screens.section("weekly").head.header?.title == "Week of w1")
        try screens.commit([.show(list: "weekly", edition: "w2")])
        #expect(try screens.section("weekly").titles == ["Note"])
        try screens.commit([.removeList(ListName("weekly", edition: "w2"))])
        #expect(try screens.section("weekly").head.errorReason == "LIST_MISSING")
    }

    @Test func `An entry may consist of its place alone`() throws {
        var screens = try screens()
        try screens.commit(
            changes(
                #"{"list": {"list": "notes", "entries": [{"key": "n", "place": {"start": "1:00", "title": "Hello"}}]}}"#
            ))
        let card = try #require(try screens.section("notes").cards.first)
        #expect(card.title == "Hello")
        #expect(card.caption == "1:00")
        #expect(card.record?.message == "podcast.v1.Chapter")
        #expect(card.record?.bytes.isEmpty == false)
    }

    @Test
    func `A section with a long key and another key equal to its hash can't be shown until one is removed`() throws {
        var screens = try screens()
        let long = String(repeating: "k", count: TextBounds.key + 1)
        func notes(_ keys: String...) -> Change {
            .list(RecordList(ListName("notes"), entries: keys.map { ListEntry(key: $0, place: .bytes([])) }))
        }
        try screens.commit([notes(long)])
        let key = ContentKey.section(VariantKey(screen: "home", section: "notes", locale: "en"))
        #expect(try screens.watch(key, as: 1, members: []).items.map(\.id) == [long.boundedKey])
        try screens.commit([notes(long, long.boundedKey)])
        var version = try #require(screens.renew()[1])
        #expect(version.items.isEmpty)
        #expect(BodyCodec.decodeSectionHead(version.head)?.errorReason == "UNUSABLE")
        try screens.commit([notes(long)])
        version = try #require(screens.renew()[1])
        #expect(version.items.map(\.id) == [long.boundedKey])
        #expect(BodyCodec.decodeSectionHead(version.head)?.errorReason == nil)
    }

    @Test func `A screen shows the list named by its argument`() throws {
        var screens = try screens()
        try screens.commit(changes(#"{"list": {"list": "picks/food", "entries": [{"record": "episode/c"}]}}"#))
        #expect(try screens.section("picks", of: "topic/food").titles == ["C"])
        #expect(try screens.section("picks", of: "topic/history").head.errorReason == "LIST_MISSING")
    }

    @Test(arguments: [
        ("{list: pickz}", "the declaration of types has no list 'pickz'; did you mean 'picks'?"),
        ("{list: {name: picks, edition: a}}", "the list 'picks' has no editions"),
        ("{list: {name: picks, limt: 2}}", "a list has no key 'limt'; did you mean 'limit'?"),
        ("{list: picks/$id}", "'picks/$id' is not known here"),
        (
            "{list: picks}, body: {card: {title: $place.tite}}",
            "the title of a card: podcast.v1.Chapter has no field 'tite'; did you mean 'title'?"
        ),
        (
            "{list: weekly}, body: {shw: card, episode: card}",
            "the body of a list has no key 'shw'; did you mean 'show'?"
        ),
        ("{facet: {type: episode, field: minutes}}", "'minutes' of episode isn't indexed for that"),
        ("{facet: {type: episode, field: topics}}, body: record", "a tile of a facet stands for many records"),
        (
            "{facet: {type: episode, field: topics}}, body: {card: {title: $valu}}",
            "the title of a card: podcast.v1.Episode"
        ),
        ("{pool: {records: {type: episode}, list: picks}}", "a pool is either of 'records'"),
        ("{pool: {records: {type: episod}}}", "the declaration of types has no type 'episod'"),
        ("{items: [{id: a, card: {title: $title}}]}", "the title of a card: '$title' is not known here"),
        ("{list: notes}, body: record", "only the records of a type have a kind of their own"),
    ])
    func `A mistake is reported with its line`(source: String, reason: String) {
        let text = "screens:\n  home:\n    title: H\n    sections:\n      - {id: a, kind: list, source: \(source)}"
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            #expect(error.mistakes.count == 1)
            #expect(error.mistakes.first?.description.hasPrefix("p.yaml:5: \(reason)") == true, "\(error.mistakes)")
        }
    }
}
