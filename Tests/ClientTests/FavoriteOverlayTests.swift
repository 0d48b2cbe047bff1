import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeClient

@Suite struct FavoriteOverlayTests {
    private func overlay(_ confirmed: [String], _ pending: [(String, Bool)]) -> FavoriteOverlay {
        FavoriteOverlay(
            confirmed: confirmed, pending: pending.map { .init(subject: $0.0, on: $0.1, placeholder: nil) })
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
        let version = Version(head: [], items: ["a", "b"].map { Item(id: $0, kind: .movie, subject: $0, body: []) })
        let laid = overlay(["a", "b"], [("c", true), ("a", false), ("d", true)]).laid(over: version)
        #expect(laid.items.map(\.subject) == ["d", "c", "b"])
        #expect(laid.sum == Version(head: version.head, items: laid.items).sum)
    }

    @Test func aPlaceholderIsShownUntilTheServerSendsTheItem() {
        let placeholder = Item(id: "movie/1", kind: .movie, subject: "movie/1", body: [0x08, 0x01])
        let overlay = FavoriteOverlay(
            confirmed: [], pending: [.init(subject: "movie/1", on: true, placeholder: placeholder)])
        #expect(overlay.laid(over: .empty).items == [placeholder])
        let sent = Version(
            head: [], items: [Item(id: "movie/1", kind: .movie, subject: "movie/1", body: [0x08, 0x02])])
        #expect(overlay.laid(over: sent).items == sent.items)
    }

    @Test func withoutWishesAScreenIsAsItWasSent() {
        let version = Version(head: [], items: [Item(id: "a", kind: .movie, subject: "a", body: [])])
        #expect(overlay([], []).laid(over: version).items == version.items)
    }
}
