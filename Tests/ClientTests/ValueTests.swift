import Foundation
import MarqueeClient
import MarqueeModel
import Testing

/// Values as an app's tests make them: with what is public.
@Suite("Values made by hand")
struct ValueTests {
    private func item(_ id: String, _ title: String, favorite: FavoriteMark = .no) -> ScreenItem {
        ScreenItem(id: id, content: .card(CardContent(title: title)), subject: Subject(id), favorite: favorite)
    }

    private func screen(_ items: [ScreenItem]) -> Screen {
        Screen(id: .home, sections: [ScreenSection(id: "row", head: SectionHead(kind: .list), items: items)])
    }

    @Test func `An update from one screen to the next says what is different`() throws {
        let old = screen([item("a", "A"), item("b", "B"), item("c", "C")])
        let new = screen([item("c", "C"), item("a", "A!"), item("d", "D", favorite: .pendingYes)])
        let update = ScreenUpdate(new, after: old)
        #expect(!update.isFirst && update.isLive && update.animatesDifferences)
        let batch = try #require(update.changes.batches.first)
        #expect(batch.deletedItems == [ItemPosition(section: 0, item: 1)])
        #expect(batch.insertedItems == [ItemPosition(section: 0, item: 2)])
        #expect(update.changes.reconfiguredItems == [ItemPosition(section: 0, item: 1)])
        #expect(ScreenUpdate(new).isFirst)
    }

    @Test func `A star that changes reconfigures its item and nothing else`() {
        let old = screen([item("a", "A"), item("b", "B")])
        let new = screen([item("a", "A"), item("b", "B", favorite: .pendingYes)])
        let changes = new.changes(since: old)
        #expect(changes.batches.isEmpty && changes.reconfiguredItems == [ItemPosition(section: 0, item: 1)])
        #expect(old.changes(since: old).isEmpty)
    }

    @Test func `An item made by hand has its content`() {
        guard case .card(let card) = item("episode/1", "Rye").content else {
            Issue.record("it is a card")
            return
        }
        #expect(card.title == "Rye")
    }

    @Test func `A section counts in Int`() {
        var head = SectionHead(kind: .list)
        (head.windows, head.window, head.total, head.hasMore) = ([2, 4], 2, 9, true)
        let section = ScreenSection(id: "row", head: head)
        #expect(section.windows == [2, 4] && section.window == 2 && section.total == 9 && section.hasMore)
        #expect(section.sort == nil && section.title == nil)
    }
}
