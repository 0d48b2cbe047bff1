import MarqueeDiff
import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeClient

@Suite struct CollectionOverlayTests {
    private func overlay(_ confirmed: [String], _ pending: [(String, Bool)]) -> CollectionOverlay {
        CollectionOverlay(
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
    func `The last pending change is laid over what is confirmed`(
        confirmed: [String], pending: [(String, Bool)], mark: FavoriteMark
    ) {
        #expect(overlay(confirmed, pending).mark(of: "a") == mark)
    }

    @Test func `An item without a subject is not a favorite`() {
        #expect(overlay([""], [("", true)]).mark(of: "") == .no)
    }

    @Test func `The list shows pending favorites first, newest first`() {
        let overlay = overlay(["c", "d"], [("a", true), ("d", false), ("b", true)])
        #expect(overlay.list.map(\.subject.name) == ["b", "a", "c"])
        #expect(overlay.list.map(\.mark) == [.pendingYes, .pendingYes, .yes])
    }

    @Test func `Setting a confirmed favorite again doesn't change the order`() {
        #expect(overlay(["a", "b"], [("b", true)]).list.map(\.subject.name) == ["a", "b"])
    }

    @Test func `A favorite set twice is listed once`() {
        #expect(overlay([], [("a", true), ("a", false), ("a", true)]).list.map(\.subject.name) == ["a"])
    }

    @Test func `Pending favorites are laid over a screen's items`() {
        let laid = overlay(["a", "b"], [("c", true), ("a", false), ("d", true)]).laid(over: items("a", "b"), of: 2)
        #expect(laid.items.map(\.subject) == ["d", "c", "b"])
    }

    // MARK: - Values

    private func progress(_ pending: [CollectionOverlay.Pending]) -> CollectionOverlay {
        CollectionOverlay(confirmed: ["a", "b", "c"], values: ["a": 1, "b": 2], pending: pending)
    }

    @Test func `A different value is pending; the same one isn't`() {
        let overlay = progress([
            .init(number: 1, subject: "a", on: true, value: 1), .init(number: 2, subject: "b", on: true, value: 9),
            .init(number: 3, subject: "d", on: true, value: 4), .init(number: 4, subject: "c", on: false),
        ])
        #expect(["a", "b", "c", "d", "e"].map(overlay.mark) == [.yes, .pendingYes, .pendingNo, .pendingYes, .no])
        #expect(["a", "b", "c", "d", "e"].map(overlay.value) == [1, 9, nil, 4, nil])
    }

    @Test func `A member with a new value moves to the front and is counted once`() {
        let overlay = progress([
            .init(number: 1, subject: "b", on: true, value: 9), .init(number: 2, subject: "d", on: true, value: 4),
            .init(number: 3, subject: "c", on: false),
        ])
        #expect(overlay.list.map(\.subject.name) == ["d", "b", "a"])
        let laid = overlay.laid(over: items("a", "b", "c"), of: 3)
        #expect(laid.items.map(\.subject) == ["d", "b", "a"])
        #expect(laid.total == 3)
    }

    @Test func `A member changes again only if its shown value does`() {
        var overlay = progress([.init(number: 1, subject: "b", on: true, value: 9)])
        _ = overlay.takeChanges()
        overlay.put(.init(number: 2, subject: "b", on: true, value: 2))
        #expect(overlay.value(of: "b") == 2)
        #expect(overlay.mark(of: "b") == .yes)
        #expect(overlay.takeChanges().subjects == ["b"])
        overlay.confirm(["b", "a", "c"], values: ["a": 1, "b": 2])
        #expect(overlay.takeChanges().subjects == [])
        overlay.confirm(["b", "a", "c"], values: ["a": 5, "b": 2])
        #expect(overlay.takeChanges().subjects == ["a"])
    }

    @Test func `A mutation is found whichever collection it is about`() {
        var all = CollectionsOverlay()
        all.confirm([.favorites: .init(subjects: ["a"]), "progress": .init(subjects: ["a"], values: ["a": 1])])
        all.put(.init(number: 1, subject: "a", on: false), in: .favorites)
        all.put(.init(number: 2, subject: "a", on: true, value: 7), in: "progress")
        #expect(all.pendingCount == 2)
        let stamp = all.stamp
        #expect(all.takeChanges().collections == [.favorites, "progress"])
        let no = ClientError(.changeRefused, "no")
        all.reject(2, of: "a", in: "progress", no)
        #expect(all["progress"].value(of: "a") == 1)
        #expect(all["progress"].rejected == ["a": no])
        #expect(all.favorites.rejected.isEmpty)
        #expect(all.stamp > stamp)
        let changes = all.takeChanges()
        #expect(changes.stars.isEmpty)
        #expect(changes.collections == ["progress"])
        all.remove([1])
        #expect(all.takeChanges().stars == ["a"])
        // A row that is no longer said to be confirmed is gone.
        all.confirm([.favorites: .init(subjects: ["a"])])
        #expect(all["progress"].list.isEmpty)
    }

    @Test(
        arguments: [
            ([], [], 2), ([("c", true)], [], 3), ([("a", false)], [], 1), ([("c", true), ("a", false)], [], 2),
            ([("a", false), ("a", true)], [], 2), ([("c", false)], [], 2),
            // For a list that continues: what is further down is counted already.
            ([("x", true)], ["x", "y"], 4), ([("c", true)], ["x", "y"], 5),
        ] as [([(String, Bool)], [String], UInt32)])
    func `Pending favorites are counted in the total`(pending: [(String, Bool)], further: [String], total: UInt32) {
        let laid = overlay(["a", "b"] + further, pending).laid(over: items("a", "b"), of: 2 + UInt32(further.count))
        #expect(laid.total == total)
    }

    @Test func `Pending members come before a window that begins further down`() {
        let overlay = overlay(["x", "a", "b", "c"], [("new", true), ("b", false)])
        let laid = overlay.laid(over: items("a", "b", "c"), of: 4, from: 1)
        #expect(laid.items == items("a", "c") && laid.total == 4 && laid.first == 2)
        let top = overlay.laid(over: items("a", "b", "c"), of: 4)
        #expect(top.items.map(\.id) == ["new", "a", "c"] && top.first == 0)
    }

    @Test func `A total is never below the number shown`() {
        // A stored list older than the confirmed favorites.
        let laid = overlay(["a", "b", "c"], [("c", true), ("d", true)]).laid(over: items("a"), of: 1)
        #expect(laid.items.count == 3)
        #expect(laid.total == 3)
    }

    @Test func `A placeholder is shown until the server sends the item`() {
        let placeholder = Item(id: "movie/1", kind: .movie, subject: "movie/1", body: [0x08, 0x01])
        let overlay = CollectionOverlay(
            confirmed: [], pending: [.init(subject: "movie/1", on: true, placeholder: placeholder)])
        #expect(overlay.laid(over: [], of: 0).items == [placeholder])
        let sent = [Item(id: "movie/1", kind: .movie, subject: "movie/1", body: [0x08, 0x02])]
        #expect(overlay.laid(over: sent, of: 1).items == sent)
    }

    @Test func `Without pending favorites, a screen is as it was sent`() {
        #expect(overlay([], []).laid(over: items("a"), of: 1).items == items("a"))
    }
}
