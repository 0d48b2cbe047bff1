import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Orders by several fields, alternatives, and conditions on whether a field has a value.
@Suite struct CombinedQueryTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func episode(_ id: String, _ fields: String) throws -> Change {
        try types.put("episode", id, #"{"guid": "\#(id)", \#(fields)}"#)
    }

    /// A screen with one section `a`, which is watched.
    private func screens(_ records: [Change], _ query: String, sorts: String = "[]") throws -> Screens {
        let section = "{id: a, kind: list, sorts: \(sorts), source: {records: {type: episode, \(query)}}}"
        let sorts = sorts == "[]" ? section.replacing("sorts: [], ", with: "") : section
        var screens = try Screens(
            records, types: types, programme: "screens: {home: {title: H, sections: [\(sorts)]}}")
        try screens.watchSections(of: "home")
        return screens
    }

    /// The ids in the watched section after a commit, with which an evaluation from scratch agrees.
    private func ids(in screens: inout Screens, after changes: [Change]) throws -> [String] {
        try screens.commit(changes)
        _ = screens.renew()
        let shown = try #require(screens.sections.values.first { $0.key.section == "a" }).version.items.map(\.id)
        #expect(try screens.section("a").ids == shown)
        return shown.map { $0.replacing("episode/", with: "") }
    }

    @Test func `Each field decides between records equal in those before it, and finally the id does`() throws {
        var screens = try screens(
            [
                episode("a", #""plays": 5, "published": "2026-01-02T00:00:00Z""#),
                episode("b", #""plays": 5, "published": "2026-01-01T00:00:00Z""#),
                episode("c", #""plays": 9"#), episode("d", #""plays": 5"#),
                episode("f", #""plays": 5, "published": "2026-01-01T00:00:00Z""#),
            ], "sort: [-plays, published, title], limit: 4")
        #expect(try ids(in: &screens, after: []) == ["c", "b", "f", "a"], "without a time, d is last of its kind")
        let titled = try episode("f", #""plays": 5, "published": "2026-01-01T00:00:00Z", "title": {"en": "T"}"#)
        #expect(try ids(in: &screens, after: [titled]) == ["c", "f", "b", "a"])
        let early = try episode("d", #""plays": 5, "published": "2025-12-31T00:00:00Z""#)
        #expect(try ids(in: &screens, after: [early]) == ["c", "d", "f", "b"])
        #expect(try ids(in: &screens, after: [.remove("episode", "c")]) == ["d", "f", "b", "a"])
    }

    @Test func `A section's sort may be by several fields`() throws {
        var screens = try screens(
            [
                episode("a", #""plays": 5, "minutes": 10"#), episode("b", #""plays": 9, "minutes": 20"#),
                episode("c", #""plays": 1, "minutes": 10"#),
            ], "limit: 2", sorts: "[{id: brief, by: [minutes, -plays]}, {id: rare, by: [plays]}]")
        #expect(try screens.section("a").head.sorts.map(\.title) == ["Minutes", "Plays"])
        #expect(try screens.section("a", sort: "rare").ids == ["episode/c", "episode/a"])
        #expect(try ids(in: &screens, after: []) == ["a", "c"])
        #expect(try ids(in: &screens, after: [episode("c", #""plays": 8, "minutes": 10"#)]) == ["c", "a"])
    }

    @Test func `One alternative is enough, and all of its conditions have to hold`() throws {
        let query = "where: {minutes: {below: 60}, any: [{topics: food}, {topics: history, plays: {above: 3}}]}"
        var screens = try screens(
            [
                episode("a", #""topics": ["food"]"#), episode("b", #""topics": ["history"], "plays": 3"#),
                episode("c", #""topics": ["history"], "plays": 4"#),
                episode("d", #""topics": ["food"], "minutes": 60"#), episode("f", #""plays": 9"#),
            ], query)
        #expect(try ids(in: &screens, after: []) == ["a", "c"])
        #expect(try ids(in: &screens, after: [episode("b", #""topics": ["history"], "plays": 5"#)]) == ["a", "b", "c"])
        #expect(try ids(in: &screens, after: [episode("a", #""topics": ["history"]"#)]) == ["b", "c"])
        #expect(try ids(in: &screens, after: [episode("b", #""topics": ["food", "history"]"#)]) == ["b", "c"])
    }

    @Test(arguments: [
        ("topics", #""topics": ["food"]"#), ("show", #""show": "s""#), ("title", #""title": {"ko": "제목"}"#),
        ("published", #""published": "2026-01-01T00:00:00Z""#),
    ])
    func `A condition asks whether a field has a value`(field: String, value: String) throws {
        for isWanted in [true, false] {
            var screens = try screens(
                [episode("a", value), episode("b", #""plays": 1"#)], "where: {\(field): {has: \(isWanted)}}")
            #expect(try ids(in: &screens, after: []) == [isWanted ? "a" : "b"])
            #expect(try ids(in: &screens, after: [episode("b", value)]) == (isWanted ? ["a", "b"] : []))
            #expect(
                try ids(in: &screens, after: [episode("a", #""title": {"ko": ""}"#)]) == [isWanted ? "b" : "a"])
        }
    }

    @Test func `A pool and a facet take an order by several fields`() throws {
        let sort = "sort: [-minutes, -plays]"
        let screen = """
            screens:
              home:
                title: H
                sections:
                  - {id: a, kind: main, source: {pool: {name: main, records: {type: episode, \(sort)}}}}
                  - id: tiles
                    kind: genres
                    source: {facet: {type: episode, field: topics, \(sort)}}
                    body: {card: {title: $value, subtitle: $guid}}
            """
        func episode(_ id: String, plays: Int) throws -> Change {
            try self.episode(id, #""topics": ["food"], "minutes": 5, "plays": \#(plays)"#)
        }
        var screens = try Screens(
            [episode("a", plays: 1), episode("b", plays: 2)], types: types, programme: screen)
        try screens.watchSections(of: "home")
        #expect(try ids(in: &screens, after: []) == ["b"])
        #expect(try screens.section("tiles").cards.map(\.subtitle) == ["b"])
        #expect(try ids(in: &screens, after: [episode("a", plays: 3)]) == ["a"])
        #expect(try screens.section("tiles").cards.map(\.subtitle) == ["a"])
    }
}
