import Foundation
import GRDB

/// Opens one SQLite file of a data folder so that a commit survives a power cut.
struct StoreFile {
    private static let busySeconds = 5.0
    private static let readers = 4
    /// The write-ahead log is cut back to this after a checkpoint, so that one large import does not leave a large file.
    private static let journalBytes = 16 << 20
    private static let fullSynchronous = 2

    let path: String
    let schema: StoreSchema

    /// Creates the file where there is none, refuses one that is not ours, and opens it durably.
    /// - Parameter firstMeta: what a new file says of itself.
    func open(fileBytes: Int, firstMeta: [String: String]) throws(StoreError) -> DatabasePool {
        try StoreError.translating(path) {
            try prepare(firstMeta)
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                // GRDB has set NORMAL, which loses the newest commits when the power fails.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA fullfsync = ON")
                _ = try Int.fetchOne(db, sql: "PRAGMA journal_size_limit = \(StoreFile.journalBytes)")
                if fileBytes > 0 {
                    let pageBytes = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
                    let pages = max(1, fileBytes / max(1, pageBytes))
                    _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)")
                }
            }
            try StoreFile.checkDurable(pool, path)
            return pool
        }
    }

    /// Reads back what the writer's connection is set to.
    /// - Throws: `notDurable` when a commit could be lost.
    static func checkDurable(_ pool: DatabasePool, _ path: String) throws {
        let (journal, synchronous) = try pool.writeWithoutTransaction { db in
            (
                try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "",
                try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1
            )
        }
        guard journal == "wal", synchronous == fullSynchronous else {
            throw StoreError(
                .notDurable,
                "\(path) can't be opened durably: journal_mode is '\(journal)' and synchronous is \(synchronous), "
                    + "where 'wal' and \(fullSynchronous) are needed")
        }
    }

    /// Gives times to the clients of a file that only says in which order they were used, as files of version 0.1.0 did.
    static func dateClients(_ pool: DatabasePool, now: UInt64) throws {
        let now = Int64(clamping: now * 1_000)
        try pool.write { db in
            guard let last = try Int64.fetchOne(db, sql: "SELECT max(used) FROM mutation_client"),
                last < StoreFile.firstTime, last < now
            else { return }
            try db.execute(sql: "UPDATE mutation_client SET used = used + ?", arguments: [now - last])
        }
    }

    /// Less than any time in microseconds since 1970, and more than any number of mutations.
    private static let firstTime: Int64 = 1_000_000_000_000

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(StoreFile.busySeconds)
        configuration.maximumReaderCount = StoreFile.readers
        return configuration
    }

    /// Checks or makes the file while it is still in rollback mode, so that it is ours from its first page on and not only in a write-ahead log.
    private func prepare(_ firstMeta: [String: String]) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { db in
            if try StoreFile.isMade(db, schema, path) { try upgrade(db) } else { try create(db, firstMeta) }
        }
    }

    /// Whether a database is ours; `false` when it is nobody's, as it is empty.
    /// - Parameters:
    ///   - path: what messages call it.
    ///   - database: the name under which the connection knows it.
    /// - Throws: `foreignFile` when it belongs to another program, or to a newer version of this one.
    static func isMade(
        _ db: Database, _ schema: StoreSchema, _ path: String, as database: String = "main"
    ) throws -> Bool {
        let id = try Int32.fetchOne(db, sql: "PRAGMA \(database).application_id") ?? 0
        let version = try Int32.fetchOne(db, sql: "PRAGMA \(database).user_version") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(database).sqlite_master") ?? 0
        if id == schema.applicationID {
            guard version <= schema.version else {
                throw StoreError(
                    .foreignFile,
                    "\(path) was made by a newer Marquee: its schema is \(version), this version knows "
                        + "\(schema.version)")
            }
            return true
        }
        guard id == 0, version == 0, tables == 0 else {
            throw StoreError(.foreignFile, "\(path) is another kind of database, not \(schema.content)")
        }
        return false
    }

    private func upgrade(_ db: Database) throws {
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version < schema.version else { return }
        try db.inTransaction(.immediate) {
            for older in version..<schema.version {
                guard let upgrade = schema.upgrades[older] else {
                    throw StoreError(
                        .foreignFile, "\(path) has schema \(older), which this version can't bring up to date")
                }
                try db.execute(sql: upgrade)
            }
            try db.execute(sql: "PRAGMA user_version = \(schema.version)")
            return .commit
        }
    }

    func create(_ db: Database, _ firstMeta: [String: String]) throws {
        try db.inTransaction(.immediate) {
            try db.execute(sql: schema.tables + schema.derived)
            for (name, value) in firstMeta {
                try db.execute(sql: "INSERT INTO meta (name, value) VALUES (?, ?)", arguments: [name, value])
            }
            try db.execute(sql: "PRAGMA application_id = \(schema.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(schema.version)")
            return .commit
        }
    }
}

extension StoreError {
    /// Runs what may throw anything, and gives its errors their code.
    /// - Parameter path: the file or folder that messages name.
    static func translating<Value>(_ path: String, _ body: () throws -> Value) throws(StoreError) -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            throw StoreError(error, path)
        } catch let error as RowDecodingError {
            throw StoreError(.corrupt, "\(path) holds a value of the wrong type", cause: "\(error)")
        } catch is TextRows.Malformed {
            throw StoreError(.corrupt, "\(path) holds a list that can't be read")
        } catch is DecodingError {
            throw StoreError(.corrupt, "\(path) holds a commit that can't be read")
        } catch {
            throw StoreError(.io, "\(path) can't be used", cause: "\(error)")
        }
    }

    init(_ error: DatabaseError, _ path: String) {
        let cause = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
        switch error.resultCode {
        case .SQLITE_FULL: self.init(.diskFull, "no room on the disk for \(path)", cause: cause)
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            self.init(.diskFull, "no room on the disk for \(path)", cause: cause)
        case .SQLITE_CORRUPT: self.init(.corrupt, "\(path) is damaged", cause: cause)
        case .SQLITE_NOTADB: self.init(.foreignFile, "\(path) is not an SQLite database", cause: cause)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self.init(.io, "another program keeps \(path) locked", cause: cause)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
            self.init(.io, "\(path) can't be opened for writing", cause: cause)
        default: self.init(.io, "\(path) can't be used", cause: cause)
        }
    }
}
