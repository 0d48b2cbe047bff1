import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Pages and shelves: sections that come with the content.
@Suite struct PageTests {
    private static let text = """
        locales: [en, ko]
        layouts:
          row:
            group: {axis: horizontal, width: fw 1, height: abs 100, items: [{width: fw 1, height: fh 1}]}
        screens:
          home:
            title: Home
            sections:
              - {id: own, kind: text, source: {items: [{id: a, text: {text: Hello}}]}}
              - page: home
                types:
                  main: {kind: main, layout: row, pool: main, placeholders: 1}
                  rank: {kind: rank, layout: row, header: $name, placeholders: 10}
                  more: {kind: basic, header: {title: $name, actions: [{id: open, title: Open}]}, windows: [1, 2],
                         footer: {more: More, close: Close}}
              - {id: last, kind: text, source: {items: [{id: a, text: {text: Bye}}]}}
          detail/<item>:
            title: {en: Info, ko: 정보}
            sections:
              - {id: item, kind: detail, source: item}
          favorites:
            title: Favorites
            sections:
              - {id: favorites, kind: favorites, source: favorites}
        """

    private static func item(_ id: String, _ text: String? = nil) -> ShelfItem {
        ShelfItem(id: id, content: .text(TextContent(text: text ?? id)))
    }

    private static func page(_ sections: (id: String, type: String, title: String)...) -> Change {
        .page(
            Page(
                id: "home",
                sections: sections.map { .init(id: $0.id, type: $0.type, title: $0.title, shelf: "home.\($0.id)") }))
    }

    private static let changes: [Change] = [
        .shelf(Shelf(id: "home.m", items: [item("a"), item("b"), item("c")])),
        .shelf(Shelf(id: "home.r", items: [item("x"), item("y")])),
        page(("m", "main", ""), ("r", "rank", "Top"), ("u", "trailer", "Soon")),
    ]

    private func sections(_ screens: inout Screens, _ screen: String = "home") throws -> [String] {
        try screens.plan(screen: screen, locale: nil, parameters: [], user: "mina").sections.map(\.id)
    }

    private func ids(_ screens: inout Screens, _ section: String, _ screen: String = "home") throws -> [String] {
        try screens.section(section, of: screen, user: "mina").ids
    }

    @Test func `Sections of the page are placed where it is named`() throws {
        var screens = try Screens(PageTests.changes, programme: PageTests.text)
        #expect(try sections(&screens) == ["own", "m", "r", "u", "last"])
        let rank = try screens.section("r", of: "home")
        #expect(rank.head.kind == .rank)
        #expect(rank.head.header?.title == "Top")
        #expect(rank.head.layout != nil)
        #expect(try ids(&screens, "r") == ["x", "y"])
        #expect(rank.items.map(\.subject) == ["item/home.r/x", "item/home.r/y"])
        #expect(try screens.section("m", of: "home").head.header == nil)
    }

    @Test func `A type without a style is carried without a layout`() throws {
        var screens = try Screens(PageTests.changes, programme: PageTests.text)
        let unknown = try screens.section("u", of: "home")
        #expect(unknown.head.kind == .other)
        #expect(unknown.head.layout == nil)
        #expect(unknown.head.header?.title == "Soon")
        #expect(unknown.head.errorReason == "SHELF_MISSING", "its shelf is missing: an error, not an empty list")
        try screens.commit([
            .shelf(Shelf(id: "home.u", items: [.init(id: "o", content: .other(type: "t", value: "{}"))]))
        ])
        let known = try screens.section("u", of: "home")
        #expect(known.head.error == nil)
        #expect(known.items.map(\.kind) == [.other])
        #expect(known.items[0].body == BodyCodec.encodeOther(type: "t", value: "{}"))
    }

    @Test func `A new page changes the screen and a shelf only its section`() throws {
        var screens = try Screens(PageTests.changes, programme: PageTests.text)
        let shelf = try screens.commit([.shelf(Shelf(id: "home.r", items: [PageTests.item("z")]))])
        #expect(!shelf.changesProgramme)
        #expect(try ids(&screens, "r") == ["z"])
        let page = try screens.commit([PageTests.page(("r", "rank", "Renamed"), ("m", "main", ""))])
        #expect(page.changesProgramme)
        #expect(try sections(&screens) == ["own", "r", "m", "last"])
        #expect(try screens.section("r", of: "home").head.header?.title == "Renamed")
        #expect(!(try screens.commit([PageTests.page(("r", "rank", "Renamed"), ("m", "main", ""))]).changesProgramme))
    }

