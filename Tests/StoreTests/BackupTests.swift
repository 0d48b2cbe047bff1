import Foundation
import GRDB
import MarqueeModel
import Testing

@testable import MarqueeStore

/// The contents of a backup, and when a file exists.
@Suite struct BackupTests {
    @Test func `A restore brings everything back under new epochs`() throws {
        try withFolder { folder throws in
            let first = try SQLiteStore(folder: folder)
            try first.commit(Sample.everything, key: "all", mutation: .of(1, 1))
            try first.commit(Sample.page(99))
            try first.setFavorite("episode/1", .of(1, 2))
            try first.setFavorite("episode/2", of: "jun", .of(2, 7))
            let (cluster, head, userHead) = (first.cluster, try first.catalogueHead(), try first.userHead("mina"))
            let (commits, snapshot) = (try first.commits(after: 0, limit: 10), try first.snapshotChanges())
            try first.close()
            let saved = try Backup.save(folder, to: "\(folder).backup") { _ in true }
            defer { unlink("\(folder).backup") }

            try withFolder { other throws in
                let restored = try Backup.restore("\(folder).backup", into: other) { _ in true }
                #expect(restored == saved)
                let store = try SQLiteStore(folder: other)
                #expect(store.cluster == cluster)
                #expect(try store.catalogueHead().revision == head.revision)
                #expect(try store.catalogueHead().epoch != head.epoch)
                #expect(try store.userHead("mina").revision == userHead.revision)
                #expect(try store.userHead("mina").epoch != userHead.epoch)
                #expect(try store.commits(after: 0, limit: 10) == commits)
                #expect(try store.snapshotChanges() == snapshot)
                #expect(try store.favoriteSubjects(of: "jun") == ["episode/2"])
                #expect(try store.search("기생충", in: .podcasts, offset: 0, limit: 10).ids.contains(.episode("full")))
                #expect(try store.lastMutation(of: MutationID.of(2, 0).client) == 7)
                #expect(try store.setFavorite("episode/1", .of(1, 2)) == .repeated(revision: 1, changed: true))
                #expect(try store.commit(Sample.page(7), key: "all") == .keyReused)
                #expect(try store.setFavorite("episode/3", .of(1, 3)) == .done(revision: 2, changed: true))
                #expect(try store.commit(Sample.page(7)) == .done(revision: 3, changed: true))
                try store.close()
            }
        }
    }

