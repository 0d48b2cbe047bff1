import Foundation
import GRDB
import MarqueeModel
import Testing

@testable import MarqueeStore

/// When a backup becomes a store, and what remains if it doesn't.
@Suite struct RestoreTests {
    @Test func `A folder with a store is replaced only on request`() throws {
        try withBackup { backup, folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.setFavorite("episode/9", .of(1, 2))
            try store.close()
            let error = #expect(throws: StoreError.self) { try Backup.restore(backup, into: folder) { _ in true } }
            #expect(error?.code == .exists)
            #expect(try favorites(in: folder) == ["episode/1", "episode/9"])
            _ = try Backup.restore(backup, into: folder, replacing: true) { _ in true }
            #expect(try favorites(in: folder) == ["episode/1"])
        }
    }

    @Test func `A folder in use is refused`() throws {
        try withBackup { backup, folder throws in
            let store = try SQLiteStore(folder: folder)
            let error = #expect(throws: StoreError.self) {
                try Backup.restore(backup, into: folder, replacing: true) { _ in true }
            }
            #expect(error?.code == .ownedByOther)
            #expect(try store.favoriteSubjects() == ["episode/1"])
            try store.close()
        }
    }

    @Test func `The old store's write-ahead log is not applied to the new one`() throws {
        try withBackup { backup, folder throws in
            try withFolder { crashed throws in
                let store = try SQLiteStore(folder: folder)
                try store.setFavorite("episode/9", .of(1, 2))
                try store.commit(Sample.page(9))
                // As a process that died would leave it, with its logs.
                try FileManager.default.copyItem(atPath: folder, toPath: crashed)
                try store.close()
                #expect(FileManager.default.fileExists(atPath: "\(crashed)/users.sqlite-wal"))
                _ = try Backup.restore(backup, into: crashed, replacing: true) { _ in true }
                #expect(try favorites(in: crashed) == ["episode/1"])
            }
        }
    }

    /// Checking, users and catalogue each ask once whether to continue.
    @Test(arguments: 0..<3)
    func `A restore stopped early leaves the old store`(_ calls: Int) throws {
        try withBackup { backup, folder throws in
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(endedEarly(backup, into: folder, replacing: true, after: calls) == .cancelled)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
            #expect(try favorites(in: folder) == ["episode/1"])
        }
    }

    @Test(arguments: 0..<3)
    func `A restore stopped early leaves no new folder`(_ calls: Int) throws {
        try withBackup { backup, _ throws in
            try withFolder { new throws in
                #expect(endedEarly(backup, into: new, replacing: false, after: calls) == .cancelled)
                #expect(!FileManager.default.fileExists(atPath: new))
            }
        }
    }

    @Test func `A restore stopped early leaves an empty folder empty`() throws {
        try withBackup { backup, _ throws in
            try withFolder { new throws in
                try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: true)
                #expect(endedEarly(backup, into: new, replacing: false, after: 2) == .cancelled)
                #expect(try FileManager.default.contentsOfDirectory(atPath: new) == ["owner.lock"])
                _ = try Backup.restore(backup, into: new) { _ in true }
                #expect(try favorites(in: new) == ["episode/1"])
            }
        }
    }

    @Test func `A process that dies before the decision leaves the old store`() throws {
        try withBackup { backup, folder throws in
            let made = try RestoredFiles(folder: folder).begin()
            try BackupReader(file: backup) { _ in true }.restore(.users, into: made, epoch: 7)
            try addFavorite(in: folder)
            #expect(try favorites(in: folder) == ["episode/1", "episode/9"])
            #expect(!FileManager.default.fileExists(atPath: made))
        }
    }

    /// The process dies between any two of the renames that put the files in place, each with the old files' logs still
    /// there.
    @Test(arguments: 0...2)
    func `A process that dies after the decision leaves the new store`(_ inPlace: Int) throws {
        try withBackup { backup, folder throws in
            try addFavorite(in: folder)
            let files = RestoredFiles(folder: folder)
            let made = try files.begin()
            let reader = BackupReader(file: backup) { _ in true }
            for log in StoreLog.allCases { try reader.restore(log, into: made, epoch: 7) }
            let decided = "\(folder)/restore.complete"
            try FileManager.default.moveItem(atPath: made, toPath: decided)
            for (index, log) in StoreLog.allCases.enumerated() {
                if index < inPlace {
                    try FileSystem.rename(log.path(in: decided), to: log.path(in: folder))
                } else {
                    try Data("a log of the old file".utf8).write(to: URL(filePath: log.path(in: folder) + "-wal"))
                }
            }
            #expect(throws: StoreError.self) { try Backup.save(folder, to: "\(folder).new") { _ in true } }
            let store = try SQLiteStore(folder: folder)
            #expect(try store.catalogueHead() == LogHead(epoch: 7, revision: 3))
            #expect(try store.userHead("mina") == LogHead(epoch: 7, revision: 1))
            #expect(try store.favoriteSubjects() == ["episode/1"])
            try store.close()
            #expect(!FileManager.default.fileExists(atPath: decided))
            // Nothing is left to resolve the next time.
            try addFavorite(in: folder)
            #expect(try favorites(in: folder) == ["episode/1", "episode/9"])
        }
    }

    @Test func `A backup overtaken by a restore is refused`() throws {
        try withBackup { backup, folder throws in
            var calls = 0
            var restored: BackupSummary?
            let error = #expect(throws: StoreError.self) {
                try Backup.save(folder, to: "\(folder).new") { _ in
                    calls += 1
                    if calls == 1 {
                        restored = try? Backup.restore(backup, into: folder, replacing: true) { _ in true }
                    }
                    return true
                }
            }
            #expect(error?.code == .ownedByOther)
            #expect(restored != nil)
            let expected = [URL(filePath: backup).lastPathComponent]
            #expect(try neighbours(of: folder) == expected)
        }
    }

    private func endedEarly(
        _ backup: String, into folder: String, replacing: Bool, after calls: Int
    ) -> StoreError.Code? {
        var remaining = calls
        let error = #expect(throws: StoreError.self) {
            try Backup.restore(backup, into: folder, replacing: replacing) { _ in
                remaining -= 1
                return remaining >= 0
            }
        }
        return error?.code
    }

    private func favorites(in folder: String) throws -> Set<String> {
        let store = try SQLiteStore(folder: folder)
        defer { try? store.close() }
        return try store.favoriteSubjects()
    }

    private func addFavorite(in folder: String) throws {
        let store = try SQLiteStore(folder: folder)
        try store.setFavorite("episode/9", .of(9, 1))
        try store.close()
    }
}
