import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Sorts that have ids of their own, and that reorder the records selected by a query.
@Suite struct NamedSortTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private static let programme = """
        locales: [en, ko]
        screens:
          home:
            title: Home
            sections:
              - id: top
                kind: list
                sorts:
                  - {id: popular, by: -plays, title: {en: Popular, ko: 인기순}}
                  - {id: newest, by: -published}
                  - minutes
                source: {records: {type: episode, sort: -plays, limit: 2}}
        """

    private func episode(_ id: String, plays: Int, day: Int) throws -> Change {
        try types.put(
            "episode", id,
            #"{"guid": "\#(id)", "title": {"en": "\#(id)"}, "plays": \#(plays), "minutes": \#(plays), "published": "2026-01-0\#(day)T00:00:00Z"}"#
        )
    }

    private func screens() throws -> Screens {
        try Screens(
            [episode("a", plays: 9, day: 1), episode("b", plays: 8, day: 3), episode("c", plays: 1, day: 5)],
            types: types, programme: Self.programme)
    }

    @Test func `A sort is requested by its name`() throws {
        var screens = try screens()
        let head = try screens.section("top", locale: "ko").head
        #expect(head.sorts.map(\.id) == ["popular", "newest", "minutes"])
        #expect(head.sorts.map(\.title) == ["인기순", "Published", "Minutes"])
        #expect(head.sort == "popular")
        #expect(head.header?.actions.map(\.target) ?? [] == [])
        #expect(try screens.section("top", sort: "newest").head.sort == "newest")
        #expect(throws: Status.self) { try screens.section("top", sort: "-published") }
        let described = screens.describe(locale: nil).screens[0].sections[0]
        #expect(described.sorts.map(\.id) == ["popular", "newest", "minutes"])
    }

    @Test func `The query selects the records and the sort only reorders them`() throws {
        var screens = try screens()
        #expect(try screens.section("top").titles == ["a", "b"])
        #expect(try screens.section("top", sort: "newest").titles == ["b", "a"], "the newest of all is not among them")
        for (sort, handle) in [("popular", UInt64(1)), ("newest", 2)] {
            let plan = try screens.plan(
                screen: "home", locale: nil, parameters: [SectionParameters(section: "top", sort: sort)], user: nil)
            _ = try screens.watch(.section(plan.sections[0].variant), as: handle, members: [])
        }
        try screens.commit([episode("c", plays: 10, day: 5)])
        let renewed = screens.renew()
        #expect(renewed[1]?.items.map(\.id) == ["episode/c", "episode/a"])
        #expect(renewed[2]?.items.map(\.id) == ["episode/c", "episode/a"])
        try screens.commit([episode("a", plays: 9, day: 6)])
        #expect(screens.renew().mapValues { $0.items.map(\.id) } == [2: ["episode/a", "episode/c"]])
    }

    @Test func `Texts are in the order of the screen's language`() throws {
        let names = ["Zebra", "Ärger", "Apfel", "Åre", "가방"]
        let shows = try names.enumerated().map { place, name in
            try types.put("show", "s\(place)", #"{"slug": "s\#(place)", "author": "\#(name)"}"#)
        }
        let sorts = (old: "sorts: [followers, title]", new: "sorts: [author]")
        let declared = try Podcasts.types(Podcasts.text("types.yaml").replacing(sorts.old, with: sorts.new))
        var screens = try Screens(
            shows, types: declared,
            programme: """
                locales: [de, sv, ko]
                screens:
                  home:
                    title: Home
                    sections:
                      - id: top
                        kind: list
                        source: {records: {type: show, sort: author}}
                        body: {card: {title: $author}}
                """)
        func titles(_ locale: String) throws -> [String] { try screens.section("top", locale: locale).titles }
        #expect(try titles("de") == ["Apfel", "Åre", "Ärger", "Zebra", "가방"])
        #expect(try titles("sv") == ["Apfel", "Zebra", "Åre", "Ärger", "가방"])
        #expect(try titles("ko") == ["가방", "Apfel", "Åre", "Ärger", "Zebra"])
    }

    @Test(arguments: [
        ("{id: newest, by: -publishd}", "podcast.v1.Episode has no field 'publishd'; did you mean 'published'?"),
        ("{id: newest, by: -rating}", "'rating' of episode isn't indexed for that"),
        ("{id: popular, by: minutes}", "the sort 'popular' is named twice"),
        ("{id: a b, by: minutes}", "the id of a sort 'a b' may contain only letters"),
        ("[-plays, title]", "a sort by several fields needs an id: {id: …, by: [-plays, title]}"),
        ("{id: [-plays, title]}", "a sort by several fields needs an id: {id: …, by: [-plays, title]}"),
        ("{id: both, by: [-plays, rating]}", "'rating' of episode isn't indexed for that"),
        ("{id: newest, order: minutes}", "a sort has no key 'order'"),
    ])
    func `A mistake is reported with its line`(sort: String, reason: String) {
        let text = Self.programme.replacing("- minutes", with: "- \(sort)")
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            #expect(error.mistakes.first?.description.hasPrefix("p.yaml:11: \(reason)") == true, "\(error.mistakes)")
        }
    }
}
