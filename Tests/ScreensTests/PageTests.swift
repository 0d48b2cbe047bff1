import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Pages of lists, whose sections come with the content.
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
        """

    /// A shelf of texts.
    private static func shelf(_ id: String, _ items: String...) -> [Change] {
        Shelf(id: id, items: items.map { ShelfItem(id: $0, content: .text(TextContent(text: $0))) }).changes
    }

    private static func page(_ sections: (id: String, type: String, title: String)...) -> Change {
        .page(
            Page(
                id: "home",
                sections: sections.map { .init(id: $0.id, type: $0.type, title: $0.title, list: "shelf/home.\($0.id)") }
            ))
    }

    private static let changes =
        shelf("home.m", "a", "b", "c") + shelf("home.r", "x", "y") + [
            page(("m", "main", ""), ("r", "rank", "Top"), ("u", "trailer", "Soon"))
        ]

    private func screens(_ changes: [Change] = Self.changes) throws -> Screens {
        try Screens(presets: changes, programme: Self.text)
    }

    private func sections(_ screens: inout Screens, _ screen: String = "home") throws -> [String] {
        try screens.plan(screen: screen, locale: nil, parameters: [], user: "mina").sections.map(\.id)
    }

    private func ids(_ screens: inout Screens, _ section: String, _ screen: String = "home") throws -> [String] {
        try screens.section(section, of: screen, user: "mina").ids
    }

    @Test func `Sections of the page are placed where it is named`() throws {
        var screens = try screens()
        #expect(try sections(&screens) == ["own", "m", "r", "u", "last"])
        let rank = try screens.section("r", of: "home")
        #expect(rank.head.kind == .rank)
        #expect(rank.head.header?.title == "Top")
        #expect(rank.head.layout != nil)
        #expect(try ids(&screens, "r") == ["x", "y"])
        #expect(rank.items.map(\.subject) == ["text/home.r/x", "text/home.r/y"])
        #expect(try screens.section("m", of: "home").head.header == nil)
    }

    @Test func `Sections of a type may be for some readers alone`() throws {
        let text = Self.text.replacing("screens:", with: "audiences: {premium: {plan: plus}}\nscreens:")
            .replacing("kind: rank,", with: "kind: rank, audience: premium,")
        let screens = try Screens(presets: Self.changes, programme: text)
        for (claims, sections) in [
            (["plan": .text("plus")], ["own", "m", "r", "u", "last"]), ([:], ["own", "m", "u", "last"]),
        ]
            as [([String: Claims.Value], [String])]
        {
            let plan = try screens.plan(
                screen: "home", locale: nil, parameters: [], user: nil, claims: Claims(claims))
            #expect(plan.sections.map(\.id) == sections)
        }
    }

    @Test func `Sections of a type without a style have no layout`() throws {
        var screens = try screens()
        let unknown = try screens.section("u", of: "home")
        #expect(unknown.head.kind == .other)
        #expect(unknown.head.layout == nil)
        #expect(unknown.head.header?.title == "Soon")
        #expect(unknown.head.errorReason == "LIST_MISSING", "its list is missing: an error, not an empty list")
        let other = ShelfItem(id: "o", content: .other(type: "t", value: "{}"))
        try screens.commit(Presets.types().logged(Shelf(id: "home.u", items: [other]).changes))
        let known = try screens.section("u", of: "home")
        #expect(known.head.error == nil)
        #expect(known.items.map(\.kind) == [.other])
        #expect(known.items[0].body == BodyCodec.encodeOther(type: "t", value: "{}"))
    }

    @Test func `Entries without a body are neither counted nor chosen`() throws {
        var screens = try screens()
        let text = ListEntry(key: "a", record: RecordID(type: "text", id: "home.m/a"))
        let entries = [ListEntry(key: "place alone"), text]
        try screens.commit([
            .list(RecordList(ListName("shelf/home.m"), entries: entries)),
            .list(RecordList(ListName("shelf/home.r"), entries: entries)),
        ])
        #expect(try ids(&screens, "m") == ["a"])
        #expect(try screens.section("r").head.total == 1)
        #expect(try !screens.section("r").head.hasMore)
        #expect(screens.choices(of: "main") == [.chooseEntry(pool: "main", entry: "a")])
    }

    @Test func `A new page changes the screen and a list only its section`() throws {
        var screens = try screens()
        let list = try screens.commit(Presets.types().logged(PageTests.shelf("home.r", "z")))
        #expect(!list.changesProgramme)
        #expect(try ids(&screens, "r") == ["z"])
        let page = try screens.commit([PageTests.page(("r", "rank", "Renamed"), ("m", "main", ""))])
        #expect(page.changesProgramme)
        #expect(try sections(&screens) == ["own", "r", "m", "last"])
        #expect(try screens.section("r", of: "home").head.header?.title == "Renamed")
        #expect(!(try screens.commit([PageTests.page(("r", "rank", "Renamed"), ("m", "main", ""))]).changesProgramme))
    }

    @Test func `A section of the page gives way to the programme's own`() throws {
        var screens = try screens([PageTests.page(("own", "rank", "A"), ("last", "rank", "B"))])
        #expect(try sections(&screens) == ["own", "home/own", "home/last", "last"])
    }

    @Test func `A programme names pages and pools as the catalogue does`() throws {
        let types = "{main: {kind: main, pool: 고른 것}}"
        let text = "screens:\n home:\n  title: Home\n  sections:\n  - {page: 첫 화면, types: \(types)}\n"
        _ = try Programme.parse(text: text, file: "p.yaml")
        let errors = #expect(throws: FileMistakes.self) {
            try Programme.parse(text: text.replacing("첫", with: "Cafe\u{301}"), file: "p.yaml")
        }
        #expect(errors?.mistakes.first?.reason.hasSuffix("in Unicode's composed form (NFC)") == true)
    }

    @Test(arguments: [
        ("- page: home", "a page needs 'types'", 4),
        ("- {page: home, types: [main]}", "'types' must map", 4),
        ("- {page: home, types: {main: {layout: row}}}", "the type 'main' needs 'kind'", 4),
        ("- {page: home, types: {main: {kind: mian}}}", "unknown section kind 'mian'; did you mean 'main'?", 4),
        ("- {page: home, types: {main: {kind: main, polo: x}}}", "has no key 'polo'; did you mean 'pool'?", 4),
        ("- {page: home, types: {a: {kind: main, footer: {more: A, close: B}}}}", "needs at least two 'windows'", 4),
        ("- {page: a/b, types: {}}", "'a/b': the id of a page has no slash", 4),
        ("- {page: home, types: {}}\n  - {page: home, types: {}}", "is in this screen twice", 5),
    ])
    func `Mistakes are reported with their lines`(_ section: String, _ reason: String, _ line: Int) throws {
        let text = "screens:\n home:\n  title: Home\n  sections:\n  \(section)\n"
        let errors = #expect(throws: FileMistakes.self) { try Programme.parse(text: text, file: "p.yaml") }
        #expect(
            errors?.mistakes.contains { $0.reason.contains(reason) && $0.line == line + 1 } == true,
            "\(errors?.description ?? "")")
    }
}
