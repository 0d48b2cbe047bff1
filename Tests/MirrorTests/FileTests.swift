import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

@Suite("The mirror's file")
struct FileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws(MirrorError) -> Mirror { try openMirror(.file(folder.mirror)) }

    @Test func `The file is a WAL database whenever opened, and outbox writes are synchronous (G7)`() throws {
        for _ in 0..<2 {
            let mirror = try open()
            try mirror.commitRank(base: nil, target: version([item(1)]))
            _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
            let settings = try mirror.opened().read {
                (try String.fetchOne($0, sql: "PRAGMA journal_mode"), try Int.fetchOne($0, sql: "PRAGMA synchronous"))
            }
            #expect(settings == ("wal", 2))
            mirror.close()
        }
    }

    @Test func `Only its owner can read a mirror and what is beside it, in any folder, and one of an older version`()
        throws
    {
        let files = FileManager.default
        let place = "\(folder.path)/state"
        try files.createDirectory(
            atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        for _ in 0..<2 {
            let mirror = try open()
            _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
            _ = try MirrorGate(.companion, of: folder.mirror)
            SuspectMark(folder.mirror).set("a test")
            for suffix in ["", "-wal", "-shm", ".lock", ".gate", ".suspect"] {
                let name = folder.mirror + suffix
                let mode = try files.attributesOfItem(atPath: name)[.posixPermissions] as? NSNumber
                #expect((mode?.intValue ?? 0o777) & 0o077 == 0, "\(name) has \(String(mode?.intValue ?? 0, radix: 8))")
            }
            try SuspectMark(folder.mirror).remove()
            mirror.close()
            #expect(chmod(folder.mirror, 0o604) == 0)
        }
    }

    @Test func `Identity, outbox, refusals and counters survive reopening`() throws {
        var mirror = try open()
        #expect(mirror.identity == MirrorIdentity(cluster: nil, user: nil, clientID: clientID))
        try mirror.bind(cluster: "c", user: "mia")
        _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
        _ = try mirror.setFavorite(subject: "movie/2", on: false, at: 2.5)
        try mirror.markSent([1])
        try mirror.answered(number: 1, cut: cut(1, user: 1), changed: false)
        try mirror.commit(MirrorTransaction(cut: cut(3), savedAt: 0))
        let before = try (mirror.identity, mirror.outbox(), mirror.answeredThrough, mirror.lastNumber)
        mirror.close()
        mirror = try Mirror(location: .file(folder.mirror)) { [UInt8](repeating: 1, count: 16) }
        #expect(mirror.identity == before.0)
        #expect(try mirror.outbox() == before.1)
        #expect((mirror.answeredThrough, mirror.lastNumber) == (before.2, before.3))
        #expect(mirror.seen == cut(3))
        #expect(mirror.recovery == nil)
    }

    @Test func `A mirror stays with the cluster and user it was first bound to`() throws {
        var mirror = try open()
        try mirror.bind(cluster: "c", user: "mia")
        mirror.close()
        mirror = try open()
        try mirror.bind(cluster: "c", user: "mia")
        let others: [(String, String?, MirrorError.Code)] = [
            ("d", "mia", .belongsToOtherCluster), ("c", "ben", .belongsToOtherUser), ("c", nil, .belongsToOtherUser),
        ]
        for (cluster, user, code) in others {
            let error = #expect(throws: MirrorError.self) { try mirror.bind(cluster: cluster, user: user) }
            #expect(error?.code == code)
        }
        #expect(mirror.identity.user == "mia")
    }

    @Test func `A client id has 16 bytes, and a renewed one is stored`() throws {
        let refused = #expect(throws: MirrorError.self) { try Mirror(location: .memory) { [1, 2] } }
        #expect(refused?.code == .limit)
        var mirror = try open()
        let other = [UInt8](repeating: 3, count: 16)
        _ = try mirror.renumber(.all, newClientID: other)
        mirror.close()
        mirror = try open()
        #expect(mirror.identity.clientID == other)
    }

    @Test func `A second owner is refused, naming the process, until the first closes or lets go`() throws {
        var first: Mirror? = try open()
        let error = #expect(throws: MirrorError.self) { try open() }
        #expect(error?.code == .ownedByOther)
        #expect(error?.message.contains("process \(getpid())") == true)
        first?.close()
        first = try open()
        #expect(first != nil)
        first = nil
        _ = try open()
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func `A closed mirror is free at once, even if a process being started still has its files`() throws {
        let mirror = try open()
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
                .hasSuffix("\(URL(filePath: folder.path).lastPathComponent)/state/mirror.sqlite.lock") == true
        }
        let copies = descriptors.compactMap { Int32($0) }.map { dup($0) }
        #expect(copies.count == 1)
        mirror.close()
        _ = try open()
        for copy in copies { _ = FileHandle(fileDescriptor: copy, closeOnDealloc: true) }
    }

    @Test func `A closed mirror says so`() throws {
        let mirror = try open()
        mirror.close()
        mirror.close()
        let error = #expect(throws: MirrorError.self) { try mirror.outbox() }
        #expect(error?.code == .closed)
    }

    @Test func `A mirror that is no longer a database is set aside under a new name and replaced`() throws {
        try open().close()
        for number in 1...2 {
            try Data("not a database \(number)".utf8).write(to: URL(fileURLWithPath: folder.mirror))
            let mirror = try open()
            let aside = folder.mirror + ".corrupt-\(number)"
            #expect(mirror.recovery?.setAside == aside)
            #expect(mirror.recovery?.keptIdentity == false)
            #expect(FileManager.default.contents(atPath: aside) == Data("not a database \(number)".utf8))
            try mirror.commitRank(base: nil, target: version([item(1)]))
            mirror.close()
        }
    }

    @Test func `The client's id, numbers and outbox are rescued from a malformed file`() throws {
        var mirror = try open()
        try mirror.bind(cluster: "c", user: "mia")
        try mirror.commitRank(base: nil, target: version((0..<2_000).map { item($0) }))
        for number in 1...3 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        try mirror.markSent([1])
        try mirror.rejected(number: 3, code: "notAllowed", reason: "no")
        let outbox = try mirror.outbox()
        mirror.close()
        try overwriteItems()

        let reports = try Mirror(readOnlyAt: folder.mirror).verify()
        #expect(reports.contains { $0.screen.isEmpty })
        #expect(reports.contains { $0.section == "rank" })
        mirror = try Mirror(location: .file(folder.mirror)) { [UInt8](repeating: 1, count: 16) }
        let recovery = try #require(mirror.recovery)
        #expect(recovery.setAside == folder.mirror + ".corrupt-1")
        #expect(recovery.keptIdentity)
        #expect(recovery.rescuedMutations == 2)
        #expect(mirror.identity == MirrorIdentity(cluster: "c", user: "mia", clientID: clientID))
        #expect(try mirror.outbox() == outbox)
        #expect(try mirror.rejections().map(\.number) == [3])
        #expect(try mirror.rejections().map(\.code) == ["notAllowed"])
        #expect(mirror.lastNumber == 3)
        #expect(mirror.seen == cut(1))
        #expect(recovery.rescuedViews == 1)
        #expect(try mirror.view(home) == nil)
        #expect(try mirror.verify().map(\.section) == ["", "rank"])
        #expect(try folder.names().contains("mirror.sqlite.corrupt-1"))
        #expect(try !folder.names().contains("mirror.sqlite.new"))
    }

    /// Overwrites the root page of the table of items.
    private func overwriteItems() throws {
        let page = try folder.outside { db in
            try #require(try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'item'"))
        }
        let size = try folder.outside { try #require(try Int.fetchOne($0, sql: "PRAGMA page_size")) }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.mirror))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size))
        try file.close()
    }

    @Test func `Only the outbox entry that can't be understood is lost`() throws {
        var mirror = try open()
        for number in 1...3 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        mirror.close()
        try folder.outside { try $0.execute(sql: "UPDATE outbox SET state = 2 WHERE number = 2") }
        mirror = try open()
        #expect(mirror.recovery?.rescuedMutations == 2)
        #expect(try mirror.outbox().map(\.number) == [1, 3])
        #expect(mirror.lastNumber == 3)
    }

    @Test(arguments: ["mirror", "owner"])
    func `The owner is stored twice, so either copy may be lost`(_ table: String) throws {
        var mirror = try open()
        try mirror.bind(cluster: "c", user: "mia")
        for number in 1...2 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        try mirror.markSent([1])
        let outbox = try mirror.outbox()
        mirror.close()
        try folder.outside { try $0.execute(sql: "UPDATE \(table) SET client_id = randomblob(16)") }
        mirror = try Mirror(location: .file(folder.mirror)) { [UInt8](repeating: 1, count: 16) }
        #expect(mirror.identity == MirrorIdentity(cluster: "c", user: "mia", clientID: clientID))
        #expect(try mirror.outbox() == outbox)
        #expect(mirror.lastNumber == 2)
    }

    @Test func `Without its client id, an outbox's unsent entries get a new one; the rest are reported`() throws {
        var mirror = try open()
        for number in 1...2 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        _ = try mirror.setMember("episode/1", of: "progress", on: true, value: 7, at: 1)
        for number in 3...4 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        try mirror.markSent([1, 2, 3])
        try mirror.answered(number: 1, cut: cut(1, user: 1), changed: true)
        mirror.close()
        try folder.outside { try $0.execute(sql: "DELETE FROM mirror; DELETE FROM owner") }
        let other = [UInt8](repeating: 1, count: 16)
        mirror = try Mirror(location: .file(folder.mirror)) { other }
        #expect(mirror.recovery?.keptIdentity == false)
        #expect(mirror.recovery?.lostMutations == 2)
        #expect(mirror.identity.clientID == other)
        #expect(try mirror.outbox().map(\.subject) == ["movie/3", "movie/4"])
        #expect(try mirror.outbox().map(\.number) == [1, 2])
        #expect(try mirror.rejections().map(\.subject) == ["movie/2", "episode/1"])
        #expect(try mirror.rejections().map(\.collection) == [.favorites, "progress"])
        #expect(try mirror.rejections().map(\.value) == [nil, 7])
    }

    @Test(arguments: ["subject = 'movie/9'", "is_on = 0", "state = 1", "number = 7"])
    func `A changed outbox entry is never sent: it alone is lost, and reported`(_ change: String) throws {
        var mirror = try open()
        for number in 1...3 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        mirror.close()
        try folder.outside { try $0.execute(sql: "UPDATE outbox SET \(change) WHERE number = 2") }
        mirror = try open()
        #expect(mirror.recovery?.lostMutations == 1)
        #expect(try mirror.outbox().map(\.subject) == ["movie/1", "movie/3"])
    }

    @Test func `A file named by mistake is refused each time, stays untouched, and gets nothing beside it`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: true)
        try Data("shopping list".utf8).write(to: URL(fileURLWithPath: folder.mirror))
        for _ in 0..<2 {
            let error = #expect(throws: MirrorError.self) { try open() }
            #expect(error?.code == .foreignFile)
            #expect(error?.message.contains("not a mirror") == true)
            #expect(try folder.names() == ["mirror.sqlite"])
        }
    }

    @Test func `A mirror written by an older version is upgraded and keeps everything`() throws {
        var mirror = try open()
        try mirror.bind(cluster: "c", user: "mia")
        try mirror.commitRank(base: nil, target: version([item(1)]))
        for number in 1...2 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        try mirror.rejected(number: 2, code: "limit", reason: "no")
        let outbox = try mirror.outbox()
        mirror.close()
        try folder.outside { db in
            try db.execute(
                sql: """
                    DROP TABLE owner; DROP TABLE incident; DROP TABLE inbox; DROP TABLE observation; DROP INDEX outbox_answered; DROP INDEX outbox_subject;
                    ALTER TABLE mirror DROP COLUMN last_answered;
                    PRAGMA user_version = 1
                    """)
            for table in ["mirror", "view", "outbox", "rejection"] {
                try db.execute(sql: "ALTER TABLE \(table) DROP COLUMN sum")
            }
            try db.execute(sql: "ALTER TABLE rejection DROP COLUMN code")
            for table in ["outbox", "rejection"] {
                try db.execute(
                    sql: "ALTER TABLE \(table) DROP COLUMN collection; ALTER TABLE \(table) DROP COLUMN value")
            }
            try db.execute(sql: "CREATE INDEX outbox_subject ON outbox (subject)")
        }
        let early = #expect(throws: MirrorError.self) { try Mirror(readOnlyAt: folder.mirror) }
        #expect(early?.message.contains("older version") == true)
        mirror = try open()
        #expect(mirror.recovery == nil)
        #expect(mirror.identity == MirrorIdentity(cluster: "c", user: "mia", clientID: clientID))
        #expect(try mirror.outbox() == outbox)
        #expect(try mirror.rejections().map(\.subject) == ["movie/2"])
        #expect(try mirror.view(home)?.sections["rank"]?.items.count == 1)
        mirror.close()
        #expect(try open().recovery == nil)
    }

    @Test func `A recovery interrupted before its last step is finished by the next opening`() throws {
        let mirror = try open()
        _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
        let outbox = try mirror.outbox()
        mirror.close()
        try FileManager.default.moveItem(atPath: folder.mirror, toPath: folder.mirror + ".new")
        #expect(try open().outbox() == outbox)
    }

    @Test func `The number of corrupt files kept is bounded`() throws {
        for _ in 0..<MirrorLimit.setAsideFiles + 2 {
            try open().close()
            try Data("garbage".utf8).write(to: URL(fileURLWithPath: folder.mirror))
        }
        try open().close()
        #expect(try folder.names().filter { $0.contains("corrupt") }.count == MirrorLimit.setAsideFiles)
    }

    @Test(arguments: ["PRAGMA application_id = 77; CREATE TABLE t (a)", "CREATE TABLE t (a)"])
    func `Another program's database is refused and left untouched`(_ sql: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: true)
        try folder.outside { try $0.execute(sql: sql) }
        let before = FileManager.default.contents(atPath: folder.mirror)
        let error = #expect(throws: MirrorError.self) { try open() }
        #expect(error?.code == .foreignFile)
        #expect(throws: MirrorError.self) { try Mirror(readOnlyAt: folder.mirror) }
        #expect(FileManager.default.contents(atPath: folder.mirror) == before)
        #expect(try Set(folder.names()).isSubset(of: ["mirror.sqlite", "mirror.sqlite.lock"]))
    }

    @Test func `A mirror of a newer version is refused and left untouched`() throws {
        try open().close()
        try folder.outside { try $0.execute(sql: "PRAGMA user_version = \(MirrorSchema.version + 1)") }
        let error = #expect(throws: MirrorError.self) { try open() }
        #expect(error?.code == .foreignFile)
        #expect(error?.message.contains("version \(MirrorSchema.version + 1)") == true)
        #expect(try folder.names().filter { $0.contains("corrupt") }.isEmpty)
    }

    @Test func `Reading where there is no mirror says so and creates none`() throws {
        let error = #expect(throws: MirrorError.self) { try Mirror(readOnlyAt: folder.mirror) }
        #expect(error?.code == MirrorError.Code.none)
        #expect(!FileManager.default.fileExists(atPath: folder.mirror))
    }

    @Test func `A mirror whose creation was interrupted counts as absent, and the next opening creates it`() throws {
        // The file and its journal as a crash leaves them in the middle of the first transaction, with and without the
        // first page.
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: folder.mirror).deletingLastPathComponent(), withIntermediateDirectories: true)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: folder.path + "/begun.sqlite", configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA cache_size = 5; BEGIN; PRAGMA application_id = \(MirrorSchema.applicationID)")
            // More than the cache can hold, so that pages are written before the end.
            try db.execute(sql: "CREATE TABLE t (x)")
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO t VALUES (zeroblob(3000))") }
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: folder.path + "/begun.sqlite" + suffix, toPath: folder.mirror + suffix)
            }
            try db.execute(sql: "ROLLBACK")
        }
        try queue.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.mirror)).count > 4_096)
        let names = try folder.names()
        #expect(throws: MirrorError.self) { try Mirror(readOnlyAt: folder.mirror) }
        do {
            _ = try Mirror(readOnlyAt: folder.mirror)
        } catch {
            #expect(error.code == MirrorError.Code.none)
            #expect(error.message.contains("interrupted"))
        }
        #expect(try folder.names() == names)
        let mirror = try open()
        #expect(mirror.recovery == nil)
        mirror.close()
        try Mirror(readOnlyAt: folder.mirror).close()

        try FileManager.default.removeItem(atPath: folder.mirror)
        try Data().write(to: URL(fileURLWithPath: folder.mirror))
        let empty = #expect(throws: MirrorError.self) { try Mirror(readOnlyAt: folder.mirror) }
        #expect(empty?.code == MirrorError.Code.none)
    }

    @Test func `A folder that can't be created is an error that names it`() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/state"))
        let error = #expect(throws: MirrorError.self) { try open() }
        #expect(error?.code == .io)
        #expect(error?.message.contains("/state") == true)
    }
}
