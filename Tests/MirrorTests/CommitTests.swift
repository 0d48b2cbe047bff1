import GRDB
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

@Suite("Commits")
struct CommitTests {
    private static let first = version((0..<200).map { item($0) })

    @Test(
        arguments: [
            ("one at the front", version([item(200)] + first.items), 1),
            ("two bodies", version([item(0, body: "new"), item(1, body: "new")] + first.items.dropFirst(2)), 2),
            ("another subject", version([item(0, subject: "movie/9")] + first.items.dropFirst()), 1),
            ("a move", version([item(199)] + first.items.dropLast()), 0),
            ("three gone", version(Array(first.items.dropFirst(3))), 3),
            (
                "one gone, one changed, one new",
                version([item(1, body: "new"), item(200)] + first.items.dropFirst(2)), 3
            ),
            ("another head", version(Array(first.items), head: "new"), 0),
        ])
    func `Only rows of new, changed or removed items are written`(_ what: String, target: Version, rows: Int) throws {
        let mirror = try openMirror()
        let first = CommitTests.first
        try mirror.commitRank(base: nil, target: first)
        // Rows that every commit writes: those of the view and of the mirror itself.
        let always = try mirror.rowsWritten { try mirror.commitRank(base: first, target: first, at: 2) }
        let written = try mirror.rowsWritten { try mirror.commitRank(base: first, target: target, at: 3) }
        // The additional row is the section's own.
        #expect(written == always + 1 + rows, "\(what)")
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], target))
    }

    @Test func `If the base isn't what is stored, the section is written in full`() throws {
        let mirror = try openMirror()
        try mirror.commitRank(base: nil, target: version([item(1), item(2)]))
        let believed = version([item(2), item(3)])
        let target = version([item(3), item(2), item(4)])
        try mirror.commitRank(base: believed, target: target, at: 2)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], target))
    }

    @Test(arguments: [1, 2, 3])
    func `If a row is missing though the sum is right, the section is written in full`(_ number: Int) throws {
        let mirror = try openMirror()
        let first = version([item(1), item(2), item(3)])
        try mirror.commitRank(base: nil, target: first)
        try mirror.opened().write { try $0.execute(sql: "DELETE FROM item WHERE id = ?", arguments: ["m\(number)"]) }
        let second = version([item(3, body: "new"), item(2, body: "new"), item(4)])
        try mirror.commitRank(base: first, target: second, at: 2)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], second))
        #expect(try mirror.verify().isEmpty)
    }

    @Test func `All live views move to the cut, changed or not; others stay`() throws {
        let mirror = try openMirror()
        let ids = ["a", "b", "c"].map { ViewID(screen: $0, locale: "en") }
        let writes = ids.map { ViewWrite(id: $0, list: (nil, list())) }
        try mirror.commit(MirrorTransaction(cut: cut(1), savedAt: 1, views: writes, currentViews: ids))
        let live = Array(ids.prefix(2))
        let change = ViewWrite(id: ids[0], list: (list(), list("rank")))
        try mirror.commit(MirrorTransaction(cut: cut(2), savedAt: 2, views: [change], currentViews: live))
        #expect(try ids.map { try mirror.view($0)?.cut } == [cut(2), cut(2), cut(1)])
        #expect(try ids.map { try mirror.view($0)?.savedAt } == [2, 2, 1])
    }

    @Test func `The seen position never goes back within an epoch (G1), and follows a new epoch`() throws {
        let mirror = try openMirror()
        func commit(_ cut: Cut) throws { try mirror.commit(MirrorTransaction(cut: cut, savedAt: 0)) }
        #expect(mirror.seen == nil)
        try commit(cut(5, user: 2))
        try commit(cut(4, user: 3))
        #expect(mirror.seen == cut(5, user: 3))
        let restored = Cut(catalogueEpoch: 8, catalogueRevision: 1, userEpoch: 9, userRevision: 3)
        try commit(restored)
        #expect(mirror.seen == restored)
    }

    @Test func `A commit that fails in its last section changes nothing (G3)`() throws {
        let mirror = try openMirror()
        let first = version([item(1), item(2)])
        try mirror.commitRank(base: nil, target: first)
        let entry = try mirror.setFavorite(subject: "movie/1", on: true, at: 0)
        try mirror.opened().write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER fails BEFORE INSERT ON item WHEN new.id = 'm13'
                    BEGIN SELECT RAISE(ABORT, 'unlucky'); END
                    """)
        }
        let error = #expect(throws: MirrorError.self) {
            try mirror.commit(
                MirrorTransaction(
                    cut: cut(2), savedAt: 2,
                    views: [
                        ViewWrite(
                            id: home, list: (list("rank"), list("rank", "more")),
                            sections: [("rank", first, version([item(2)])), ("more", nil, version([item(13)]))])
                    ], currentViews: [home], finishedMutations: [entry.number]))
        }
        #expect(error?.code == .io)
        let view = try #require(try mirror.view(home))
        #expect(view.cut == cut(1))
        #expect(hasSameContent(view.list, list("rank")))
        #expect(hasSameContent(view.sections["rank"], first))
        #expect(view.sections.count == 1)
        #expect(mirror.seen == cut(1))
        #expect(try mirror.outbox() == [entry])
    }

    @Test func `A full disk is reported as such and changes nothing, in memory either`() throws {
        let folder = try TemporaryFolder()
        let mirror = try openMirror(.file(folder.mirror))
        let first = version([item(1)])
        try mirror.commitRank(base: nil, target: first)
        let pages = try mirror.opened().read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try mirror.opened().writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
        let large = version((0..<1_000).map { item($0) })
        let error = #expect(throws: MirrorError.self) { try mirror.commitRank(base: first, target: large, at: 2) }
        #expect(error?.code == .diskFull)
        #expect(mirror.seen == cut(1))
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], first))
        try mirror.opened().writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        try mirror.commitRank(base: first, target: large, at: 2)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], large))
    }

    @Test func `A section without an id is refused: its row would be the view's own list`() throws {
        let mirror = try openMirror()
        let error = #expect(throws: MirrorError.self) {
            try mirror.commit(
                MirrorTransaction(
                    cut: cut(1), savedAt: 1, views: [ViewWrite(id: home, sections: [("", nil, list())])]))
        }
        #expect(error?.code == .limit)
        #expect(try mirror.views().isEmpty)
    }

    @Test func `The order of items survives numbers of every length; bytes that aren't one are refused`() {
        let numbers: [Int64] = [0, 1, 127, 128, 16_383, 16_384, 1 << 40, .max]
        #expect(ItemOrder.decoded(ItemOrder.encoded(numbers)) == numbers)
        #expect(ItemOrder.decoded([]) == [])
        #expect(ItemOrder.decoded([0x80]) == nil)
        #expect(ItemOrder.decoded([UInt8](repeating: 0xFF, count: 10) + [0]) == nil)
    }
}
