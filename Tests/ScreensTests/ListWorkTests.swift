import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Counts the work of changes of lists and facets, which must depend only on what a change touches.
@Suite struct ListWorkTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types(Podcasts.text("types.yaml") + RandomLists.declarations) }

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: picks, kind: rank, source: {list: {name: picks, limit: 10}},
                 body: {card: {title: $title, caption: $place.start}}}
              - {id: tiles, kind: genres, source: {facet: {type: episode, field: topics, sort: -plays, limit: 3}}}
              - {id: main, kind: main, source: {pool: {name: main, records: {type: episode, sort: -plays}}},
                 body: {card: {title: $title}}}
        """

    private func episode(_ id: Int, plays: Int = 0, topics: [String] = []) throws -> Change {
        let topics = topics.map { "\"\($0)\"" }.joined(separator: ", ")
        return try types.put(
            "episode", "e\(id)",
            #"{"guid": "e\#(id)", "title": {"en": "Episode \#(id)"}, "plays": \#(plays), "topics": [\#(topics)]}"#)
    }

    private func entry(_ id: Int, start: String? = nil) throws -> ListEntry {
        let record = RecordID(type: "episode", id: "e\(id)")
        let declaration = try #require(types.set.list("picks"))
        let place = try start.map {
            RecordContent.bytes(try declaration.place(json: Array("{\"start\": \"\($0)\"}".utf8)))
        }
        return ListEntry(record, place: place)
    }

    private func screens(_ changes: [Change]) throws -> Screens {
        var screens = try Screens(changes, types: types, programme: Self.programme)
        try screens.watchSections(of: "home")
        return screens
    }

    @Test func `A move beyond the limit costs a logarithmic number of comparisons`() throws {
        for (size, bits) in [(200, 8), (2_000, 11), (10_000, 14)] {
            let list = RecordList(ListName("picks"), entries: try (0..<size).map { try entry($0) })
            var screens = try screens(try (0..<20).map { try episode($0) } + [.list(list)])
            let move = EntryEdit(list.name, putting: try entry(size - 1), at: size / 2)
            let (work, sections) = try cost(of: .listItem(move), in: &screens)
            #expect(sections == [])
            #expect(work.withoutComparisons == ScreenCounters())
            #expect(work.comparisons <= UInt64(2 * (bits + 10)))
        }
    }

    @Test func `A changed place remakes only its own card`() throws {
        let list = RecordList(ListName("picks"), entries: try (0..<50).map { try entry($0) })
        var screens = try screens(try (0..<50).map { try episode($0) } + [.list(list)])
        let points = EntryEdit(list.name, putting: try entry(3, start: "12"))
        let changed = try cost(of: .listItem(points), in: &screens)
        #expect(changed.sections == ["picks"])
        #expect(changed.work.items == 1)
        let up = EntryEdit(list.name, putting: try entry(7), at: 1)
        let moved = try cost(of: .listItem(up), in: &screens)
        #expect(moved.sections == ["picks"])
        #expect(moved.work.items == 0)
        // A record beyond the limit touches nothing of the list; one within it touches its own card.
        #expect(try cost(of: episode(30, plays: 0, topics: ["x"]), in: &screens).sections == ["tiles"])
        let renamed = try types.put("episode", "e5", #"{"guid": "e5", "title": {"en": "Renamed"}}"#)
        let record = try cost(of: renamed, in: &screens)
        #expect(record.sections == ["picks"])
    }

    @Test func `A tile is remade when its count or its first record changes`() throws {
        var screens = try screens(
            try (0..<30).map { try episode($0, plays: 100 - $0, topics: $0 < 20 ? ["a"] : ["b"]) }
                + (30..<40).map { try episode($0, topics: ["t\($0)"]) })
        #expect(try screens.section("tiles").titles == ["a", "b", "t30"])
        #expect(try screens.section("tiles").cards.map(\.caption) == ["20", "10", "1"])
        let first = try cost(of: episode(40, topics: ["b"]), in: &screens)
        #expect(first.sections == ["tiles"])
        #expect(first.work.items == 1)
        #expect(try screens.section("tiles").cards.map(\.caption) == ["20", "11", "1"])
        // A value beyond the limit touches no tile; a value that enters the limit does.
        #expect(try cost(of: episode(41, topics: ["t39", "t38"]), in: &screens).sections == ["tiles"])
        #expect(try screens.section("tiles").titles == ["a", "b", "t38"])
        let unseen = try cost(of: .remove("episode", "e35"), in: &screens)
        #expect(unseen.sections == [])
        #expect(unseen.work.renewals == 0)
    }

    @Test func `A pool shows the chosen record and offers those of its query`() throws {
        var screens = try screens(try (0..<4).map { try episode($0, plays: 10 - $0) })
        #expect(try screens.section("main").titles == ["Episode 0"])
        let choices = screens.choices(of: "main")
        let records = (0..<4).map { RecordID(type: "episode", id: "e\($0)") }
        #expect(choices == records.map { .chooseRecord(pool: "main", record: $0) })
        #expect(screens.choice(of: "main") == nil)
        try screens.commit([choices[2]])
        #expect(screens.choice(of: "main") == choices[2])
        #expect(try screens.section("main").titles == ["Episode 2"])
        try screens.commit([.remove("episode", "e2")])
        #expect(try screens.section("main").titles == ["Episode 0"])
        try screens.commit([.removeChoice(pool: "main")])
        #expect(screens.choice(of: "main") == nil)
    }

    @Test(arguments: [nil, "weekly"] as [String?])
    func `Work on a list counts after the list is gone`(removedEdition: String?) {
        var lists = ListCatalogue()
        let list = ListName("picks", edition: "weekly")
        let entries = (0..<40).map { ListEntry(RecordID(type: "episode", id: "e\($0)")) }
        _ = lists.apply(.list(RecordList(list, entries: entries)), isThere: { _ in true })
        _ = lists.apply(.listItem(EntryEdit(list, removing: entries[20].key)), isThere: { _ in true })
        let before = lists.comparisons
        _ = lists.apply(.removeList(ListName("picks", edition: removedEdition)), isThere: { _ in true })
        #expect(before > 0 && lists.comparisons == before)
    }
}
