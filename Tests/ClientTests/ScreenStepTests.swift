import Foundation
import MarqueeDiff
import MarqueeModel
import MarqueePresets
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite struct ScreenStepTests {
    @Test
    func `When a section moves, the first step has the new order of sections, with their old items`() {
        let old = screen([section("a", ["1", "2"]), section("b", ["3"]), section("c", ["4"])])
        let new = screen([section("b", ["3", "5"]), section("x", ["6"]), section("a", ["1"])])
        let steps = update(from: old, to: new).steps(from: old)
        #expect(steps.count == 2)
        #expect(steps.first?.sections.map(\.id) == ["b", "x", "a"])
        #expect(steps.first?.sections.map { $0.items.map(\.id) } == [["3"], ["6"], ["1", "2"]])
        #expect(steps.last?.sections.map { $0.items.map(\.id) } == [["3", "5"], ["6"], ["1"]])
    }

    @Test func `If no section moves, there is one step, with the new sections`() {
        let old = screen([section("a", ["1", "2"])])
        let new = screen([section("a", ["2", "3"]), section("b", [])])
        let steps = update(from: old, to: new).steps(from: old)
        #expect(steps.map { $0.sections.map(\.id) } == [["a", "b"]])
        #expect(steps.first?.sections.first?.items.map(\.id) == ["2", "3"])
    }

    @Test func `No change means no step`() {
        let same = screen([section("a", ["1"])])
        #expect(update(from: same, to: same).steps(from: same).isEmpty)
    }

    @Test func `The first screen reloads, and so does any while the view is outside a window`() {
        let old = screen([section("a", ["1"])])
        let new = screen([section("a", ["1", "2"])])
        let update = update(from: old, to: new)
        let updates = [
            update.collectionUpdate(from: nil, isInWindow: true), update.collectionUpdate(from: old, isInWindow: false),
        ]
        for update in updates {
            guard case .reload(let sections) = update else {
                Issue.record("\(update) is no reload")
                continue
            }
            #expect(sections.map { $0.items.map(\.id) } == [["1", "2"]])
        }
    }

    @Test func `A head with another layout invalidates the layout, even if no item changes`() throws {
        let old = screen([section("a", ["1"]), section("b", ["2"])])
        let group = LayoutNode.group(
            axis: .horizontal, width: .fractionalWidth(1), height: .absolute(90), insets: .zero, spacing: 0, count: 2,
            children: [])
        let new = screen([section("a", ["1"]), section("b", ["2"], layout: SectionLayout(group: group))])
        let change = try #require(update(from: old, to: new).change(from: old))
        #expect(change.invalidatesLayout)
        #expect(change.steps.isEmpty)
        #expect(change.refreshedSections == [1])
        #expect(change.sections.last?.head.layout?.group == group)
    }

    @Test func `Items that come and go leave the sections' layouts alone`() throws {
        let old = screen([section("a", ["1"])])
        let new = screen([section("a", ["2"]), section("b", ["3"])])
        let change = try #require(update(from: old, to: new).change(from: old))
        #expect(!change.invalidatesLayout)
        #expect(change.refreshedSections.isEmpty)
        #expect(change.steps.count == 1)
    }

    private func section(_ id: String, _ items: [String], layout: SectionLayout? = nil) -> ScreenSection {
        var head = SectionHead(kind: .basic)
        head.layout = layout
        return ScreenSection(
            id: id, head: head,
            items: items.map { ScreenItem(item: Item(id: $0, kind: .movie, body: []), favorite: .no) }, placeholders: 0,
            sum: 0)
    }

    private func screen(_ sections: [ScreenSection]) -> Screen {
        Screen(id: .home, locale: "en", title: "", sections: sections, asOf: Date(timeIntervalSince1970: 0))
    }

    private func update(from old: Screen, to new: Screen) -> ScreenUpdate {
        func versions(_ screen: Screen) -> [ScreenChanges.Section] {
            screen.sections.map {
                (id: $0.id, version: Version(head: BodyCodec.encode($0.head), items: $0.items.map(\.item)))
            }
        }
        return ScreenUpdate(
            screen: new, changes: ScreenChanges.between(old: versions(old), new: versions(new)), isFirst: false,
            status: ScreenStatus(isLive: true))
    }
}

extension ScreenUpdate {
    /// Returns the change that a view in a window makes; `nil` if it reloads.
    fileprivate func change(from shown: Screen) -> CollectionChange? {
        guard case .change(let change) = collectionUpdate(from: shown, isInWindow: true) else { return nil }
        return change
    }
}
