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

    private func episode(_ id: String = "e") throws -> Change {
        try types.put("episode", id, #"{"guid": "\#(id)", "show": "s", "title": {"en": "Rye"}}"#)
    }

    /// As the steps of a window are smaller, only the total may tell.
    @Test(arguments: ["", "windows: [2, 9], ", "windows: {anywhere: 2}, "])
    func `A section with fewer items than its minimum has none, until there are enough`(windows: String) throws {
        let limit = windows.contains("anywhere") ? "" : ", limit: 50"
        let text = """
            locales: [en]
            screens:
              home:
                title: Home
                sections:
                  - {id: few, kind: list, header: New, min: 3, \(windows)
                     source: {records: {type: episode, sort: published\(limit)}}}
            """
        var screens = try Screens([], types: types, programme: text)
        try screens.watchSections(of: "home")
        var stored: [String: Change] = [:]
        for (ids, isShown) in [
            (["+a"], false), (["+b", "+c"], true), (["+d"], true), (["-a", "-b"], false), (["+a"], true),
            (["-c"], false),
        ] {
            var changes: [Change] = []
            for id in ids {
                let name = String(id.dropFirst())
                stored[name] = id.hasPrefix("+") ? try episode(name) : nil
                changes.append(try stored[name] ?? .remove("episode", name))
            }
            try screens.commit(changes)
            var fresh = try Screens(Array(stored.values), types: types, programme: text)
            let (live, scratch) = (try screens.section("few"), try fresh.section("few"))
            #expect(live.head == scratch.head && live.ids == scratch.ids)
            #expect(live.head.header?.title == (isShown ? "New" : nil))
            #expect(live.head.total == (isShown ? UInt32(stored.count) : 0))
            #expect(live.ids.count == (isShown ? windows.isEmpty ? stored.count : 2 : 0))
        }
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
