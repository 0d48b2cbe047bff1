import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeClient

@Suite struct FavoriteOverlayTests {
    private func overlay(_ confirmed: [String], _ pending: [(String, Bool)]) -> FavoriteOverlay {
        FavoriteOverlay(
            confirmed: confirmed, pending: pending.map { .init(subject: $0.0, on: $0.1, placeholder: nil) })
    }

    private func items(_ subjects: String...) -> [Item] {
        subjects.map { Item(id: $0, kind: .movie, subject: $0, body: []) }
    }

    @Test(
        arguments: [
            ([], [], .no), (["a"], [], .yes), ([], [("a", true)], .pendingYes), (["a"], [("a", false)], .pendingNo),
            (["a"], [("a", true)], .yes), ([], [("a", false)], .no), ([], [("a", true), ("a", false)], .no),
            ([], [("a", false), ("a", true)], .pendingYes), (["b"], [("b", false)], .no),
        ] as [([String], [(String, Bool)], FavoriteMark)])
    func theLastWishIsLaidOverWhatIsConfirmed(confirmed: [String], pending: [(String, Bool)], mark: FavoriteMark) {
        #expect(overlay(confirmed, pending).mark(of: "a") == mark)
    }

    @Test func anItemWithoutASubjectIsNoFavorite() {
        #expect(overlay([""], [("", true)]).mark(of: "") == .no)
    }

    @Test func theListShowsWishesFirstNewestFirst() {
        let overlay = overlay(["c", "d"], [("a", true), ("d", false), ("b", true)])
        #expect(overlay.list.map(\.subject.name) == ["b", "a", "c"])
        #expect(overlay.list.map(\.mark) == [.pendingYes, .pendingYes, .yes])
    }

    @Test func wishingForWhatIsConfirmedChangesNoOrder() {
        #expect(overlay(["a", "b"], [("b", true)]).list.map(\.subject.name) == ["a", "b"])
    }

    @Test func aWishMadeTwiceIsListedOnce() {
        #expect(overlay([], [("a", true), ("a", false), ("a", true)]).list.map(\.subject.name) == ["a"])
    }

    @Test func wishesAreLaidOverTheItemsOfAScreen() {
        let laid = overlay(["a", "b"], [("c", true), ("a", false), ("d", true)]).laid(over: items("a", "b"), of: 2)
        #expect(laid.items.map(\.subject) == ["d", "c", "b"])
    }

    @Test(
        arguments: [
            ([], [], 2), ([("c", true)], [], 3), ([("a", false)], [], 1), ([("c", true), ("a", false)], [], 2),
            ([("a", false), ("a", true)], [], 2), ([("c", false)], [], 2),
            // Of a list that goes on: what is further down is counted already.
            ([("x", true)], ["x", "y"], 4), ([("c", true)], ["x", "y"], 5),
        ] as [([(String, Bool)], [String], UInt32)])
    func wishesAreCountedInTheTotal(pending: [(String, Bool)], further: [String], total: UInt32) {
        let laid = overlay(["a", "b"] + further, pending).laid(over: items("a", "b"), of: 2 + UInt32(further.count))
        #expect(laid.total == total)
    }

    @Test func aTotalIsNeverBelowWhatIsShown() {
        // A stored list that is older than the confirmed favorites.
        let laid = overlay(["a", "b", "c"], [("c", true), ("d", true)]).laid(over: items("a"), of: 1)
        #expect(laid.items.count == 3)
        #expect(laid.total == 3)
    }

    @Test func aPlaceholderIsShownUntilTheServerSendsTheItem() {
        let placeholder = Item(id: "movie/1", kind: .movie, subject: "movie/1", body: [0x08, 0x01])
        let overlay = FavoriteOverlay(
            confirmed: [], pending: [.init(subject: "movie/1", on: true, placeholder: placeholder)])
        #expect(overlay.laid(over: [], of: 0).items == [placeholder])
        let sent = [Item(id: "movie/1", kind: .movie, subject: "movie/1", body: [0x08, 0x02])]
        #expect(overlay.laid(over: sent, of: 1).items == sent)
    }

    @Test func withoutWishesAScreenIsAsItWasSent() {
        #expect(overlay([], []).laid(over: items("a"), of: 1).items == items("a"))
    }
}
