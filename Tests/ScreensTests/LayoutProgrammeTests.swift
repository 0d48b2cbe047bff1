import MarqueeModel
import Testing

@testable import MarqueeScreens

/// Layouts in programme files.
@Suite struct LayoutProgrammeTests {
    private func programme(_ layout: String, section: String = "") -> String {
        """
        layouts:
          row: \(layout)
        screens:
          home:
            title: Home
            sections:
              - {id: a, kind: basic, layout: row, source: favorites\(section)}
        """
    }

    private func section(_ layout: String, section: String = "") throws -> Programme.Section {
        let text = programme(layout, section: section)
        let checked = try Programme.check(text: text, file: "p.yaml", types: Podcasts.types().set)
        return try #require(checked.programme.screens.first?.sections.first)
    }

    private func layout(_ layout: String) throws -> SectionLayout {
        try #require(try section(layout).layout)
    }

    private func errors(_ layout: String, section: String = "") throws -> [String] {
        let types = try Podcasts.types().set
        do {
            _ = try Programme.parse(text: programme(layout, section: section), file: "p.yaml", types: types)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    /// A group with more keys, of items with more keys.
    private func group(_ group: String = "", item: String = "") -> String {
        "group: {axis: horizontal, width: fw 1, height: abs 20\(group), items: [{width: abs 50, height: fh 1\(item)}]}"
    }

    // MARK: - Spacing

    @Test func `Spacing may be flexible, and items have spacing at their edges`() throws {
        let edges = ", edge-spacing: [1, flexible 2, 0, flexible 0]"
        let read = try layout("{\(group(", spacing: flexible 8", item: edges))}")
        #expect(
            read.group
                == .group(
                    axis: .horizontal, width: .fractionalWidth(1), height: .absolute(20), spacing: .flexible(8),
                    children: [
                        .item(
                            width: .absolute(50), height: .fractionalHeight(1),
                            edgeSpacing: LayoutEdgeSpacing(top: 1, leading: .flexible(2), trailing: .flexible(0)))
                    ]))
        #expect(
            try layout("{\(group(item: ", edge-spacing: 3"))}").group.firstItem?.edgeSpacing
                == LayoutEdgeSpacing(top: 3, leading: 3, bottom: 3, trailing: 3))
    }

    @Test(arguments: [
        (", spacing: flexibel 8", "", "spacing must be a number"),
        (", spacing: flexible", "", "spacing must be 'flexible' and a number from 0 to 100000, not 'flexible'"),
        (", spacing: flexible -1", "", "spacing must be 'flexible' and a number from 0 to 100000"),
        (", spacing: [8]", "", "spacing must be a number of points, or 'flexible 8'"),
        ("", ", edge-spacing: [1, 2]", "the item's edge spacing must be a list of 4 spacings"),
        ("", ", edge-spacing: -2", "the item's edge spacing must be from 0"),
        (", edge-spacing: 2", "", "a section's own group has no 'edge-spacing'"),
    ])
    func `Wrong spacing is refused`(group: String, item: String, reason: String) throws {
        let found = try errors("{\(self.group(group, item: item))}")
        #expect(found.count == 1 && found.first?.hasPrefix("p.yaml:2: \(reason)") == true, "\(found)")
    }

