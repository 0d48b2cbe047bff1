import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel
import SeededRandom
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

    @Test func `A flipped bit in a stored body is found, and its section and item are named (G4)`() throws {
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
        // The sum still proves the other items.
        #expect(view.proven.keys.sorted() == ["rank"])
        #expect(hasSameContent(view.proven["rank"], version([item(1), item(3)])))
    }

    @Test(
        arguments: [
            "UPDATE item SET id = 'other' WHERE id = 'm2'", "UPDATE item SET subject = 'movie/9' WHERE id = 'm2'",
            "UPDATE item SET body_hash = body_hash + 1 WHERE id = 'm2'", "DELETE FROM item WHERE id = 'm2'",
            "UPDATE section SET head = x'01' WHERE name = 'rank'",
        ])
    func `Nothing is proven of a section if anything but bodies has changed (G4)`(_ sql: String) throws {
        // A body as well, so that the section is certainly damaged.
        try folder.outside { db in
            try db.execute(sql: "UPDATE item SET body = x'00' WHERE id = 'm1'")
            try db.execute(sql: sql)
        }
        let view = try #require(try openMirror(.file(folder.mirror)).view(home))
        #expect(view.damaged == ["rank"] && view.proven.isEmpty)
    }

    @Test func `A damaged section is repaired by writing it without a base`() throws {
        try folder.outside { try $0.execute(sql: "UPDATE item SET body = x'00' WHERE id = 'm2'") }
        let mirror = try openMirror(.file(folder.mirror))
        try mirror.commitRank(base: nil, target: rank, at: 2)
        #expect(try mirror.verify().isEmpty)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], rank))
    }

    @Test(
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
    func `Any change to a section is found, and the section is left out`(_ sql: String) throws {
        try folder.outside { try $0.execute(sql: sql) }
        let mirror = try openMirror(.file(folder.mirror))
        #expect(try mirror.verify().map(\.section) == ["rank"])
        let view = try #require(try mirror.view(home))
        #expect(view.damaged == ["rank"])
        #expect(Array(view.sections.keys) == ["tiles"])
    }

    @Test(
        arguments: [
            "UPDATE section SET head = x'01' WHERE name = ''",
            "DELETE FROM section WHERE name = ''",
            "UPDATE view SET cut = x'00'",
            "UPDATE view SET parameters = '{'",
            "UPDATE view SET parameters = '[ ]'",
            "UPDATE view SET saved_at = 2",
            "UPDATE view SET cut = randomblob(32)",
        ])
    func `A view with a damaged list, position or parameters counts as not stored, and is named`(_ sql: String) throws {
        try folder.outside { try $0.execute(sql: sql) }
        let mirror = try openMirror(.file(folder.mirror))
        #expect(try mirror.view(home) == nil)
        #expect(try mirror.verify().map(\.section) == [""])
        #expect(try mirror.views().map(\.id) == [home])
    }

    @Test func `A wrong stored body hash doesn't matter: hashes are recomputed from bytes`() throws {
        try folder.outside { try $0.execute(sql: "UPDATE item SET body_hash = 1") }
        let mirror = try openMirror(.file(folder.mirror))
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], rank))
    }

    @Test func `An intact mirror verifies, even read-only while another process owns it`() throws {
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

    @Test func `An interrupted transaction is rolled back for a read-only process, and isn't damage`() throws {
        try openMirror(.file(folder.mirror)).close()
        let hot = folder.mirror + "-hot"
        let queue = try DatabaseQueue(path: folder.mirror)
        try queue.writeWithoutTransaction { db in
            // With a tiny cache, pages reach the file before the commit, as they do when a process is killed during
            // one.
            try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN IMMEDIATE")
            try db.execute(sql: "UPDATE item SET body = zeroblob(length(body)); CREATE TABLE filler (bytes BLOB)")
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO filler VALUES (randomblob(2000))") }
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: folder.mirror + suffix, toPath: hot + suffix)
            }
            try db.execute(sql: "ROLLBACK")
        }
        try queue.close()
        let reader = try Mirror(readOnlyAt: hot)
        #expect(try reader.verify().isEmpty)
        #expect(hasSameContent(try reader.view(home)?.sections["rank"], rank))
    }

    @Test func `What is left of a damaged section is a base for its repair, and isn't shown`() throws {
        try folder.outside { try $0.execute(sql: "UPDATE item SET body = x'00' WHERE id = 'm2'") }
        let content = try #require(try openMirror(.file(folder.mirror)).content(of: home))
        #expect(Array(content.bases.keys) == ["rank"])
        #expect(content.bases["rank"]?.items.map(\.id) == ["m1", "m2", "m3"])
        #expect(content.bases["rank"]?.items[1].body == [0])
        #expect(content.bases["rank"]?.sum != rank.sum)
        #expect(content.shown?.sections["rank"] == nil)
    }

    @Test func `If a view's own list or position is damaged, every section is a base`() throws {
        for damage in ["UPDATE section SET head = x'01' WHERE name = ''", "UPDATE view SET cut = randomblob(32)"] {
            try folder.outside { try $0.execute(sql: damage) }
            let mirror = try openMirror(.file(folder.mirror))
            let content = try #require(try mirror.content(of: home))
            #expect(content.shown == nil)
            #expect(content.bases["rank"]?.sum == rank.sum)
            #expect(content.bases["tiles"]?.sum == tiles.sum)
            #expect(content.bases[""] != nil)
            mirror.close()
        }
    }

    @Test func `A section whose name rotted is the base of the missing one`() throws {
        try folder.outside { try $0.execute(sql: "UPDATE section SET name = 'sank' WHERE name = 'rank'") }
        let content = try #require(try openMirror(.file(folder.mirror)).content(of: home))
        #expect(content.shown?.damaged == ["rank"])
        #expect(content.bases["rank"]?.sum == rank.sum)
        #expect(content.bases["sank"]?.sum == rank.sum)
    }

    @Test func `The scrub finds damage since opening step by step, and memory repairs it`() throws {
        let mirror = try openMirror(.file(folder.mirror))
        var cursor = ScrubCursor()
        #expect(try mirror.scrub(&cursor).isEmpty)
        #expect(cursor.rounds == 1)
        try folder.outside { try $0.execute(sql: "UPDATE item SET body = x'00' WHERE id = 'm2'") }
        let found = try mirror.scrub(&cursor)
        #expect(found.map(\.view) == [home])
        #expect(found.map(\.section) == ["rank"])
        try mirror.rewrite(home, ["rank": rank])
        #expect(try mirror.scrub(&cursor).isEmpty)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], rank))
    }

    @Test func `A step of the scrub reads no more than its bound, and all steps together everything`() throws {
        let mirror = try openMirror(.file(folder.mirror))
        let large = String(repeating: "x", count: 65_000)
        let names = (0..<40).map { "s\($0)" }
        try mirror.commit(
            MirrorTransaction(
                cut: cut(2), savedAt: 2,
                views: [
                    ViewWrite(
                        id: ViewID(screen: "large", locale: "en"),
                        list: (nil, version(names.map { Item(id: $0, kind: .section, body: []) })),
                        sections: names.map { ($0, nil, version([item(1, body: large)])) })
                ]))
        var cursor = ScrubCursor()
        var steps = 0
        while cursor.rounds == 0 {
            _ = try mirror.scrub(&cursor)
            steps += 1
        }
        #expect(steps == 1 + 40 * 65_002 / MirrorLimit.scrubBytes)
    }

    @Test func `Whichever page is malformed, what can be read is kept, and what is shown is right`() throws {
        var mirror = try openMirror(.file(folder.mirror))
        let wide = version((0..<400).map { item($0, body: String(repeating: "w", count: 40)) })
        try mirror.commitRank(base: rank, target: wide, at: 2)
        _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
        mirror.close()
        let whole = try #require(FileManager.default.contents(atPath: folder.mirror))
        let pages = whole.count / 4_096
        #expect(pages > 10)
        var kept = 0
        for page in 1..<pages {
            var bytes = whole
            bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0xA5, count: 4_096))
            try bytes.write(to: URL(fileURLWithPath: folder.mirror))
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.mirror + suffix) }
            mirror = try openMirror(.file(folder.mirror))
            if let view = try mirror.view(home) {
                #expect(
                    view.sections.allSatisfy { $0.key == "rank" ? $0.value.sum == wide.sum : $0.value.sum == tiles.sum }
                )
                kept += 1
            }
            #expect(try mirror.outbox().allSatisfy { $0.subject == "movie/1" && $0.on })
            mirror.close()
        }
        #expect(kept > pages / 2)
    }

    @Test func `Whichever bit of the file flips, nothing wrong is shown or sent, and the mirror opens`() throws {
        var mirror = try openMirror(.file(folder.mirror))
        for number in 1...4 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        let shown = try #require(try mirror.view(home))
        mirror.close()
        let whole = try #require(FileManager.default.contents(atPath: folder.mirror))
        var random = SeededGenerator(seed: 20_261_121)
        for _ in 0..<Extent.of(100, full: 400) {
            var bytes = whole
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try bytes.write(to: URL(fileURLWithPath: folder.mirror))
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.mirror + suffix) }
            do {
                mirror = try openMirror(.file(folder.mirror))
            } catch {
                // This damages the file's own mark: the file is taken for another program's and left alone.
                #expect(error.code == .foreignFile && place < 100, "byte \(place): \(error)")
                continue
            }
            if let view = try mirror.view(home) {
                #expect(view.cut == shown.cut && view.savedAt == shown.savedAt, "byte \(place)")
                for (name, version) in view.sections {
                    #expect(hasSameContent(version, shown.sections[name]), "byte \(place), section \(name)")
                }
            }
            for entry in try mirror.outbox() {
                #expect(entry.on && entry.subject == "movie/\(entry.number)", "byte \(place)")
            }
            mirror.close()
        }
    }
}
