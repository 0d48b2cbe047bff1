import MarqueeLayout
import MarqueeModel
import Testing

@testable import MarqueeClient
@testable import marquee

/// Scrolling through a list of which only a window is here.
struct BrowserWindowTests {
    private static let total = 1_000

    /// A list of 1,000 rows with some of them.
    private func list(
        _ rows: Range<Int>, cursor: [UInt8] = [1], at first: Int? = nil, of total: Int = Self.total
    ) -> ScreenSection {
        let section = Pages.row("a", rows.map { "Row \($0)" }, kind: .list, scrolling: .none)
        var head = section.head
        head.layout = SectionLayout(
            group: .group(
                axis: .vertical, width: .fractionalWidth(1), height: .absolute(44), insets: .zero, spacing: 0,
                count: nil,
                children: [
                    .item(width: .fractionalWidth(1), height: .fractionalHeight(1), insets: .zero, badges: [])
                ]),
            supplementaries: section.head.layout?.supplementaries ?? [])
        head.anywhere = 200
        head.first = UInt32(first ?? rows.lowerBound)
        head.total = UInt32(total)
        head.cursor = cursor
        head.hasMore = rows.upperBound < total
        return ScreenSection(id: section.id, head: head, items: section.items, placeholders: 0, sum: 0)
    }

    private func places(_ effects: [Browser.Effect]) -> [WindowPlace] {
        effects.flatMap { effect -> [WindowPlace] in
            if case .show(let options, _) = effect { options.compactMap(\.place) } else { [] }
        }
    }

    /// The rows that a server shows at a place.
    private func rows(at place: WindowPlace) -> Range<Int> {
        let anchor =
            place.isEnd
            ? Self.total - 1
            : place.item.flatMap { item in
                (0..<Self.total).first { list($0..<$0 + 1).items[0].id == item }
            } ?? 0
        return max(0, anchor - Int(place.before))..<min(Self.total, anchor + Int(place.after) + 1)
    }

    @Test func `Keys down the list bring the rows that follow before the end of those that are here`() throws {
        var browser = Pages.browser()
        var here = 0..<50
        var asked = 0
        browser.show([list(here)])
        for step in 1...300 {
            let places = places(browser.press(.down))
            #expect(browser.focusedTitle == "Row \(step)")
            guard let place = places.first else { continue }
            #expect(places.count == 1 && place.rows <= 200 && place.cursor == [1])
            asked += 1
            // Until it comes, nothing else is asked for.
            #expect(browser.press(.down, .up).isEmpty)
            let before = here
            here = rows(at: place)
            #expect(here.contains(step) && here != before)
            let line = browser.picture.firstIndex { $0.contains("Row \(step)") }
            browser.show([list(here)], since: [list(before)])
            #expect(browser.focusedTitle == "Row \(step)")
            // The row stays where a person sees it, and rows that they scrolled to aren't news.
            #expect(browser.picture.firstIndex { $0.contains("Row \(step)") } == line)
            #expect(browser.events.isEmpty && browser.page.glow.isEmpty)
        }
        #expect((5..<30).contains(asked))
    }

    @Test func `G and > go to the list's last row, g and < to its first, wherever the window is`() throws {
        for (last, first) in [(Key.character("G"), Key.character("g")), (.character(">"), .character("<"))] {
            var browser = Pages.browser()
            browser.show([list(0..<50)])
            let end = try #require(places(browser.press(last)).first)
            #expect(end.isEnd && end.before >= 49)
            browser.show([list(rows(at: end))], since: [list(0..<50)])
            #expect(browser.focusedTitle == "Row 999")
            let start = try #require(places(browser.press(first)).first)
            #expect(start.item == nil && !start.isEnd)
            browser.show([list(rows(at: start))], since: [list(rows(at: end))])
            #expect(browser.focusedTitle == "Row 0")
            #expect(browser.picture.contains { $0.contains("1–84 of 1,000") })
            #expect(places(browser.press(first)).isEmpty)
        }
    }

    @Test func `Pages down and up move the window too`() throws {
        var browser = Pages.browser()
        var here = 0..<50
        browser.show([list(here)])
        for key in Array(repeating: Key.pageDown, count: 30) + Array(repeating: .pageUp, count: 60) {
            for place in places(browser.press(key)) {
                let before = here
                here = rows(at: place)
                browser.show([list(here)], since: [list(before)])
            }
            if here.upperBound == Self.total { break }
        }
        #expect(browser.focusedTitle == "Row 0" || here.lowerBound == 0)
    }

    @Test func `Rows of a window that has moved aren't news`() {
        var browser = Pages.browser()
        browser.show([list(0..<50)])
        browser.show([list(500..<550)], since: [list(0..<50)])
        #expect(browser.notes.isEmpty)
    }

    @Test func `Rows that are new above are counted and don't move what is read`() {
        var browser = Pages.browser()
        let old = list(100..<150)
        browser.show([old])
        _ = browser.press(.pageDown)
        // No window is on its way.
        _ = browser.handle(.client(.optionsRefused(.home, ClientError(.unavailable, "no"))), now: 0)
        let new = list(100..<150, at: 103, of: Self.total + 3)
        let picture = browser.picture.filter { $0.contains("Row 1") }
        #expect(picture.count > 10)
        browser.show([new], since: [old])
        #expect(browser.notes == ["▲ 3 new above in Row a"])
        #expect(browser.picture.filter { $0.contains("Row 1") } == picture)
    }

    @Test func `A refused window may be asked for again`() {
        var browser = Pages.browser()
        browser.show([list(0..<50)])
        #expect(places(browser.press(.end)).count == 1)
        #expect(browser.press(.up, .down).isEmpty)
        _ = browser.handle(.client(.optionsRefused(.home, ClientError(.unavailable, "no"))), now: 0)
        #expect(places(browser.press(.end)).count == 1)
    }
}
