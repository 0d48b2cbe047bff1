import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

/// Public complaints of other systems' users, and proof that the same doesn't happen here.
@Suite("Complaints about local stores")
struct ComplaintTests {
    private let folder: TemporaryFolder
    private let mirror: Mirror
    private let rank = version([item(1), item(2)])

    init() throws {
        folder = try TemporaryFolder()
        mirror = try openMirror(.file(folder.mirror))
        try mirror.commit(
            MirrorTransaction(
                cut: cut(1), savedAt: 1,
                views: [
                    ViewWrite(
                        id: home, list: (nil, list("rank", "tiles")),
                        sections: [("rank", nil, rank), ("tiles", nil, version([item(3)]))])
                ], currentViews: [home]))
    }

    // apollographql/apollo-ios#549
    @Test func `A database locked by another program is a temporary error, not a crash`() throws {
        let other = try DatabaseQueue(path: folder.mirror)
        let before = try mirror.outbox()
        try other.inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            let error = #expect(throws: MirrorError.self) {
                try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
            }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("locked") == true)
            // Reading continues in the meantime.
            #expect(hasSameContent(try mirror.view(home)?.sections["rank"], rank))
            try db.execute(sql: "ROLLBACK")
        }
        #expect(try mirror.outbox() == before)
        #expect(try mirror.setFavorite(subject: "movie/1", on: true, at: 1).number == 1)
    }

    // powersync-ja/powersync-js#954
    @Test func `A mismatch in one section wipes only that section`() throws {
        _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
        mirror.close()
        try folder.outside { try $0.execute(sql: "UPDATE item SET body = x'00' WHERE id = 'm2'") }
        let again = try openMirror(.file(folder.mirror))
        let view = try #require(try again.view(home))
        #expect(view.damaged == ["rank"])
        #expect(view.sections["tiles"]?.items.map(\.id) == ["m3"])
        #expect(try again.content(of: home)?.bases["rank"]?.items.count == 2)
        #expect(try again.outbox().count == 1)
        #expect(again.seen == cut(1))
        #expect(again.recovery == nil)
    }

    // centrifugal/centrifuge-js#406, #425
    @Test func `A position is never stored without its data`() throws {
        #expect(throws: MirrorError.self) {
            try mirror.commit(
                MirrorTransaction(
                    cut: cut(2), savedAt: 2,
                    views: [ViewWrite(id: home, sections: [("rank", rank, version([item(1)])), ("", nil, rank)])],
                    currentViews: [home]))
        }
        #expect(mirror.seen == cut(1))
        #expect(try mirror.view(home)?.cut == cut(1))
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], rank))
    }
}
