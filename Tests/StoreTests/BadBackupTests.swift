import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeStore

/// Files that aren't backups, or have been altered.
@Suite struct BadBackupTests {
    @Test func `A backup by a newer Marquee is refused, and the message says so`() throws {
        try withBackup { backup, _ throws in
            try change(backup, "PRAGMA user_version = 99")
            let error = refusal(of: backup)
            #expect(error?.code == .foreignFile)
            #expect(error?.message.contains("newer Marquee") == true)
        }
    }

    @Test func `A backup of a file with a newer schema is refused, and the message says so`() throws {
        try withBackup { backup, _ throws in
            try change(backup, "UPDATE store_file SET schema = 99 WHERE name = 'catalogue.sqlite'")
            let error = refusal(of: backup)
            #expect(error?.code == .foreignFile)
            #expect(error?.message.contains("newer Marquee") == true)
        }
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER INSERT ON x BEGIN DELETE FROM x; END", "DROP TABLE kept", "ATTACH 'y' AS z",
    ])
    func `A statement that doesn't create a table is not run`(_ statement: String) throws {
        let table = BackupTable(
            log: .users, name: "x", columns: ["y"], statements: "CREATE TABLE x (y);\n\(statement)")
        let queue = try DatabaseQueue()
        try queue.inDatabase { db in
            try db.execute(sql: "CREATE TABLE kept (z)")
            let error = #expect(throws: StoreError.self) { try table.make(db, file: "a.backup") }
            #expect(error?.code == .corrupt)
            #expect(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master ORDER BY name") == ["kept", "x"])
        }
    }

    @Test func `A file of another kind is refused`() throws {
        try withBackup { backup, folder throws in
            #expect(refusal(of: "\(folder)/users.sqlite")?.code == .foreignFile)
            #expect(refusal(of: "\(folder)/catalogue.sqlite")?.message.contains("not a Marquee backup") == true)
            #expect(refusal(of: folder)?.code == .foreignFile)
            #expect(refusal(of: "\(folder)/nowhere")?.code == .missing)
            try Data().write(to: URL(filePath: backup))
            #expect(refusal(of: backup)?.message.contains("is empty") == true)
            try Data(String(repeating: "no database. ", count: 1_000).utf8).write(to: URL(filePath: backup))
            #expect(refusal(of: backup)?.code == .foreignFile)
        }
    }

    @Test(arguments: [
        "UPDATE users_member SET subject = 'episode/3' WHERE subject = 'episode/2'",
        "DELETE FROM users_member WHERE subject = 'episode/2'",
        "INSERT INTO users_member VALUES ('mina', 'favorites', 'episode/3', NULL, 1, 0)",
        "UPDATE users_meta SET value = 'other' WHERE name = 'cluster'",
        "DELETE FROM catalogue_commit_log", "DROP TABLE catalogue_record",
        "ALTER TABLE users_member DROP COLUMN subject",
        "DELETE FROM part WHERE table_name = 'catalogue_record'", "DELETE FROM store_file",
        "UPDATE store_file SET schema = 0",
        "UPDATE part SET statements = statements || ' '", "ALTER TABLE catalogue_record RENAME COLUMN bytes TO body",
        "UPDATE part SET hash = hash + 1", "DROP TABLE part",
        "UPDATE catalogue_record SET bytes = NULL",
    ])
    func `Content that differs from what was saved is refused`(_ sql: String) throws {
        try withBackup { backup, _ throws in
            try change(backup, sql)
            #expect(refusal(of: backup)?.code == .corrupt)
        }
    }

    @Test func `Rows that no store accepts are refused even if their hash is right`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.commit(.programme("text"))
            try store.close()
            let sum = RowSum.of(RowBytes([.integer(2), .text("another")]))
            try change(
                "\(folder)/catalogue.sqlite",
                """
                PRAGMA ignore_check_constraints = ON; INSERT INTO programme (id, text, sum) VALUES (2, 'another', \(sum))
                """)
            defer { unlink("\(folder).backup") }
            _ = try Backup.save(folder, to: "\(folder).backup") { _ in true }
            #expect(refusal(of: "\(folder).backup")?.code == .corrupt)
        }
    }

    @Test func `A truncated backup is refused`() throws {
        try withBackup { backup, _ throws in
            let whole = try #require(FileManager.default.contents(atPath: backup))
            var lengths = Array(stride(from: 512, to: whole.count, by: 4_096)) + [1, 99, 100, whole.count - 1]
            lengths += stride(from: 4_096, to: whole.count, by: 4_096)
            for length in lengths {
                try whole.prefix(length).write(to: URL(filePath: backup))
                let code = refusal(of: backup)?.code
                #expect(
                    code == .corrupt || code == .foreignFile,
                    "\(length) of \(whole.count) bytes: \(String(describing: code))")
            }
        }
    }

    /// A flip in an unused byte, such as in the middle of a page, may go unnoticed; the restored content is then the
    /// same.
    @Test func `A flipped bit is found or harmless`() throws {
        try withBackup { backup, folder throws in
            let whole = try #require(FileManager.default.contents(atPath: backup))
            let original = try content(of: folder)
            // Zero bytes are mostly unused.
            let used = whole.indices.filter { whole[$0] != 0 }
            var random = SeededGenerator(seed: 42)
            var found = 0
            for _ in 0..<120 {
                var damaged = whole
                let byte = try #require(used.randomElement(using: &random))
                let bit = Int.random(in: 0..<8, using: &random)
                damaged[byte] ^= 1 << UInt8(bit)
                try damaged.write(to: URL(filePath: backup))
                try withFolder { restored throws in
                    do {
                        _ = try Backup.restore(backup, into: restored) { _ in true }
                        #expect(try content(of: restored) == original, "bit \(bit) of byte \(byte)")
                    } catch let error as StoreError {
                        #expect([.corrupt, .foreignFile].contains(error.code), "bit \(bit) of byte \(byte): \(error)")
                        #expect(!FileManager.default.fileExists(atPath: restored))
                        found += 1
                    }
                }
            }
            #expect(found > 100)
        }
    }

    /// Everything that must be restored.
    private func content(of folder: String) throws -> [String] {
        func json(_ changes: [Change]) throws -> String {
            String(decoding: ChangeCoding.encode(changes), as: UTF8.self)
        }
        let store = try SQLiteStore(folder: folder)
        defer { try? store.close() }
        let favorites = try ["mina", "jun"].map { try "\(store.members(of: $0).members)" }
        let last = try ([1, 2] as [UInt8]).map {
            try "\(String(describing: store.lastMutation(of: MutationID.of($0, 0).client)))"
        }
        return try [
            store.cluster, json(store.snapshotChanges()),
        ] + store.commits(after: 0, limit: 10).map { try "\($0.revision) \($0.key ?? "") \(json($0.changes))" }
            + favorites + last
    }

    private func refusal(of backup: String) -> StoreError? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-store-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let error = #expect(throws: StoreError.self) { try Backup.restore(backup, into: folder) { _ in true } }
        #expect(!FileManager.default.fileExists(atPath: folder))
        return error
    }

    private func change(_ file: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}
