import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

@Suite("Damage")
struct DamageTests {
    private let folder: TemporaryFolder
    private let rank = version([item(1), item(2), item(3)])
    private let tiles = version([item(4)])

    init() throws {
        folder = try TemporaryFolder()
        let mirror = try openMirror(.file(folder.mirror))
        try mirror.commit(
            MirrorTransaction(
                cut: cut(1), savedAt: 1,
                views: [
                    ViewWrite(
                        id: home, list: (nil, list("rank", "tiles")),
                        sections: [("rank", nil, rank), ("tiles", nil, tiles)])
                ]))
        mirror.close()
    }

    @Test("One flipped bit of a stored body is found, and the section and the item are named (G4)")
    func flippedBit() throws {
        try folder.outside { db in
            let body = try #require(try Data.fetchOne(db, sql: "SELECT body FROM item WHERE id = 'm2'"))
            var bytes = [UInt8](body)
            bytes[2] ^= 0x10
            try db.execute(sql: "UPDATE item SET body = ? WHERE id = 'm2'", arguments: [Data(bytes)])
        }
        let mirror = try openMirror(.file(folder.mirror))
        let reports = try mirror.verify()
        #expect(reports.count == 1)
        #expect(reports.first?.screen == "home")
        #expect(reports.first?.locale == "en")
        #expect(reports.first?.section == "rank")
        #expect(reports.first?.expected == rank.sum)
        #expect(reports.first?.found.map { $0 != rank.sum } == true)
        #expect(reports.first?.detail.contains("m2") == true)
        let view = try #require(try mirror.view(home))
        #expect(view.damaged == ["rank"])
        #expect(view.sections["rank"] == nil)
        #expect(hasSameContent(view.sections["tiles"], tiles))
    }

    @Test("A damaged section is mended by writing it without a base")
    func mended() throws {
        try folder.outside { try $0.execute(sql: "UPDATE item SET body = x'00' WHERE id = 'm2'") }
        let mirror = try openMirror(.file(folder.mirror))
        try mirror.commitRank(base: nil, target: rank, at: 2)
        #expect(try mirror.verify().isEmpty)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], rank))
    }

    @Test(
        "Whatever of a section is changed is found, and the section is left out",
        arguments: [
            "UPDATE item SET id = 'other' WHERE id = 'm2'",
            "UPDATE item SET kind = 2 WHERE id = 'm2'",
            "UPDATE item SET kind = -1 WHERE id = 'm2'",
            "UPDATE item SET subject = 'movie/9' WHERE id = 'm2'",
            "UPDATE section SET head = x'01' WHERE name = 'rank'",
            "UPDATE section SET sum = sum + 1 WHERE name = 'rank'",
            "UPDATE section SET item_order = x'ff' WHERE name = 'rank'",
            "UPDATE section SET item_order = x'01' WHERE name = 'rank'",
            "UPDATE section SET item_order = NULL WHERE name = 'rank'",
            "UPDATE section SET item_order = CAST(item_order || item_order AS BLOB) WHERE name = 'rank'",
            "DELETE FROM item WHERE id = 'm2'",
            """
            INSERT INTO item (section, id, kind, subject, body_hash)
            SELECT section, 'm9', kind, subject, body_hash FROM item WHERE id = 'm2'
            """,
        ])
    func everything(_ sql: String) throws {
        try folder.outside { try $0.execute(sql: sql) }
        let mirror = try openMirror(.file(folder.mirror))
        #expect(try mirror.verify().map(\.section) == ["rank"])
        let view = try #require(try mirror.view(home))
        #expect(view.damaged == ["rank"])
        #expect(Array(view.sections.keys) == ["tiles"])
    }

    @Test(
        "A view whose own list, position or parameters are damaged is as good as not stored, and verify names it",
        arguments: [
            "UPDATE section SET head = x'01' WHERE name = ''",
            "DELETE FROM section WHERE name = ''",
            "UPDATE view SET cut = x'00'",
            "UPDATE view SET parameters = '{'",
        ])
    func damagedList(_ sql: String) throws {
        try folder.outside { try $0.execute(sql: sql) }
        let mirror = try openMirror(.file(folder.mirror))
        #expect(try mirror.view(home) == nil)
        #expect(try mirror.verify().map(\.section) == [""])
        #expect(try mirror.views().map(\.id) == [home])
    }

    @Test("A wrong body hash that was stored does not matter: hashes are recomputed from bytes")
    func storedHash() throws {
        try folder.outside { try $0.execute(sql: "UPDATE item SET body_hash = 1") }
        let mirror = try openMirror(.file(folder.mirror))
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], rank))
    }

    @Test("An intact mirror verifies, also for a process that may only read while another owns it")
    func readOnly() throws {
        let owner = try openMirror(.file(folder.mirror))
        let reader = try Mirror(readOnlyAt: folder.mirror)
        #expect(try reader.verify().isEmpty)
        #expect(reader.identity == owner.identity)
        try owner.commitRank(base: rank, target: tiles, at: 2)
        #expect(hasSameContent(try reader.view(home)?.sections["rank"], tiles))
        let error = #expect(throws: MirrorError.self) {
            try reader.setFavorite(subject: "movie/1", on: true, at: 0)
        }
        #expect(error?.code == .io)
        owner.close()
        #expect(try Mirror(readOnlyAt: folder.mirror).verify().isEmpty)
    }
}
