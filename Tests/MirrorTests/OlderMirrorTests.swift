import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

/// Mirrors of version 2, which knew favorites and no other collection.
@Suite("Mirrors that knew only favorites")
struct OlderMirrorTests {
    private let folder: TemporaryFolder
    private let set = ViewID(screen: "user-collections", locale: "en")

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Mirror {
        try Mirror(location: .file(folder.mirror), newClientID: { Array(repeating: 7, count: 16) })
    }

    /// Three favorites in the outbox, one of them sent, one refused, and the screen of those that are confirmed.
    private func fill() throws -> (outbox: [OutboxEntry], rejections: [RejectedMutation]) {
        let mirror = try open()
        defer { mirror.close() }
        try mirror.bind(cluster: "c", user: "mia")
        for number in 1...4 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: number != 2, at: 1) }
        try mirror.markSent([1])
        try mirror.rejected(number: 3, code: nil, reason: "no")
        let list = Version(head: [], items: [Item(id: "set", kind: .section, body: [])])
        let members = Version(
            head: [], items: [Item(id: "movie/9", kind: .member, subject: "movie/9", body: [0x08, 1])])
        try mirror.commit(
            MirrorTransaction(
                cut: Cut(userEpoch: 1, userRevision: 1), savedAt: 1,
                views: [ViewWrite(id: set, list: (nil, list), sections: [("set", nil, members)])]))
        return (try mirror.outbox(), try mirror.rejections())
    }

    /// Makes the file what version 2 wrote.
    private func makeOlder(and change: String = "") throws {
        try folder.outside { db in
            try db.execute(
                sql:
                    "DROP TABLE observation; DROP TABLE inbox; DROP INDEX outbox_answered; DROP INDEX outbox_subject; ALTER TABLE rejection DROP COLUMN code"
            )
            for table in ["outbox", "rejection"] {
                try db.execute(
                    sql: "ALTER TABLE \(table) DROP COLUMN collection; ALTER TABLE \(table) DROP COLUMN value")
            }
            try db.execute(sql: "UPDATE view SET screen = 'favorite-set' WHERE screen = 'user-collections'")
            for (table, columns) in [
                ("outbox", "number, subject, is_on, state, created_at, cut, changed"),
                ("rejection", "number, subject, is_on, reason, created_at"),
                ("view", "screen, locale, parameters, cut, saved_at"),
            ] {
                for row in try Row.fetchAll(db, sql: "SELECT rowid AS place, \(columns) FROM \(table)") {
                    try db.execute(
                        sql: "UPDATE \(table) SET sum = ? WHERE rowid = ?",
                        arguments: [RowSum.of(Array(row.databaseValues.dropFirst())), row["place"] as Int64])
                }
            }
            try db.execute(
                sql: """
                    CREATE INDEX outbox_subject ON outbox (subject);
                    CREATE INDEX outbox_answered ON outbox (number) WHERE state = 2;
                    PRAGMA user_version = 2;
                    \(change)
                    """)
        }
    }

    @Test func `Waiting and refused changes and the confirmed favorites are carried over`() throws {
        let (outbox, rejections) = try fill()
        #expect(outbox.map(\.number) == [1, 2, 4])
        try makeOlder()
        var mirror = try open()
        #expect(mirror.recovery == nil)
        #expect(try mirror.outbox() == outbox)
        #expect(try mirror.rejections() == rejections)
        #expect(try mirror.view(set)?.sections["set"]?.items.map(\.subject) == ["movie/9"])
        let entry = try mirror.setMember("episode/1", of: "progress", on: true, value: 7, at: 2)
        #expect(entry.number == 5)
        #expect(try mirror.outbox() == outbox + [entry])
        mirror.close()
        mirror = try open()
        #expect(try mirror.outbox() == outbox + [entry])
        mirror.close()
    }

    @Test func `The upgrade doesn't make a damaged row look intact, and keeps the others`() throws {
        let (outbox, _) = try fill()
        try makeOlder(and: "UPDATE outbox SET subject = 'movie/5' WHERE number = 4")
        let mirror = try open()
        #expect(mirror.recovery?.rescuedMutations == 2)
        #expect(try mirror.outbox() == outbox.filter { $0.number != 4 })
        mirror.close()
    }
}
