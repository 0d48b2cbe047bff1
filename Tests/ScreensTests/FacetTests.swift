import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Tiles of a facet's values: given values, and values that are ids of records.
@Suite struct FacetTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private static let programme = """
        locales: [en, ko]
        screens:
          home:
            title: Home
            sections:
              - id: topics
                kind: genres
                source: {facet: {type: episode, field: topics, values: [science, food, history], sort: -plays}}
                body: {card: {caption: "$count, first $title"}}
              - id: shows
                kind: genres
                windows: [1, 3]
                source: {facet: {type: episode, field: show, values: [b, gone, a], sort: -plays}}
                body: {card: {title: $value.title, caption: "$count", overline: $title}}
              - {id: frequent, kind: genres, source: {facet: {type: episode, field: show}}, body: {card: {title: $value.title}}}
        """

    private static let ordered = """
        locales: [en, ko]
        screens:
          home:
            title: Home
            sections:
              - {id: names, kind: genres, source: {facet: {type: episode, field: topics, order: name}}}
              - id: followed
                kind: genres
                source: {facet: {type: episode, field: show, order: -$value.followers, missing: leave-out}}
                body: {card: {title: $value.title, caption: "$count"}}
              - {id: popular, kind: genres, source: {facet: {type: episode, field: show, where: {plays: {from: 96}}}}}
              - {id: given, kind: genres, source: {facet: {type: episode, field: show, values: [b, a], order: name}}}
        """

    private func show(_ id: String, followers: Int) throws -> Change {
        try types.put("show", id, #"{"slug": "\#(id)", "title": {"en": "\#(id)"}, "followers": \#(followers)}"#)
    }

    private func show(_ id: String, _ title: String, author: String = "") throws -> Change {
        try types.put("show", id, #"{"slug": "\#(id)", "title": {"ko": "\#(title)"}, "author": "\#(author)"}"#)
    }

    private func episode(_ id: String, show: String, plays: Int, topics: String = "food") throws -> Change {
        try types.put(
            "episode", id,
            #"{"guid": "\#(id)", "show": "\#(show)", "title": {"en": "\#(id)"}, "plays": \#(plays), "topics": ["\#(topics)"]}"#
        )
    }

    private func screens() throws -> Screens {
        let episodes = try (1...20).map { try episode("e\($0)", show: "a", plays: 100 - $0) }
        let more = try [show("a", "A"), show("b", "B"), episode("h", show: "lost", plays: 500, topics: "history")]
        return try Screens(episodes + more, types: types, programme: Self.programme)
    }

    @Test func `Given values are shown in their order, even without records`() throws {
        var screens = try screens()
        let section = try screens.section("topics")
        #expect(section.ids == ["topics/science", "topics/food", "topics/history"])
        #expect(section.titles == ["science", "food", "history"])
        #expect(section.cards.map(\.caption) == ["0", "20, first e1", "1, first h"])
        #expect(section.items.map(\.subject) == ["", "", ""])
    }

    @Test func `If a value is a record's id, the record names the tile and is its subject`() throws {
        var screens = try screens()
        let section = try screens.section("shows", window: 3)
        #expect(section.titles == ["B", "A"], "there is no show 'gone'")
        #expect(section.items.map(\.subject) == ["show/b", "show/a"])
        #expect(section.cards.map(\.caption) == ["0", "20"])
        #expect(section.cards.map(\.overline) == [nil, "e1"])
        let small = try screens.section("shows", window: 1)
        #expect(small.titles == ["B"] && small.head.total == 2 && small.head.hasMore)
        let frequent = try screens.section("frequent")
        #expect(frequent.titles == ["A", "lost"], "a frequent value stays, by its id")
        #expect(frequent.items.map(\.subject) == ["show/a", ""], "there is no show 'lost' to lead to")
        _ = try screens.commit([show("lost", "Found")])
        #expect(try screens.section("frequent").items.map(\.subject) == ["show/a", "show/lost"])
    }

    @Test func `A change touches only the tiles that show it`() throws {
        var screens = try screens()
        try screens.watchSections(of: "home")
        // The home screen's first variants show three topics, one show of two, and two frequent shows.
        var (work, sections) = try cost(of: show("a", "Other"), in: &screens)
        #expect(sections == ["frequent"] && work.items == 1, "show a is outside the window")
        (work, sections) = try cost(of: show("b", "Other"), in: &screens)
        #expect(sections == ["shows"] && work.items == 1)
        (work, sections) = try cost(of: episode("e9", show: "a", plays: 50), in: &screens)
        #expect(sections == [] && work.renewals == 0, "neither a first one nor a count")
        (work, sections) = try cost(of: episode("e9", show: "a", plays: 101), in: &screens)
        #expect(sections == ["topics"], "the first of its topic; of its show in a wider window alone")
        (work, sections) = try cost(of: episode("n", show: "b", plays: 1), in: &screens)
        #expect(sections == ["frequent", "shows", "topics"] && work.items == 3)
        (work, sections) = try cost(of: .remove("show", "b"), in: &screens)
        #expect(sections == ["frequent", "shows"])
        #expect(try screens.section("shows", window: 3).titles == ["Other"])
        _ = try cost(of: show("gone", "Back"), in: &screens)
        #expect(try screens.section("shows", window: 3).titles == ["Back", "Other"])
    }

    @Test func `Tiles are ordered by name or by their records, count what meets conditions, and have records`() throws {
        let episodes = try (1...6).map { try episode("e\($0)", show: "a", plays: 100 - $0) }
        let more = try [
            episode("f1", show: "b", plays: 99, topics: "Bread"), episode("f2", show: "lost", plays: 5, topics: "art"),
            show("a", followers: 1), show("b", followers: 2),
        ]
        var screens = try Screens(episodes + more, types: types, programme: Self.ordered)
        #expect(try screens.section("names").titles == ["art", "Bread", "food"])
        #expect(try screens.section("followed").titles == ["b", "a"], "there is no show 'lost'")
        #expect(try screens.section("popular").titles == ["a", "b"])
        #expect(try screens.section("popular").cards.map(\.caption) == ["4", "1"])
        #expect(try screens.section("given").titles == ["a", "b"])
        _ = try screens.commit([show("a", followers: 3)])
        #expect(try screens.section("followed").titles == ["a", "b"])
        _ = try screens.commit([show("lost", followers: 9)])
        #expect(try screens.section("followed").titles == ["lost", "a", "b"])
        _ = try screens.commit([.remove("show", "b"), episode("e1", show: "a", plays: 1)])
        #expect(try screens.section("followed").titles == ["lost", "a"])
        #expect(try screens.section("popular").cards.map(\.caption) == ["3", "1"])
    }

    @Test(arguments: [
        ("{type: episode, field: topics, order: -count}", "tiles are ordered by 'name', by 'count'"),
        ("{type: episode, field: topics, order: $value.followers}", "'order: $value.followers' is about the record"),
        ("{type: episode, field: show, order: $value.author}", "'author' of show isn't indexed for that"),
        ("{type: episode, field: topics, missing: leave-out}", "'missing: leave-out' is about the record"),
        ("{type: episode, field: show, missing: hide}", "'missing' is 'leave-out' or 'keep'"),
        ("{type: episode, field: show, where: {id: {not: a}}}", "'where' of a facet can't depend on the screen"),
        ("{type: episode, field: show, where: {plays: {over: 3}}}", ""),
        ("{type: episode, field: topics, values: [a, b, a]}", "'values' names 'a' twice"),
        ("{type: episode, field: topics, values: [a], limit: 3}", "a facet shows the given 'values', or its most"),
        ("{type: episode, field: topics, values: a}", "'values' must be a list"),
        (
            "{type: episode, field: topics}}, body: {card: {title: $value.name}",
            "the title of a card: '$value.name' is a field of the record that 'topics' refers to; declare which: 'references: {topics: …}'"
        ),
        (
            "{type: episode, field: show}}, body: {card: {title: $value.tite}",
            "the title of a card: podcast.v1.Show has no field 'tite'; did you mean 'title'?"
        ),
    ])
    func `A mistake is reported with its line`(facet: String, reason: String) {
        let text =
            "screens:\n  home:\n    title: H\n    sections:\n      - {id: a, kind: list, source: {facet: \(facet)}}"
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            #expect(error.mistakes.count == 1)
            #expect(error.mistakes.first?.description.hasPrefix("p.yaml:5: \(reason)") == true, "\(error.mistakes)")
        }
    }
}
