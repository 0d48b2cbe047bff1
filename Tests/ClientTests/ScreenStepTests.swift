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
        let steps = update(from: old, to: new).listUpdate(from: old).steps
        #expect(steps.count == 2)
        #expect(steps.first?.sections.map(\.id) == ["b", "x", "a"])
        #expect(steps.first?.sections.map { $0.items.map(\.id) } == [["3"], ["6"], ["1", "2"]])
        #expect(steps.last?.sections.map { $0.items.map(\.id) } == [["3", "5"], ["6"], ["1"]])
    }

    @Test func `If no section moves, there is one step, with the new sections`() {
        let old = screen([section("a", ["1", "2"])])
        let new = screen([section("a", ["2", "3"]), section("b", [])])
        let steps = update(from: old, to: new).listUpdate(from: old).steps
        #expect(steps.map { $0.sections.map(\.id) } == [["a", "b"]])
        #expect(steps.first?.sections.first?.items.map(\.id) == ["2", "3"])
    }

    @Test func `No change means no step`() {
        let same = screen([section("a", ["1"])])
        #expect(update(from: same, to: same).listUpdate(from: same).steps.isEmpty)
    }

    @Test func `The first screen reloads, and so does any while the view is outside a window`() {
        let old = screen([section("a", ["1"])])
        let new = screen([section("a", ["1", "2"])])
        let update = update(from: old, to: new)
        for update in [update.listUpdate(from: nil), update.listUpdate(from: old, isInWindow: false)] {
            #expect(update.reloads && update.steps.isEmpty)
            #expect(update.sections.map { $0.items.map(\.id) } == [["1", "2"]])
        }
    }

    @Test func `A head with another layout invalidates the layout, even if no item changes`() {
        let old = screen([section("a", ["1"]), section("b", ["2"])])
        let group = LayoutNode.group(
            axis: .horizontal, width: .fractionalWidth(1), height: .absolute(90), insets: .zero, spacing: 0, count: 2,
            children: [])
        let new = screen([section("a", ["1"]), section("b", ["2"], layout: SectionLayout(group: group))])
        let change = update(from: old, to: new).listUpdate(from: old)
        #expect(!change.reloads && change.steps.isEmpty)
        #expect(change.changedHeads == [1])
        #expect(change.sections.last?.head.layout?.group == group)
    }

    @Test func `Items that come and go leave the sections' layouts alone`() {
        let old = screen([section("a", ["1"])])
        let new = screen([section("a", ["2"]), section("b", ["3"])])
        let change = update(from: old, to: new).listUpdate(from: old)
        #expect(!change.reloads && change.changedHeads.isEmpty)
        #expect(change.steps.map(\.deletedItems) == [[[0, 0]]])
        #expect(change.steps.map(\.insertedSections) == [[1]])
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