    @Test func `A section of the page gives way to the programme's own`() throws {
        var screens = try Screens(
            [PageTests.page(("own", "rank", "A"), ("last", "rank", "B"))], programme: PageTests.text)
        #expect(try sections(&screens) == ["own", "home/own", "home/last", "last"])
    }

    @Test func `A pool of a shelf shows the chosen item while it is there`() throws {
        var screens = try Screens(PageTests.changes, programme: PageTests.text)
        #expect(try ids(&screens, "m") == ["a"])
        let (choices, none) = (screens.choices(of: "main"), screens.choices(of: "other"))
        #expect(choices == ["a", "b", "c"].map { .chooseItem(pool: "main", item: $0) })
        #expect(none == [])
        #expect(screens.choice(of: "main") == nil)
        try screens.commit([.chooseItem(pool: "main", item: "b")])
        #expect(try ids(&screens, "m") == ["b"])
        #expect(screens.choice(of: "main") == .chooseItem(pool: "main", item: "b"))
        try screens.commit([.shelf(Shelf(id: "home.m", items: [PageTests.item("c"), PageTests.item("a")]))])
        #expect(try ids(&screens, "m") == ["c"])
    }

    @Test func `An item has a screen of its own until it is gone`() throws {
        var screens = try Screens(PageTests.changes, programme: PageTests.text)
        let screen = "detail/home.r/x"
        #expect(try sections(&screens, screen) == ["item"])
        #expect(try screens.section("item", of: screen).items.map(\.subject) == ["item/home.r/x"])
        for name in ["detail/home.r/none", "detail/none/x", "detail/x", "detail/"] {
            #expect(throws: Status.self) { try sections(&screens, name) }
        }
        let variant = try #require(
            try screens.plan(screen: screen, locale: nil, parameters: [], user: nil).sections.first?.variant)
        try screens.commit([.shelf(Shelf(id: "home.r", items: []))])
        // It is no longer served, and clients showing it are notified.
        #expect(throws: Status.self) { try sections(&screens, screen) }
        #expect(try screens.shown(variant).head.errorReason == "ITEM_GONE")
    }

    @Test func `Favorites may be movies and items`() throws {
        var screens = try Screens(
            PageTests.changes + [.movie(Movie(1, "One"))], programme: PageTests.text)
        let favorites = ["movie/1", "item/home.r/y", "movie/2", "item/none/y", "person/3"].enumerated()
            .map { StoredMember(subject: $0.element, revision: UInt64($0.offset + 1)) }
        let section = try screens.section("favorites", of: "favorites", user: "mina", favorites: favorites)
        #expect(section.items.map(\.subject) == ["item/home.r/y", "movie/1"])
        #expect(section.ids == ["item/home.r/y", "movie/1"])
    }

    @Test(arguments: [
        ("- page: home", "a page needs 'types'", 4),
        ("- {page: home, types: [main]}", "'types' must map", 4),
        ("- {page: home, types: {main: {layout: row}}}", "the type 'main' needs 'kind'", 4),
        ("- {page: home, types: {main: {kind: mian}}}", "unknown section kind 'mian'; did you mean 'main'?", 4),
        ("- {page: home, types: {main: {kind: main, polo: x}}}", "has no key 'polo'; did you mean 'pool'?", 4),
        ("- {page: home, types: {a: {kind: main, footer: {more: A, close: B}}}}", "needs at least two 'windows'", 4),
        ("- {page: a/b, types: {}}", "the id of a page 'a/b' may contain only", 4),
        ("- {page: home, types: {}}\n  - {page: home, types: {}}", "is in this screen twice", 5),
        ("- {id: a, kind: list, source: item}", "needs a screen named like 'detail/<item>'", 4),
        ("- {id: a, kind: list, source: {shelf: a/b}}", "the id of a shelf 'a/b' may contain only", 4),
        ("- {id: a, kind: list, source: {pool: {shelf: a, limit: 3}}}", "either of a 'shelf' or of movies", 4),
    ])
    func `Mistakes are named by line`(_ section: String, _ reason: String, _ line: Int) throws {
        let text = "screens:\n home:\n  title: Home\n  sections:\n  \(section)\n"
        let errors = #expect(throws: FileMistakes.self) { try Programme.parse(text: text, file: "p.yaml") }
        #expect(
            errors?.mistakes.contains { $0.reason.contains(reason) && $0.line == line + 1 } == true,
            "\(errors?.description ?? "")")
    }
}
