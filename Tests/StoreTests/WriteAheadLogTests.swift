import Foundation
import GRDB
import MarqueeModel
import Testing

@testable import MarqueeStore

/// Store files with and without the logs that have their newest commits.
@Suite struct WriteAheadLogTests {
    private static let names = StoreLog.allCases.map(\.fileName)

    /// Copies some files of a folder to another one.
    private func copy(_ folder: String, to other: String, _ files: [String]) throws {
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        for file in files where FileManager.default.fileExists(atPath: "\(folder)/\(file)") {
            try FileManager.default.copyItem(atPath: "\(folder)/\(file)", toPath: "\(other)/\(file)")
        }
    }

    /// Runs `body` with a copy of a folder that is in use, and has a commit in each of its logs.
    private func withCopy(of files: [String], _ body: (_ copy: String, _ store: SQLiteStore) throws -> Void) throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.commit(Sample.page(1))
            try store.setFavorite("episode/1", .of(1, 1))
            try withFolder { other throws in
                try copy(folder, to: other, files)
                try body(other, store)
            }
            try store.close()
        }
    }

    @Test(arguments: [[], ["newest"], ["newest", "catalogue.sqlite-wal"]])
    func `A folder that was copied without a log isn't sound, and is neither served nor saved`(more: [String]) throws {
        try withCopy(of: Self.names + more) { copy, _ throws in
            let found = try Verification(folder: copy).findings.map(\.description)
            #expect(found.contains { $0.contains("users.sqlite lacks its newest commits") }, "\(found)")
            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: copy) }
            #expect(error?.code == .corrupt)
            // The first file that lacks one is named.
            let missing = more.contains("catalogue.sqlite-wal") ? "users.sqlite-wal" : ".sqlite-wal"
            #expect(error?.message.contains(missing) == true)
            #expect(throws: StoreError.self) { try Backup.save(copy, to: "\(copy).backup") { _ in true } }
            #expect(throws: StoreError.self) { try StoredCatalogue.collections(in: copy) }
        }
    }

    @Test func `With new epochs, the folder can be served without the missing commits`() throws {
        try withCopy(of: Self.names + ["newest"]) { copy, store throws in
            // The folder is this process's own until then.
            do {
                let epochs = try SQLiteEpochs(of: copy)
                #expect(epochs.state == FolderState(revision: 0, users: 0))
                try epochs.renew()
            }
            #expect(try Verification(folder: copy).isSound)
            let other = try SQLiteStore(folder: copy)
            #expect(try other.favoriteSubjects() == [])
            #expect(try other.userHead("mina").epoch != store.userHead("mina").epoch)
            #expect(try other.catalogueHead().epoch != store.catalogueHead().epoch)
            #expect(other.cluster == store.cluster)
            try other.setFavorite("episode/2", .of(1, 2))
            try other.close()
            #expect(try Verification(folder: copy).isSound)
        }
    }

    @Test func `A folder that was copied whole, as after a crash, is sound`() throws {
        try withCopy(of: Self.names + ["users.sqlite-wal", "catalogue.sqlite-wal"]) { copy, _ throws in
            #expect(try Verification(folder: copy).isSound)
            let other = try SQLiteStore(folder: copy)
            #expect(try other.favoriteSubjects() == ["episode/1"])
            try other.close()
        }
    }

    /// Such as `sqlite3 users.sqlite`, which removes the log when it ends.
    @Test func `A folder stays sound if another program moves the commits after a crash`() throws {
        try withCopy(of: Self.names + ["newest", "users.sqlite-wal", "catalogue.sqlite-wal"]) { copy, _ throws in
            for name in Self.names {
                let queue = try DatabaseQueue(path: "\(copy)/\(name)")
                _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM meta") }
                try queue.close()
                #expect(!FileManager.default.fileExists(atPath: "\(copy)/\(name)-wal"))
            }
            #expect(try Verification(folder: copy).isSound)
            let other = try SQLiteStore(folder: copy)
            #expect(try other.favoriteSubjects() == ["episode/1"])
            try other.close()
        }
    }

    @Test func `After a clean close, the store files alone are complete`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.setFavorite("episode/1", .of(1, 1))
            #expect(try #require(store.writeAheadBytes(of: .users)) > 0)
            try store.close()
            #expect(store.writeAheadBytes(of: .users) == nil)
            try withFolder { other throws in
                try copy(folder, to: other, Self.names)
                #expect(try Verification(folder: other).isSound)
                let again = try SQLiteStore(folder: other)
                #expect(try again.favoriteSubjects() == ["episode/1"])
                try again.close()
            }
        }
    }

    @Test func `A folder that is restored from a backup of one in use needs no log`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.setFavorite("episode/1", .of(1, 1))
            _ = try Backup.save(folder, to: "\(folder).backup") { _ in true }
            defer { unlink("\(folder).backup") }
            try withFolder { other throws in
                _ = try Backup.restore("\(folder).backup", into: other) { _ in true }
                #expect(try Verification(folder: other).isSound)
                try SQLiteStore(folder: other).close()
            }
            try store.close()
        }
    }
}
