import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

/// Requirements that only a store on disk has.
@Suite struct SQLiteStoreTests {
    @Test func `Reopening keeps everything`() throws {
        try withFolder { folder in
            let first = try SQLiteStore(folder: folder)
            try first.commit(Sample.everything, key: "all", mutation: .of(1, 1))
            try first.setFavorite("episode/1", .of(1, 2))
            let (cluster, head, userHead) = (first.cluster, try first.catalogueHead(), try first.userHead("mina"))
            let commits = try first.commits(after: 0, limit: 10)
            try first.close()

            let second = try SQLiteStore(folder: folder)
            #expect(second.cluster == cluster)
            #expect(try second.catalogueHead() == head)
            #expect(try second.userHead("mina") == userHead)
            #expect(try second.commits(after: 0, limit: 10) == commits)
            #expect(try second.snapshotChanges() == Sample.everything)
            #expect(try second.favoriteSubjects() == ["episode/1"])
            #expect(try second.lastMutation(of: MutationID.of(1, 0).client) == 2)
            #expect(try second.setFavorite("episode/1", .of(1, 2)) == .repeated(revision: 1, changed: true))
            #expect(try second.commit(Sample.everything, key: "all") == .done(revision: 1, changed: false))
            #expect(try second.commit(Sample.page(99), key: "all") == .keyReused)
            try second.close()
        }
    }

