import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeStore

/// Damage that SQLite takes for content.
@Suite struct RottenFileTests {
    private func fill(_ folder: String) throws {
        let store = try SQLiteStore(folder: folder)
        try store.commit(Sample.everything, key: "all")
        try store.commit(.episode("3", "Heat"), .remove(.episode("2")))
        for number in 1...30 as ClosedRange<UInt64> {
            try store.setFavorite("episode/\(number)", .of(1, number))
            try store.setFavorite("show/\(number)", of: "jun", .of(2, number))
        }
        try store.setFavorite("episode/3", on: false, .of(1, 31))
        try store.close()
    }

    /// Everything a store returns, except search results: the index is derived from the catalogue and has no sums.
    private func content(of folder: String) throws -> [String] {
        let store = try SQLiteStore(folder: folder)
        defer { try? store.close() }
        var lines = [store.cluster, "\(try store.catalogueHead())"]
        lines += try store.snapshotChanges().map { String(decoding: ChangeCoding.encode([$0]), as: UTF8.self) }
        lines += try store.commits(after: 0, limit: 100).map {
            "\($0.revision) \($0.key ?? "") \(String(decoding: ChangeCoding.encode($0.changes), as: UTF8.self))"
        }
        for user in ["mina", "jun"] {
            let (head, favorites) = try store.members(of: user)
            lines.append("\(user) \(head) \(favorites.sorted { $0.subject < $1.subject })")
        }
        for client in [1, 2] as [UInt8] {
            lines.append("\(try store.lastMutation(of: MutationID.of(client, 0).client) ?? 0)")
        }
        // The kept answers, each requested again.
        lines += try (20...31 as ClosedRange<UInt64>).map { number in
            let subject = number == 31 ? "episode/3" : "episode/\(number)"
            return "\(String(describing: try store.setFavorite(subject, on: number != 31, .of(1, number))))"
        }
        return lines
    }

    @Test(arguments: ["users.sqlite", "catalogue.sqlite"])
    func `A flipped byte is found or harmless`(_ file: String) throws {
        try withFolder { folder throws in
            try fill(folder)
            let path = "\(folder)/\(file)"
            let whole = try #require(FileManager.default.contents(atPath: path))
            let original = try content(of: folder)
            #expect(try Verification(folder: folder).isSound)
            try whole.write(to: URL(filePath: path))
            // Zero bytes are mostly unused.
            let used = whole.indices.filter { whole[$0] != 0 }
            var random = SeededGenerator(seed: 7)
            var (found, harmless) = (0, 0)
            let flips = Extent.of(60, full: 240)
            for _ in 0..<flips {
                var damaged = whole
                let byte = try #require(used.randomElement(using: &random))
                damaged[byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                try damaged.write(to: URL(filePath: path))
                for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
                var isNamed = false
                do { isNamed = try !Verification(folder: folder).isSound } catch is StoreError { isNamed = true }
                do {
                    // Anything read is either right or refused.
                    let seen = try content(of: folder)
                    if seen == original { harmless += 1 } else { #expect(isNamed, "byte \(byte) of \(file)") }
                } catch is StoreError {
                    found += 1
                }
            }
            print("\(file): of \(flips) flipped bytes \(found) were refused, \(harmless) were harmless")
            // Some bytes of a file are never read, but more than a third must matter, or the test proves nothing.
            #expect(found > flips / 3)
        }
    }

    @Test func `Lost favorites are named, refused and not built on`() throws {
        for sql in [
            "DELETE FROM member WHERE user = 'mina' AND subject = 'episode/7'",
            "UPDATE member SET subject = 'episode/77' WHERE user = 'mina' AND subject = 'episode/7'",
            "DELETE FROM member WHERE user = 'mina'", "DELETE FROM user_log WHERE name = 'mina'",
        ] {
            try withFolder { folder throws in
                try fill(folder)
                try tamper(folder, "users.sqlite", sql)
                let verification = try Verification(folder: folder)
                #expect(verification.findings.map(\.what).contains("the collections of 'mina'"), "\(sql)")
                let store = try SQLiteStore(folder: folder)
                let error = #expect(throws: StoreError.self) { try store.members(of: "mina") }
                #expect(error?.code == .corrupt)
                #expect(error?.message.contains("the collections of 'mina'") == true)
                // Only what builds on the damage fails.
                let outcomes = try store.write([
                    .favorite(user: "mina", subject: "episode/99", on: true, mutation: .of(1, 99)),
                    .favorite(user: "jun", subject: "episode/99", on: true, mutation: .of(2, 99)),
                ])
                guard case .failed(let failure)? = outcomes.first else {
                    Issue.record("\(outcomes)")
                    return
                }
                #expect(failure.code == .corrupt)
                #expect(outcomes.last == .done(revision: 31, changed: true))
                #expect(try store.members(of: "jun").members.count == 31)
                try store.close()
            }
        }
    }

    @Test(arguments: [
        "DELETE FROM record WHERE id = '3'", "UPDATE record SET bytes = x'0A0133' WHERE id = '3'",
        "UPDATE list_entry SET number = 99 WHERE key = 'item 2'", "DELETE FROM list_entry WHERE key = 'item 2'",
        "UPDATE table_sum SET rows = rows + 1 WHERE name = 'record'",
    ])
    func `A catalogue that differs from what was written is not served`(_ sql: String) throws {
        try withFolder { folder throws in
            try fill(folder)
            try tamper(folder, "catalogue.sqlite", sql)
            #expect(try !Verification(folder: folder).isSound)
            let store = try SQLiteStore(folder: folder)
            let error = #expect(throws: StoreError.self) { try store.snapshotChanges() }
            #expect(error?.code == .corrupt)
            try store.close()
        }
    }

    @Test func `A merge into a damaged record fails`() throws {
        try withFolder { folder throws in
            try fill(folder)
            try tamper(folder, "catalogue.sqlite", "UPDATE record SET bytes = x'0A0133' WHERE id = '3'")
            let store = try SQLiteStore(folder: folder)
            let outcome = try store.commit(.merge(.episode("3"), .bytes([0x30, 9]), clear: []))
            guard case .failed(let error)? = outcome else {
                Issue.record("\(String(describing: outcome))")
                return
            }
            #expect(error.code == .corrupt)
            #expect(try store.catalogueHead().revision == 2)
            try store.close()
        }
    }

    @Test func `A log that lacks a commit is refused at the start`() throws {
        try withFolder { folder throws in
            try fill(folder)
            try tamper(folder, "catalogue.sqlite", "DELETE FROM commit_log WHERE revision = 2")
            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder) }
            #expect(error?.code == .corrupt)
        }
    }

