import Foundation
import GRDB
import MarqueeTypes

/// Opens one SQLite file of a data folder so that a commit survives a power cut.
struct StoreFile {
    private static let busySeconds = 5.0
    private static let readers = 4
    /// A checkpoint truncates the write-ahead log to this size, so that one large import doesn't leave a large file.
    private static let journalBytes = 16 << 20
    private static let fullSynchronous = 2

    let path: String
    let schema: StoreSchema
    /// `nil` for a file that isn't in a data folder.
    private let log: WriteAheadLog?

    init(path: String, schema: StoreSchema) {
        self.path = path
        self.schema = schema
        log = nil
    }

    init(_ log: StoreLog, in folder: String) {
        path = log.path(in: folder)
        schema = log.schema
        self.log = WriteAheadLog(log, in: folder)
    }

    /// Creates the file if there is none, refuses one that isn't ours, and opens it durably.
    /// - Parameter firstMeta: the metadata of a new file.
    func open(fileBytes: Int, firstMeta: [String: String]) throws(StoreError) -> DatabasePool {
        try StoreError.translating(path) {
            try prepare(firstMeta)
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                // GRDB sets NORMAL, which loses the newest commits in a power cut.
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
            try log?.begin(pool)
            FileSystem.keepPrivate(path)
            return pool
        }
    }

    /// Opens a file that is open already, for one thread that reads a little of it often: to wait for a connection of
    /// the pool costs several times as much as to read a row.
    func openForReading() throws(StoreError) -> DatabaseQueue {
        try StoreError.translating(path) {
            var configuration = configuration
            configuration.readonly = true
            return try DatabaseQueue(path: path, configuration: configuration)
        }
    }

    /// Reads the settings back from the writer's connection.
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

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(StoreFile.busySeconds)
        configuration.maximumReaderCount = StoreFile.readers
        return configuration
    }

    /// Checks or creates the file while it is still in rollback mode, so that the file itself is marked as ours, rather
    /// than only its write-ahead log.
    private func prepare(_ firstMeta: [String: String]) throws {
        FileSystem.makePrivate(path)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { db in
            if try StoreFile.isMade(db, schema, path) {
                try StoreFile.checkTables(db, schema)
                try log?.check(db)
            } else {
                try create(db, firstMeta)
            }
            if !schema.queues.isEmpty { try db.execute(sql: schema.queues) }
        }
    }

    /// Compares the statements that created the tables with this version's, except for the tables of the search index,
    /// of queues and of drafts.
    /// - Throws: `StoreDamage`.
    static func checkTables(_ db: Database, _ schema: StoreSchema) throws {
        func statements(_ db: Database) throws -> [String: String?] {
            let rows = try Row.fetchAll(db, sql: "SELECT type || ' ' || name, tbl_name, sql FROM sqlite_master")
            return try rows.reduce(into: [:]) { statements, row in
                let table = try row.decode(String.self, atIndex: 1)
                if SearchIndex.owns(table) || ObservationTables.owns(table) || DraftTables.owns(table) { return }
                statements[try row.decode(String.self, atIndex: 0)] = try row.decode(String?.self, atIndex: 2)
            }
        }
        let expected = try DatabaseQueue().write { db in
            try db.execute(sql: schema.tables)
            return try statements(db)
        }
        guard try statements(db) == expected else { throw StoreDamage("the list of its tables") }
    }

    /// Whether a database is ours; `false` for an empty one, which belongs to nobody.
    /// - Parameters:
    ///   - path: the file to name in messages.
    ///   - database: the connection's name for the database.
    /// - Throws: `foreignFile` when it belongs to another program or was made by another version of this one.
    static func isMade(
        _ db: Database, _ schema: StoreSchema, _ path: String, as database: String = "main"
    ) throws -> Bool {
        let id = try Int32.fetchOne(db, sql: "PRAGMA \(database).application_id") ?? 0
        let version = try Int32.fetchOne(db, sql: "PRAGMA \(database).user_version") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(database).sqlite_master") ?? 0
        if id == schema.applicationID {
            guard version == schema.version else {
                throw StoreError(
                    .foreignFile,
                    "\(path) was made by \(version > schema.version ? "a newer" : "an older") Marquee: its schema is "
                        + "\(version), this version knows only \(schema.version); \(schema.remedy)")
            }
            return true
        }
        guard id == 0, version == 0, tables == 0 else {
            throw StoreError(.foreignFile, "\(path) is another kind of database, not \(schema.content)")
        }
        return false
    }

    func create(_ db: Database, _ firstMeta: [String: String]) throws {
        try db.writing { tables in
            try db.execute(sql: schema.tables + schema.derived)
            for table in schema.summed { try table.begin(in: tables) }
            for (name, value) in firstMeta { try StoreTables.meta.put([.text(name)], [.text(value)], in: tables) }
            try db.execute(sql: "PRAGMA application_id = \(schema.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(schema.version)")
            return .commit
        }
    }
}

extension StoreError {
    /// Runs a body that may throw anything, and gives its errors a code.
    /// - Parameter path: the file or folder to name in messages.
    static func translating<Value>(_ path: String, _ body: () throws -> Value) throws(StoreError) -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            throw StoreError(error, path)
        } catch let damage as StoreDamage {
            throw StoreError(.corrupt, "\(path) is damaged: \(damage)")
        } catch let error as RowDecodingError {
            throw StoreError(.corrupt, "\(path) holds a value of the wrong type", cause: "\(error)")
        } catch let error as WrongType {
            throw StoreError(.corrupt, "\(path) holds a value of the wrong type", cause: "column \(error.column)")
        } catch is MalformedRow {
            throw StoreError(.corrupt, "\(path) holds a row that can't be read")
        } catch let error as MarqueeTypes.RecordError {
            throw StoreError(.corrupt, "\(path) holds JSON that can't be read", cause: "\(error)")
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
        // One of our tables or columns is missing.
        case .SQLITE_ERROR: self.init(.corrupt, "\(path) is damaged", cause: cause)
        case .SQLITE_NOTADB: self.init(.foreignFile, "\(path) is not an SQLite database", cause: cause)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self.init(.io, "another program keeps \(path) locked", cause: cause)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
            self.init(.io, "\(path) can't be opened for writing", cause: cause)
        default: self.init(.io, "\(path) can't be used", cause: cause)
        }
    }
}