    @Test func `Only its owner can read the files of a folder that was made for everybody, and older ones`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            for _ in 0..<2 {
                let store = try SQLiteStore(folder: folder)
                try store.commit(Sample.everything, key: "all", mutation: .of(1, 1))
                try store.setFavorite("episode/1", .of(1, 2))
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(names.contains("users.sqlite-wal") && names.contains("users.sqlite-shm"), "\(names)")
                for name in names {
                    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                    let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
                    #expect(mode & 0o077 == 0, "\(name) has \(String(mode, radix: 8))")
                }
                try store.close()
                #expect(chmod("\(folder)/users.sqlite", 0o604) == 0)
            }
        }
    }

    /// A starting child process has a copy of every descriptor until it runs its program.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func `A closed store is free even while a child process starts`() throws {
        try withFolder { folder in
            let first = try SQLiteStore(folder: folder)
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
                    .hasSuffix("\(URL(filePath: folder).lastPathComponent)/owner.lock") == true
            }
            let copies = descriptors.compactMap { Int32($0) }.map { dup($0) }
            #expect(copies.count == 1)
            try first.close()
            try SQLiteStore(folder: folder).close()
            for copy in copies { _ = FileHandle(fileDescriptor: copy, closeOnDealloc: true) }
        }
    }

    @Test func `The history bound holds across reopening`() throws {
        try withFolder { folder in
            var limits = StoreLimits()
            limits.historyBytes = 100
            for id in 1...4 as ClosedRange<UInt64> {
                let store = try SQLiteStore(folder: folder, limits: limits)
                try store.commit(Sample.page(id))
                try store.close()
            }
            let store = try SQLiteStore(folder: folder, limits: limits)
            #expect(try store.commits(after: 2, limit: 10).map(\.revision) == [3, 4])
            #expect(throws: StoreError.self) { try store.commits(after: 1, limit: 10) }
            try store.close()
        }
    }

    @Test func `Bounds on commits and keys hold across reopening`() throws {
        try withFolder { folder in
            var limits = StoreLimits()
            limits.historyCommits = 2
            limits.commitKeys = 2
            for id in 1...4 as ClosedRange<UInt64> {
                let store = try SQLiteStore(folder: folder, limits: limits)
                try store.commit(Sample.page(id), key: "\(id)")
                try store.close()
            }
            let store = try SQLiteStore(folder: folder, limits: limits)
            #expect(try store.commits(after: 2, limit: 10).map(\.revision) == [3, 4])
            #expect(throws: StoreError.self) { try store.commits(after: 1, limit: 10) }
            #expect(try store.commit(Sample.page(9), key: "3") == .keyReused)
            #expect(try store.commit(Sample.page(9), key: "2") == .done(revision: 5, changed: true))
            try store.close()
        }
    }

    @Test func `A closed store is complete without its write-ahead logs`() throws {
        try withFolder { folder in
            let first = try SQLiteStore(folder: folder)
            try first.commit(Sample.everything)
            try first.setFavorite("episode/1", .of(1, 1))
            try first.close()
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) where !file.hasSuffix(".sqlite") {
                try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
            }
            let second = try SQLiteStore(folder: folder)
            #expect(try second.snapshotChanges() == Sample.everything)
            #expect(try second.favoriteSubjects() == ["episode/1"])
            try second.close()
        }
    }

    @Test func `Both files are durable`() throws {
        try withFolder { folder in
            let store = try SQLiteStore(folder: folder)
            try store.checkDurable()
            try store.close()
        }
    }

    @Test func `A rebuilt catalogue has a new epoch and keeps favorites`() throws {
        try withFolder { folder in
            let first = try SQLiteStore(folder: folder)
            try first.commit(Sample.page(1))
            try first.setFavorite("episode/1", .of(1, 1))
            let (cluster, epoch) = (first.cluster, try first.catalogueHead().epoch)
            try first.close()
            try FileManager.default.removeItem(atPath: "\(folder)/catalogue.sqlite")

            let second = try SQLiteStore(folder: folder)
            #expect(second.cluster == cluster)
            #expect(try second.catalogueHead().epoch != epoch)
            #expect(try second.catalogueHead().revision == 0)
            #expect(try second.favoriteSubjects() == ["episode/1"])
            try second.close()
        }
    }

    @Test func `A second owner is refused, and the error names the first`() throws {
        try withFolder { folder in
            let first = try SQLiteStore(folder: folder)
            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder) }
            #expect(error?.code == .ownedByOther)
            #expect(error?.message.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
            try first.close()
            let second = try SQLiteStore(folder: folder)
            try second.close()
        }
    }

    @Test func `The folder is free again once the store is released`() throws {
        try withFolder { folder in
            do { _ = try SQLiteStore(folder: folder) }
            try SQLiteStore(folder: folder).close()
        }
    }

    @Test(arguments: ["catalogue.sqlite", "users.sqlite"])
    func `Another program's database is refused and left alone`(_ name: String) throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let queue = try DatabaseQueue(path: "\(folder)/\(name)")
            try queue.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
            try queue.close()
            let before = FileManager.default.contents(atPath: "\(folder)/\(name)")

            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder) }
            #expect(error?.code == .foreignFile)
            #expect(error?.message.contains(name) == true)
            #expect(FileManager.default.contents(atPath: "\(folder)/\(name)") == before)
        }
    }

    @Test func `A file that is not a database is refused`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let text = Data(String(repeating: "not a database. ", count: 100).utf8)
            try text.write(to: URL(fileURLWithPath: "\(folder)/catalogue.sqlite"))
            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder) }
            #expect(error?.code == .foreignFile)
            #expect(FileManager.default.contents(atPath: "\(folder)/catalogue.sqlite") == text)
        }
    }

    @Test func `A file of a newer version is refused`() throws {
        try withFolder { folder in
            try SQLiteStore(folder: folder).close()
            try tamper(folder, "catalogue.sqlite", "PRAGMA user_version = 99")
            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder) }
            #expect(error?.code == .foreignFile)
            #expect(error?.message.contains("newer") == true)
        }
    }

    @Test func `A catalogue of an older version is refused, and favorites survive moving it away and importing again`()
        throws
    {
        try withFolder { folder in
            let store = try SQLiteStore(folder: folder)
            try store.setFavorite("episode/e1", .of(1, 1))
            try store.close()
            try tamper(folder, "catalogue.sqlite", "PRAGMA user_version = 5")
            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder) }
            #expect(error?.code == .foreignFile)
            #expect(error?.message.contains("an older Marquee: its schema is 5") == true)
            #expect(error?.message.contains("move it away and import again") == true)
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasPrefix("catalogue.") {
                try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
            }
            let again = try SQLiteStore(folder: folder)
            #expect(try again.catalogueHead().revision == 0)
            try again.commit(Sample.everything)
            #expect(try again.favoriteSubjects() == ["episode/e1"])
            try again.close()
        }
    }

    @Test func `A users' file of an older version is refused with advice`() throws {
        try withFolder { folder in
            try SQLiteStore(folder: folder).close()
            try tamper(folder, "users.sqlite", "PRAGMA user_version = 2")
            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder) }
            #expect(error?.message.contains("an older Marquee") == true)
            #expect(error?.message.contains("import into a new data folder") == true)
        }
    }

    @Test func `A file is not a data folder`() throws {
        try withFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder))
            let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder) }
            #expect(error?.code == .io)
            #expect(error?.message.contains(folder) == true)
        }
    }

    @Test func `On a full disk, writes without room fail and leave no trace`() throws {
        try withFolder { folder in
            var limits = StoreLimits()
            limits.fileBytes = 400_000
            let store = try SQLiteStore(folder: folder, limits: limits)
            try store.commit(Sample.types, .episode("1"))
            try store.setFavorite("episode/1", .of(1, 1))

            let long = String(repeating: "x", count: 65_000)
            let many = (2...20).map { Change.episode("\($0)", topics: [long]) }
            let outcomes = try store.write([
                .favorite(user: "mina", subject: "episode/2", on: true, mutation: .of(1, 2)),
                .catalogue(key: nil, changes: many, mutation: nil),
            ])
            #expect(outcomes.first == .done(revision: 2, changed: true))
            guard case .failed(let failure) = outcomes.last else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(failure.code == .diskFull)
            let error = #expect(throws: StoreError.self) { try store.commit(many) }
            #expect(error?.code == .diskFull)
            #expect(try store.catalogueHead().revision == 1)
            #expect(try store.snapshotChanges() == [Sample.types, .episode("1")])
            #expect(try store.favoriteSubjects() == ["episode/1", "episode/2"])
            #expect(try store.commit(.episode("3")) == .done(revision: 2, changed: true))
            try store.close()
        }
    }

    @Test(arguments: [
        "UPDATE record SET bytes = x'FF'", "UPDATE list_entry SET record = 'no subject'",
        "UPDATE list_shown SET edition = ''", "UPDATE pool_choice SET record = 'episode'",
        "UPDATE page SET sections = '[{}]'", "UPDATE types SET descriptors = x''",
        "UPDATE commit_log SET changes = '[{}]'",
    ])
    func `A value that this engine never writes is reported as damage`(_ sql: String) throws {
        try withFolder { folder in
            let first = try SQLiteStore(folder: folder)
            try first.commit(Sample.everything)
            try first.close()
            try tamper(folder, "catalogue.sqlite", sql)

            let store = try SQLiteStore(folder: folder)
            let error = #expect(throws: StoreError.self) {
                _ = try store.snapshotChanges()
                _ = try store.commits(after: 0, limit: 1)
            }
            #expect(error?.code == .corrupt)
            try store.close()
        }
    }

    @Test func `A snapshot stays at its revision while commits continue`() throws {
        try withFolder { folder in
            let store = try SQLiteStore(folder: folder)
            for id in 1...3 as ClosedRange<UInt64> { try store.commit(Sample.page(id)) }
            var changes: [Change] = []
            var failure: (any Error)?
            let head = try store.snapshot { change in
                do {
                    if changes.isEmpty { try store.commit(.removePage("3"), Sample.page(4)) }
                } catch {
                    failure = error
                }
                changes.append(change)
            }
            #expect(failure == nil)
            #expect(head.revision == 3)
            #expect(changes == (1...3).map { Sample.page($0) })
            #expect(try store.catalogueHead().revision == 4)
            try store.close()
        }
    }

}