    @Test func `A served folder is verified without being changed`() throws {
        try withFolder { folder throws in
            try fill(folder)
            let store = try SQLiteStore(folder: folder)
            try store.setFavorite("episode/99", .of(1, 99))
            let verification = try Verification(folder: folder)
            #expect(verification.isSound)
            #expect(verification.rows > 100)
            try store.setFavorite("episode/98", .of(1, 100))
            try store.close()
        }
    }
}

/// A data folder that disappears from under a store.
@Suite struct LostFolderTests {
    @Test(arguments: ["moved", "deleted", "replaced file", "deleted log"])
    func `Nothing is confirmed once the folder is gone`(_ how: String) throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.setFavorite("episode/1", .of(1, 1))
            try store.checkFolder()
            let files = FileManager.default
            defer { try? files.removeItem(atPath: folder + ".away") }
            switch how {
            case "moved": try files.moveItem(atPath: folder, toPath: folder + ".away")
            case "deleted": try files.removeItem(atPath: folder)
            case "replaced file":
                try files.copyItem(atPath: "\(folder)/users.sqlite", toPath: "\(folder)/copy")
                try #require(rename("\(folder)/copy", "\(folder)/users.sqlite") == 0)
            default: try files.removeItem(atPath: "\(folder)/users.sqlite-wal")
            }
            #expect(throws: StoreError.self) { try store.checkFolder() }
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try store.setFavorite("episode/2", .of(1, 2)) }
                #expect(error?.code == .lost)
                #expect(error?.message.contains(folder) == true)
            }
            if how == "moved" {
                try files.moveItem(atPath: folder + ".away", toPath: folder)
                #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 2, changed: true))
            }
            try? store.close()
        }
    }

    @Test func `Some disk space is reserved for the next start`() throws {
        try withFolder { folder throws in
            try SQLiteStore(folder: folder).close()
            let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/reserve")[.size] as? Int
            #expect(size == DiskReserve.bytes)
        }
    }
}