    @Test func `A damaged folder is not saved, and the row is named`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.commit(Sample.types, .episode("7"))
            try store.close()
            try tamper(folder, "catalogue.sqlite", "UPDATE record SET bytes = x'0A0138'")
            defer { unlink("\(folder).backup") }
            let error = #expect(throws: StoreError.self) {
                try Backup.save(folder, to: "\(folder).backup") { _ in true }
            }
            #expect(error?.code == .corrupt)
            #expect(error?.message.contains("catalogue.sqlite is damaged: the row 'episode 7' of record") == true)
            #expect(!FileManager.default.fileExists(atPath: "\(folder).backup"))
        }
    }

    @Test func `The summary says what the backup contains`() throws {
        try withBackup { backup, _ throws in
            try withFolder { folder throws in
                let summary = try Backup.restore(backup, into: folder) { _ in true }
                #expect(summary.counts.of("episode") == 3)
                #expect(summary.revision == 3)
                #expect(summary.users == 2)
                #expect(summary.favorites == 2)
                #expect(summary.made.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
            }
        }
    }

    @Test func `Restoring twice gives two histories`() throws {
        try withBackup { backup, _ throws in
            var epochs: Set<UInt64> = []
            for _ in 1...2 {
                try withFolder { folder throws in
                    _ = try Backup.restore(backup, into: folder) { _ in true }
                    let store = try SQLiteStore(folder: folder)
                    try epochs.formUnion([store.catalogueHead().epoch, store.userHead("mina").epoch])
                    try store.close()
                }
            }
            #expect(epochs.count == 4)
        }
    }

    @Test func `A store that is written to during a backup is saved as of each file's first read`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.commit(Sample.types)
            _ = try store.write(
                (1...600).flatMap { number -> [StoreWrite] in
                    [
                        .catalogue(key: nil, changes: [.episode("\(number)")], mutation: nil),
                        .favorite(user: "mina", subject: "episode/\(number)", on: true, mutation: .of(1, number)),
                    ]
                })
            var number: UInt64 = 600
            var steps: [BackupProgress.Step] = []
            let summary = try Backup.save(folder, to: "\(folder).backup") { progress in
                steps.append(progress.step)
                number += 1
                let isWritten =
                    (try? store.setFavorite("episode/\(number)", .of(1, number))) != nil
                    && (try? store.commit(.episode("\(number)"))) != nil
                return isWritten
            }
            defer { unlink("\(folder).backup") }
            // The first call comes after the users' file is first read and before the catalogue's.
            let beforeCatalogue = steps.prefix { $0 == .users }.count
            #expect(beforeCatalogue > 2)
            #expect(summary.favorites == 600)
            #expect(summary.revision == 601 + beforeCatalogue)
            #expect(summary.counts.of("episode") == 600 + beforeCatalogue)
            #expect(try store.favoriteSubjects().count == Int(number))
            try store.close()
        }
    }

    @Test func `Progress reaches its total`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            _ = try store.write(
                (1...300).map { .catalogue(key: nil, changes: [Sample.page($0)], mutation: nil) })
            try store.close()
            var last: [BackupProgress.Step: BackupProgress] = [:]
            _ = try Backup.save(folder, to: "\(folder).backup") { progress in
                #expect(progress.rows <= progress.rowsTotal)
                last[progress.step] = progress
                return true
            }
            defer { unlink("\(folder).backup") }
            let catalogue = try #require(last[.catalogue])
            // One more row for the epoch, one that says whether there is a log beside the file, and one per table for
            // its sum.
            let rows = 602 + StoreLog.catalogue.summedTables.count
            #expect(catalogue.rowsTotal == rows)
            #expect(catalogue.rows == 512)
            // The users' file has the cluster, too.
            #expect(last[.checking]?.rowsTotal == rows + 3 + StoreLog.users.summedTables.count)
        }
    }

    @Test func `An existing file is replaced only on request`() throws {
        try withBackup { backup, folder throws in
            let before = try #require(FileManager.default.contents(atPath: backup))
            let error = #expect(throws: StoreError.self) { try Backup.save(folder, to: backup) { _ in true } }
            #expect(error?.code == .exists)
            #expect(FileManager.default.contents(atPath: backup) == before)
            let store = try SQLiteStore(folder: folder)
            try store.commit(.episode("4"))
            try store.close()
            #expect(try Backup.save(folder, to: backup, replacing: true) { _ in true }.counts.of("episode") == 4)
            #expect(try neighbours(of: backup) == [])
        }
    }

    @Test func `A backup stopped early leaves what was there before`() throws {
        try withBackup { backup, folder throws in
            let before = try #require(FileManager.default.contents(atPath: backup))
            for calls in 0..<3 {
                var remaining = calls
                let error = #expect(throws: StoreError.self) {
                    try Backup.save(folder, to: backup, replacing: true) { _ in
                        remaining -= 1
                        return remaining >= 0
                    }
                }
                #expect(error?.code == .cancelled)
                #expect(FileManager.default.contents(atPath: backup) == before)
                #expect(try neighbours(of: backup) == [])
            }
        }
    }

    @Test func `Only its owner may read a backup`() throws {
        try withBackup { backup, _ throws in
            let mode = try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `A symbolic link is followed and kept`() throws {
        try withBackup { backup, folder throws in
            let link = "\(folder).link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: backup)
            defer { unlink(link) }
            _ = try Backup.save(folder, to: link, replacing: true) { _ in true }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == backup)
            #expect(try neighbours(of: link) == [])
        }
    }

    @Test func `Anything but a data folder or a file is refused`() throws {
        try withBackup { backup, folder throws in
            func code(_ folder: String, _ file: String) -> StoreError.Code? {
                #expect(throws: StoreError.self) { try Backup.save(folder, to: file, replacing: true) { _ in true } }?
                    .code
            }
            #expect(code("\(folder)/nowhere", "\(folder).new") == .missing)
            try FileManager.default.createDirectory(atPath: "\(folder)/empty", withIntermediateDirectories: true)
            #expect(code("\(folder)/empty", "\(folder).new") == .missing)
            #expect(code(folder, "\(folder)/nowhere/file") == .missing)
            #expect(code(folder, "\(folder)/empty") == .invalid)
            #expect(code(folder, "\(folder)/users.sqlite") == .invalid)
            #expect(code(folder, "\(folder)/catalogue.copy") == .invalid)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/empty") == [])
            #expect(!FileManager.default.fileExists(atPath: "\(folder).new"))
            #expect(try SQLiteStore(folder: folder).favoriteSubjects() == ["episode/1"])
        }
    }
}

/// Runs `body` with the path of a backup of three episodes and two users' favorites, and with the folder it was made
/// from.
func withBackup(_ body: (_ backup: String, _ folder: String) throws -> Void) throws {
    try withFolder { folder throws in
        let store = try SQLiteStore(folder: folder)
        try store.commit(Sample.types, Sample.episode, .episode("2"), Sample.page(1))
        try store.commit(.episode("1"), key: "one")
        try store.commit(Sample.day("01", "1", "2"), .show(list: "daily", edition: "01"))
        try store.setFavorite("episode/1", .of(1, 1))
        try store.setFavorite("episode/2", of: "jun", .of(2, 1))
        try store.close()
        let backup = "\(folder).backup"
        defer { unlink(backup) }
        _ = try Backup.save(folder, to: backup) { _ in true }
        try body(backup, folder)
    }
}

/// Files whose names start with that of `file`, such as an unfinished one.
func neighbours(of file: String) throws -> [String] {
    let url = URL(fileURLWithPath: file)
    let names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
    return names.filter { $0.hasPrefix(url.lastPathComponent) && $0 != url.lastPathComponent }
}