    @Test func `Insets may begin at the margins`() throws {
        #expect(try layout("{\(group()), insets-reference: layout-margins}").insetsReference == .layoutMargins)
        #expect(try layout("{\(group())}").insetsReference == .automatic)
        #expect(
            try errors("{\(group()), insets-reference: margins}").first?
                .hasPrefix("p.yaml:2: unknown reference of insets 'margins'") == true)
    }

    // MARK: - Supplementaries

    private var letters: String {
        "{\(group()), header: {width: fw 1, height: abs 9}, "
            + "supplementaries: [{kind: letters, edges: [leading], width: abs 9, height: abs 9}]}"
    }

    @Test func `Views of a layout have texts of their own`() throws {
        let read = try section(letters, section: ", supplements: {letters: A–Z}")
        #expect(read.supplements == ["letters": Programme.Header(title: LocalizedText("A–Z"), actions: [])])
    }

    @Test func `A text for a view that the layout doesn't have is refused`() throws {
        let hint = "the section's layout has no view 'leters'; did you mean 'letters'?"
        #expect(
            try errors(letters, section: ", supplements: {leters: A}").first?.hasPrefix("p.yaml:7: \(hint)") == true)
        #expect(
            try errors(letters, section: ", supplements: {header: A}").first?
                .hasPrefix("p.yaml:7: the section's layout has no view 'header'") == true)
        #expect(
            try errors(letters, section: ", supplements: {letters: {en: A, fr: B}}").first?
                .hasPrefix("p.yaml:7: the text of 'letters' has no key 'fr'") == true)
        #expect(
            try errors(letters, section: ", supplements: A").first == "p.yaml:7: 'supplements' must be a mapping")
    }

    @Test func `A header may be pinned`() throws {
        let read = try layout("{\(group()), header: {width: fw 1, height: abs 30, pinned: true}}")
        #expect(read.supplementaries.map(\.isPinned) == [true])
        #expect(
            try layout("{\(group()), header: {width: fw 1, height: abs 30, pinned: false}}").supplementaries
                .map(\.isPinned) == [false])
    }

    @Test func `A decoration may be smaller than its section, and every view has a z-index`() throws {
        #expect(try layout("{\(group()), decoration: panel}").decoration == "panel")
        let read = try layout(
            "{\(group()), decoration: {kind: panel, insets: [1, 2, 3, 4], z-index: -1}, "
                + "header: {width: fw 1, height: abs 9, z-index: 5}}")
        #expect(
            read.decoration
                == LayoutDecoration(
                    kind: "panel", insets: LayoutInsets(top: 1, leading: 2, bottom: 3, trailing: 4), zIndex: -1))
        #expect(read.supplementaries.map(\.zIndex) == [5])
    }

    @Test(arguments: [
        ("decoration: {insets: 3}", "the decoration needs 'kind'"),
        ("decoration: {kind: a, insets: x}", "the insets of the decoration must be a number"),
        ("decoration: {kind: a, z-index: 1.5}", "the z-index of the decoration must be a whole number"),
        ("header: {width: fw 1, height: abs 9, z-index: 1001}", "the z-index of the header must be from -1000 to 1000"),
    ])
    func `A wrong decoration or z-index is refused`(part: String, reason: String) throws {
        let found = try errors("{\(group()), \(part)}")
        #expect(found.count == 1 && found.first?.hasPrefix("p.yaml:2: \(reason)") == true, "\(found)")
    }

    @Test(arguments: [
        ("leading: {width: abs 9, height: abs 9, pinned: true}", "the leading can't be pinned"),
        (
            "supplementaries: [{kind: a, edges: [top, bottom], width: abs 9, height: abs 9, pinned: true}]",
            "a supplementary can't be pinned; only a section's view at the top or bottom can"
        ),
        ("header: {width: fw 1, height: abs 9, pinned: yes}", "unknown value of 'pinned' 'yes'"),
    ])
    func `A view that can't be pinned is refused`(view: String, reason: String) throws {
        let found = try errors("{\(group()), \(view)}")
        #expect(found.count == 1 && found.first?.hasPrefix("p.yaml:2: \(reason)") == true, "\(found)")
        let badge = ", badges: [{kind: b, edges: [top], width: abs 1, height: abs 1, pinned: true}]"
        #expect(try errors("{\(group(item: badge))}").first?.contains("a badge can't be pinned") == true)
    }
}

extension LayoutNode {
    fileprivate var firstItem: LayoutItem? {
        switch self {
        case .item(let item): item
        case .group(let group): group.children.first?.firstItem
        }
    }
}
