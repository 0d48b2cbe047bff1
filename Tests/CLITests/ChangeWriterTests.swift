import MarqueeClient
import MarqueeModel
import MarqueePresets
import Testing

@testable import marquee

struct ChangeWriterTests {
    private func words(from old: Screen, to new: Screen, rows: Int = 0) -> [String] {
        let difference = ScreenDifference(from: old, to: new, changes: Screens.changes(from: old, to: new))
        return ChangeWriter(columns: 100, rows: rows, style: .plain).lines(difference, to: new)
    }

    private func chart(_ titles: [String], revision: UInt64 = 1) -> Screen {
        Screens.screen([Screens.section("chart", .chart, titles.map { Screens.entry($0, $0) })], revision: revision)
    }

    @Test func `A chart says what moved, entered and left`() {
        let old = chart(["Frozen", "Her", "Gravity", "Nebraska", "Inception", "The Matrix"])
        let new = chart(["Frozen", "Inception", "Her", "Gravity", "Nebraska", "Parasite"], revision: 124)
        #expect(
            words(from: old, to: new) == [
                "[rev 124] home",
                "  chart: moved 5 → 2 Inception",
                "  chart: new at 6 Parasite",
                "  chart: gone The Matrix (was 6)",
            ])
    }

    @Test func `Places and ranks count from the beginning of a list of which a window is shown`() {
        func window(_ titles: [String]) -> Screen {
            let section = Screens.section("chart", .chart, titles.map { Screens.entry($0, $0) })
            var head = section.head
            (head.anywhere, head.first, head.total) = (9, 500, 900)
            return Screens.screen([
                ScreenSection(id: section.id, head: head, items: section.items, placeholders: 0, sum: 0)
            ])
        }
        let new = window(["Her", "Frozen", "Parasite"])
        let words = words(from: window(["Frozen", "Her", "Gravity"]), to: new)
        #expect(words.contains("  chart: new at 503 Parasite") && words.contains("  chart: gone Gravity (was 503)"))
        #expect(RowTable(new.sections[0].items, from: new.sections[0].offset).rows.map(\.number) == [501, 502, 503])
    }

    @Test func `A changed field is named with both values`() {
        let old = Screens.screen([Screens.section("rank", .rank, [Screens.movie(1, "Inception", rating: 8.1)])])
        let new = Screens.screen([
            Screens.section("rank", .rank, [Screens.movie(1, "Inception", year: 2010, rating: 8.2)])
        ])
        #expect(words(from: old, to: new).dropFirst() == ["  rank: Inception date none → 2010-07-15, rating 8.1 → 8.2"])
    }

    @Test func `A move with new fields is one line`() {
        let old = Screens.screen([
            Screens.section(
                "chart", .chart, [Screens.entry("a", "A"), Screens.entry("b", "B"), Screens.entry("c", "C", gross: 1)])
        ])
        let new = Screens.screen([
            Screens.section(
                "chart", .chart,
                [Screens.entry("c", "C", gross: 2_000), Screens.entry("a", "A"), Screens.entry("b", "B")])
        ])
        #expect(words(from: old, to: new).dropFirst() == ["  chart: moved 3 → 1 C, gross $1 → $2,000"])
    }

    @Test func `Sections come, go, move and change their head`() {
        let a = Screens.section("a", .basic, [Screens.movie(1, "One")])
        let b = Screens.section("b", .basic, [])
        let old = Screens.screen([a, b, Screens.section("c", .basic, total: 3, sort: "popularity", [])])
        let new = Screens.screen([
            Screens.section("c", .basic, total: 4, sort: "release", []),
            Screens.section("d", .basic, [Screens.movie(1, "One")]), a,
        ])
        #expect(
            words(from: old, to: new).dropFirst() == [
                "  section 'b' removed",
                "  section 'c' moved 3 → 1",
                "  section 'c': sort popularity → release, total 3 → 4",
                "  section 'd' added at 2, 1 item",
            ])
    }

    @Test func `Items of a moved section are reported too`() {
        let old = Screens.screen([
            Screens.section("a", .basic, [Screens.movie(1, "One")]),
            Screens.section(
                "b", .basic, [Screens.movie(2, "Two"), Screens.movie(3, "Three"), Screens.movie(4, "Four")]),
        ])
        let new = Screens.screen([
            Screens.section(
                "b", .basic, [Screens.movie(4, "Four"), Screens.movie(2, "Two"), Screens.movie(3, "Three")]),
            Screens.section("a", .basic, [Screens.movie(1, "One")]),
        ])
        let told = words(from: old, to: new).dropFirst()
        #expect(told.first?.hasPrefix("  section '") == true)
        #expect(told.last == "  b: moved 3 → 1 Four")
        #expect(told.count == 2)
    }

    @Test func `A favorite is reported once for all sections`() {
        func screen(_ mark: FavoriteMark) -> Screen {
            Screens.screen([
                Screens.section("a", .basic, [Screens.movie(1, "Inception", mark: mark)]),
                Screens.section("b", .basic, [Screens.movie(1, "Inception", mark: mark)]),
            ])
        }
        #expect(words(from: screen(.no), to: screen(.pendingYes)).dropFirst() == ["  ♡ Inception added (pending)"])
        #expect(words(from: screen(.pendingYes), to: screen(.yes)).dropFirst() == ["  ♥ Inception confirmed"])
        #expect(words(from: screen(.yes), to: screen(.pendingNo)).dropFirst() == ["  ♡ Inception removed (pending)"])
        #expect(words(from: screen(.yes), to: screen(.no)).dropFirst() == ["  ♡ Inception removed"])
    }

    @Test func `A different kind under the same id is a different item`() {
        let old = Screens.screen([
            Screens.section("a", .main, [Screens.item("x", .banner, .banner(BannerContent(title: "Old")))])
        ])
        let new = Screens.screen([
            Screens.section("a", .main, [Screens.item("x", .text, .text(TextContent(text: "New")))])
        ])
        #expect(words(from: old, to: new).dropFirst() == ["  a: new at 1 New", "  a: gone Old (was 1)"])
    }

    @Test func `A section's surplus lines are counted instead`() {
        let old = chart((1...30).map { "a\($0)" })
        let new = chart((1...30).map { "b\($0)" })
        let told = words(from: old, to: new, rows: 4)
        #expect(told.count == 6)
        #expect(told.last == "  chart: +56 more")
    }

    @Test func `The difference leads from one list to the other`() {
        var state: UInt64 = 42
        func random(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        for _ in 0..<200 {
            let old = (0..<12).map(String.init).filter { _ in random(below: 3) > 0 }
            var new = (0..<14).map(String.init).filter { _ in random(below: 3) > 0 }
            for _ in 0..<random(below: 4) where new.count > 1 {
                new.insert(new.remove(at: random(below: new.count)), at: random(below: new.count))
            }
            let (from, to) = (chart(old), chart(new))
            let difference = ScreenDifference(from: from, to: to, changes: Screens.changes(from: from, to: to))
            var list = old
            var placed: [(Int, String)] = []
            for operation in difference.operations {
                switch operation {
                case .delete(let item, _, _): list.removeAll { $0 == item.id }
                case .insert(let item, _, let index): placed.append((index, item.id))
                case .move(let item, _, _, let index):
                    list.removeAll { $0 == item.id }
                    placed.append((index, item.id))
                default: break
                }
            }
            for (index, id) in placed { list.insert(id, at: index) }
            #expect(list == new)
        }
    }
}
