import MarqueeModel
import Testing

@testable import MarqueeClient

/// Counting what is seen.
@Suite struct ItemsInViewTests {
    private static let asked = Counting.Impressions(share: 50, duration: 1_000, again: 60_000)

    private func items(_ shares: [String: Double]) -> [ItemsInView.Key: ItemsInView.Shown] {
        var items: [ItemsInView.Key: ItemsInView.Shown] = [:]
        for (name, share) in shares {
            items[ItemsInView.Key(section: "row", item: name)] = ItemsInView.Shown(
                share: share, place: 1, revision: 7, impressions: Self.asked)
        }
        return items
    }

    private func words(_ impressions: [ItemsInView.Impression]) -> [String] {
        impressions.map { "\($0.key.item) at \($0.since) for \($0.duration)" }
    }

    @Test func `An item is seen once enough of it was in view for long enough`() {
        var view = ItemsInView()
        #expect(words(view.update(items(["half": 0.5, "less": 0.49, "short": 1]), now: 100)) == [])
        #expect(
            words(view.update(items(["half": 0.7, "less": 0.49]), now: 1_099)) == [], "the short one was too short")
        #expect(words(view.update([:], now: 1_100)) == ["half at 100 for 1000"])
        #expect(words(view.update([:], now: 99_000)) == [], "it is reported once")
    }

    @Test func `An item that falls below the share has left, and starts over`() {
        var view = ItemsInView()
        _ = view.update(items(["a": 1]), now: 0)
        _ = view.update(items(["a": 0.2]), now: 900)
        _ = view.update(items(["a": 1]), now: 1_000)
        #expect(words(view.update([:], now: 1_900)) == [])
    }

    @Test func `An item that stays is reported after a while, and once for each stay`() {
        var view = ItemsInView()
        _ = view.update(items(["a": 1]), now: 0)
        #expect(view.next == ItemsInView.longest)
        #expect(words(view.look(now: ItemsInView.longest - 1)) == [])
        #expect(words(view.look(now: ItemsInView.longest)) == ["a at 0 for 10000"])
        #expect(view.next == nil)
        #expect(words(view.update([:], now: 50_000)) == [])
        _ = view.update(items(["a": 1]), now: 60_000)
        #expect(words(view.update([:], now: 61_000)) == ["a at 60000 for 1000"])
    }

    @Test func `A clock that goes back or an endless time counts nothing twice and doesn't trap`() {
        var view = ItemsInView()
        _ = view.update(items(["a": 1]), now: .max - 1)
        #expect(words(view.look(now: 5)) == [])
        #expect(words(view.update([:], now: 6)) == [])
    }

    @Test func `Items beyond the bound aren't followed`() {
        var view = ItemsInView()
        let many = Dictionary(uniqueKeysWithValues: (0..<ItemsInView.maximum + 10).map { ("\($0)", 1.0) })
        _ = view.update(items(many), now: 0)
        #expect(words(view.update([:], now: 1_000)).count == ItemsInView.maximum)
    }

    @Test func `An item isn't counted again before its time, and is then`() {
        var counted = CountedItems()
        let key = CountedItems.Key(screen: "home", section: "row", item: "a")
        #expect(counted.admits(key, again: 1_000, now: 0) == true)
        #expect(counted.admits(key, again: 1_000, now: 999) == false)
        #expect(counted.admits(key, again: 1_000, now: 1_000) == true)
        #expect(
            counted.admits(CountedItems.Key(screen: "home", section: "other", item: "a"), again: 1_000, now: 1) == true)
    }

    @Test func `What was counted is remembered within a bound`() {
        var counted = CountedItems()
        for number in 0...CountedItems.maximum {
            let key = CountedItems.Key(screen: "home", section: "row", item: "\(number)")
            #expect(counted.admits(key, again: 1_000_000, now: UInt64(number)) == true)
        }
        let (first, last) = (
            CountedItems.Key(screen: "home", section: "row", item: "0"),
            CountedItems.Key(screen: "home", section: "row", item: "\(CountedItems.maximum)")
        )
        #expect(counted.admits(last, again: 1_000_000, now: 20_000) == false)
        #expect(counted.admits(first, again: 1_000_000, now: 20_000) == true, "the oldest is forgotten")
    }
}
