import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// Records and items that are visible for a time.
@Suite struct VisibleTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func episode(_ id: String, at published: String, topics: String = "food") throws -> Change {
        try types.put("episode", id, #"{"guid": "\#(id)", "published": "\#(published)", "topics": ["\#(topics)"]}"#)
    }

    private func moment(_ text: String) throws -> Moment { try #require(Moment(text)) }

    private func screens(_ records: [Change], sections: String) throws -> Screens {
        var screens = try Screens(
            records, types: types, programme: "screens: {home: {title: H, sections: [\(sections)]}}")
        try screens.watchSections(of: "home")
        return screens
    }

    /// The ids that the section `a` shows after a commit of time, with which an evaluation from scratch agrees.
    private func ids(in screens: inout Screens, at time: String) throws -> [String] {
        try screens.commit([.time(moment(time))])
        _ = screens.renew()
        let shown = try #require(screens.sections.values.first { $0.key.section == "a" }).version.items.map(\.id)
        #expect(try screens.section("a").ids == shown)
        return shown.map { $0.replacing("episode/", with: "") }
    }

    @Test(
        arguments: [
            ("{from: $published}", [["none"], ["a", "none"], ["a", "none"], ["a", "b", "none"]]),
            ("{until: $published}", [["a", "b", "none"], ["b", "none"], ["b", "none"], ["none"]]),
        ] as [(String, [[String]])])
    func `A record is visible from and until values of its fields, and a missing one is no bound`(
        visible: String, wanted: [[String]]
    ) throws {
        let source = "{records: {type: episode, sort: published, visible: \(visible)}}"
        var screens = try screens(
            [
                episode("a", at: "2026-03-01T10:00:00Z"), episode("b", at: "2026-03-01T12:00:00Z"),
                types.put("episode", "none", #"{"guid": "none", "topics": ["food"]}"#),
            ], sections: "{id: a, kind: list, source: \(source)}")
        let shown = try ["09:59:59.999", "10:00:00", "11:59:59.999", "12:00:00"].map {
            try ids(in: &screens, at: "2026-03-01T\($0)Z")
        }
        #expect(shown == wanted)
        #expect(screens.nextBoundary == nil)
    }

    @Test func `Tiles and a pool's choice use only visible records`() throws {
        let sections = """
            {id: tiles, kind: genres, source: {facet: {type: episode, field: topics, visible: {until: $published}}},
              body: {card: {title: $value, subtitle: $count}}},
            {id: a, kind: main, source: {pool: {name: main, records: {type: episode, visible: {until: $published}}}}}
            """
        var screens = try screens(
            [
                episode("a", at: "2026-03-01T10:00:00Z"), episode("b", at: "2026-03-02T10:00:00Z", topics: "history"),
                .chooseRecord(pool: "main", record: RecordID(type: "episode", id: "a")),
            ], sections: sections)
        #expect(try ids(in: &screens, at: "2026-03-01T00:00:00Z") == ["a"])
        #expect(try screens.section("tiles").cards.map(\.title) == ["food", "history"])
        #expect(try ids(in: &screens, at: "2026-03-01T10:00:00Z") == ["b"])
        #expect(try screens.section("tiles").cards.map(\.title) == ["history"])
    }

    @Test func `An item of the programme is visible only in its season`() throws {
        let items = """
            {id: before, visible: {until: 2026-12-24T18:00:00+09:00}, text: {text: Soon}},
            {id: always, text: {text: Hello}},
            {id: sale, visible: {from: 2026-12-24T09:00:00Z, until: 2026-12-26T00:00:00Z}, text: {text: Sale}}
            """
        var screens = try screens([], sections: "{id: a, kind: text, source: {items: [\(items)]}}")
        #expect(try screens.section("a").ids == ["before", "always"], "before there is a time")
        #expect(screens.nextBoundary == (try moment("2026-12-24T09:00:00Z")))
        #expect(try ids(in: &screens, at: "2026-12-24T08:59:59Z") == ["before", "always"])
        #expect(try ids(in: &screens, at: "2026-12-24T09:00:00Z") == ["always", "sale"])
        #expect(try ids(in: &screens, at: "2026-12-26T00:00:00Z") == ["always"])
        #expect(screens.nextBoundary == nil)
    }

    @Test(arguments: [
        ("visible: {from: $plays}", "neither a Timestamp nor a 'date'"), ("visible: {from: now}", "such as $opens"),
        ("visible: {until: $guid}", "isn't indexed for that"), ("visible: {}", "'from', 'until' or both"),
        ("visible: {form: $published}", "did you mean 'from'"),
    ])
    func `A mistake in what makes records visible is named with its cure`(visible: String, cure: String) {
        let source = "{records: {type: episode, \(visible)}}"
        let error = #expect(throws: FileMistakes.self) {
            _ = try Screens(
                [], types: types,
                programme: "screens: {home: {title: H, sections: [{id: a, kind: list, source: \(source)}]}}")
        }
        #expect("\(error?.mistakes.map(\.reason) ?? [])".contains(cure))
    }
}
