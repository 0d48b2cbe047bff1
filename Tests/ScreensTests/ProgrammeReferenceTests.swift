import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// Warnings about references of a programme that a catalogue can't satisfy.
@Suite struct ProgrammeReferenceTests {
    private static let text = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: tiles, kind: genres, source: {facet: {type: show, field: topics}}}
              - {id: main, kind: hero, source: {pool: {records: {type: show}}}}
              - {id: full, kind: list, source: {list: picks/full}}
              - {id: empty, kind: list, source: {list: picks/empty}}
              - {id: none, kind: hero, source: {pool: {list: picks/ful}}}
              - {id: us, kind: chart, source: {list: weekly/us}}
              - {id: uk, kind: chart, source: {list: weekly/uk}}
              - {id: eu, kind: chart, source: {list: weekly/eu}}
              - {id: past, kind: chart, source: {list: {name: weekly/us, edition: mn}}}
              - {page: start, types: {a: {kind: list}}}
              - {page: end, types: {a: {kind: list}}}
        """

    private let types: RecordTypes

    init() throws {
        types = try Podcasts.types(
            Podcasts.text("types.yaml") + """
                lists:
                  picks: {of: [episode]}
                  weekly: {of: [episode], editions: true}
                """)
    }

    private func warnings(_ changes: [Change]) throws -> [String] {
        var inventory = CatalogueInventory()
        for change in changes { inventory.add(change) }
        let references = try Programme.check(text: Self.text, file: "p.yaml", types: types.set).references
        return inventory.warnings(of: references).map(\.description)
    }

    private func list(_ name: String, edition: String? = nil, _ entries: Int = 1) -> Change {
        .list(
            RecordList(
                ListName(name, edition: edition),
                entries: (0..<entries).map { ListEntry(RecordID(type: "episode", id: "\($0)")) }))
    }

    private func page(_ id: String, _ sections: Int = 1) -> Change {
        .page(
            Page(
                id: id,
                sections: (0..<sections).map { Page.Section(id: "\($0)", type: "a", title: "", list: "picks/full") }))
    }

    @Test func `Missing or empty references are reported with their lines`() throws {
        let catalogue = [
            try types.put("episode", "0", #"{"guid": "0"}"#), list("picks/full"), list("picks/empty", 0),
            list("weekly/us", edition: "mon"), list("weekly/eu", edition: "mon", 0),
            .show(list: "weekly/eu", edition: "mon"), page("end", 0),
        ]
        #expect(
            try warnings(catalogue) == [
                "p.yaml:6: the catalogue has no records of 'show'",
                "p.yaml:7: the pool 'main' can't be filled: the catalogue has no records of 'show'",
                "p.yaml:9: the list 'picks/empty' is empty",
                "p.yaml:10: the catalogue has no list 'picks/ful'; did you mean 'picks/full'?",
                "p.yaml:11: the list 'weekly/us' shows none of its editions",
                "p.yaml:12: the catalogue has no list 'weekly/uk'; did you mean 'weekly/us'?",
                "p.yaml:13: the list 'weekly/eu, mon' is empty",
                "p.yaml:14: the list 'weekly/us' has no edition 'mn'; did you mean 'mon'?",
                "p.yaml:15: the catalogue has no page 'start'", "p.yaml:16: the page 'end' is empty",
            ])
        #expect(try warnings([]).count == 11)
    }

    @Test func `A complete catalogue gets no warnings`() throws {
        let weeks = ["us", "uk", "eu"].flatMap {
            [list("weekly/\($0)", edition: "mn"), .show(list: "weekly/\($0)", edition: "mn")]
        }
        let rest = [
            try types.put("show", "s", #"{"slug": "s"}"#), list("picks/full"), list("picks/empty"), list("picks/ful"),
            page("start"), page("end"),
        ]
        #expect(try warnings(weeks + rest) == [])
    }

    @Test func `A source that no catalogue can fill gets a warning from the programme alone`() throws {
        let text = """
            screens:
              home:
                title: Home
                sections:
                  - {id: a, kind: genres, source: {facet: {type: show, field: topics, values: []}}}
            """
        #expect(
            try Programme.check(text: text, file: "p.yaml", types: types.set).warnings.map(\.description) == [
                "p.yaml:5: 'values' is an empty list, so the section shows nothing"
            ])
    }
}
