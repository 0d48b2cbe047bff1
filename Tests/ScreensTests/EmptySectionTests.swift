import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Sections that vanish, or stay, while they have no items.
@Suite struct EmptySectionTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private static let programme = """
        locales: [en]
        layouts:
          rows:
            insets: 5
            decoration: background
            header: {width: fw 1, height: abs 44}
            group: {axis: vertical, width: fw 1, height: abs 80, items: [{width: fw 1, height: fh 1}]}
        screens:
          home:
            title: Home
            sections:
              - {id: hidden, kind: list, header: New, footer: End, layout: rows, empty: hide, source: {records: {type: episode}}}
              - {id: shown, kind: list, header: New, footer: End, layout: rows, empty: show, source: {records: {type: episode}}}
              - {id: bare, kind: list, header: New, empty: hide, source: {records: {type: episode}}}
        """

    private func episode() throws -> Change {
        try types.put("episode", "e", #"{"guid": "e", "show": "s", "title": {"en": "Rye"}}"#)
    }

    @Test func `A section that hides when it is empty has no header, no footer and no space`() throws {
        var screens = try Screens([], types: types, programme: Self.programme)
        for id in ["hidden", "bare"] {
            let head = try screens.section(id).head
            #expect(head.header == nil && head.footer == nil && head.error == nil, "\(id)")
            let layout = try #require(head.layout)
            #expect(layout.insets == .zero && layout.supplementaries.isEmpty && layout.decoration == nil, "\(id)")
        }
        let shown = try screens.section("shown").head
        #expect(shown.header?.title == "New" && shown.footer?.title == "End")
        #expect(shown.layout?.supplementaries.count == 1)
    }

    @Test func `Its first item brings everything back, and its last takes it away`() throws {
        var screens = try Screens([], types: types, programme: Self.programme)
        try screens.watchSections(of: "home")
        try screens.commit([episode()])
        let (hidden, shown) = (try screens.section("hidden"), try screens.section("shown"))
        #expect(hidden.titles == ["Rye"])
        #expect(hidden.head == shown.head)
        try screens.commit([.remove("episode", "e")])
        #expect(try screens.section("hidden").head.header == nil)
    }
}
