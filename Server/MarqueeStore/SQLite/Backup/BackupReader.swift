import Foundation
import GRDB

/// Reads a backup file. Nothing in it is trusted until it has been checked.
struct BackupReader {
    let file: String
    let observer: BackupProgress.Observer

    /// Checks the whole file.
    /// - Throws: `missing`, `foreignFile`, `corrupt`, `io` or `cancelled`.
    func check() throws(StoreError) -> BackupSummary {
        guard let status = FileSystem.status(of: file) else {
            throw StoreError(.missing, "\(file) does not exist")
        }
        guard status.isRegular else { throw StoreError(.foreignFile, "\(file) is not a file") }
        guard access(file, R_OK) == 0 else { throw StoreError("\(file) can't be read", errno: errno) }
        return try reading { db in
            do {
                guard try StoreFile.isMade(db, .backup, file) else {
                    throw StoreError(.foreignFile, "\(file) is empty, not a Marquee backup")
                }
                try checkPages(db, bytes: status.bytes)
                try checkRows(db)
                return try summarize(db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                // A required table or column is missing.
                throw StoreError(.corrupt, "\(file) is damaged", cause: error.message)
            }
        }
    }

    /// Runs `body` on the file, as of one moment.
    func reading<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try StoreError.translating(file) {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read(body)
        }
    }

    private func checkPages(_ db: Database, bytes: Int64) throws {
        // If the last page is cut short, SQLite reads the rest of it as zeros.
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let pageBytes = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        guard bytes == pages * pageBytes else {
            throw StoreError(.corrupt, "\(file) is damaged: it has \(bytes) bytes, not \(pages * pageBytes)")
        }
        let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? ""
        guard finding == "ok" else { throw StoreError(.corrupt, "\(file) is damaged", cause: finding) }
    }

    private func checkRows(_ db: Database) throws {
        let total = try Int.fetchOne(db, sql: "SELECT total(row_count) FROM part") ?? 0
        for log in StoreLog.allCases { _ = try schema(of: log, db, in: "main") }
        var counter = RowCounter(.checking, rowsTotal: total, observer)
        try counter.report()
        for table in try StoreLog.allCases.flatMap({ try tables(of: $0, db, in: "main") }) {
            var digest = TableDigest(table)
            try db.rows("SELECT \(table.columns.joined(separator: ", ")) FROM \(table.nameInBackup)") { row in
                digest.add(try row.values)
                try counter.count()
            }
            try expect(digest, of: table, db, in: "main")
        }
    }

    /// The tables of a store file that the backup holds.
    /// - Parameter database: the connection's name for the backup.
    /// - Throws: `corrupt` when one is missing.
    func tables(of log: StoreLog, _ db: Database, in database: String) throws -> [BackupTable] {
        let prefix = log.tableInBackup("")
        let rows = try Row.fetchAll(
            db, sql: "SELECT table_name, statements FROM \(database).part WHERE table_name GLOB ? ORDER BY table_name",
            arguments: ["\(prefix)*"])
        let expected = try Int.fetchOne(
            db, sql: "SELECT table_count FROM \(database).store_file WHERE name = ?", arguments: [log.fileName])
        guard rows.count == expected else {
            throw StoreError(.corrupt, "\(file) is damaged: it lacks tables of \(log.fileName)")
        }
        return try rows.map { row in
            let name = try row.decode(String.self, atIndex: 0)
            return BackupTable(
                log: log, name: String(name.dropFirst(prefix.count)),
                columns: try db.columns(in: name, in: database).map(\.name),
                statements: try row.decode(String.self, atIndex: 1))
        }
    }

    /// The schema version of a file when it was saved.
    /// - Throws: `foreignFile` when this version of Marquee has a different one.
    func schema(of log: StoreLog, _ db: Database, in database: String) throws -> Int32 {
        let version = try Int32.fetchOne(
            db, sql: "SELECT schema FROM \(database).store_file WHERE name = ?", arguments: [log.fileName])
        guard let version, version > 0 else {
            throw StoreError(.corrupt, "\(file) is damaged: it does not name the schema of \(log.fileName)")
        }
        guard version == log.schema.version else {
            throw StoreError(
                .foreignFile,
                "\(file) was made by \(version > log.schema.version ? "a newer" : "an older") Marquee: its schema of "
                    + "\(log.fileName) is \(version), this version knows only \(log.schema.version)")
        }
        return version
    }

    /// - Throws: `corrupt` when the backup recorded a different digest for the table.
    func expect(_ digest: TableDigest, of table: BackupTable, _ db: Database, in database: String) throws {
        let noted = try Row.fetchOne(
            db, sql: "SELECT row_count, hash FROM \(database).part WHERE table_name = ?",
            arguments: [table.nameInBackup])
        guard let noted, try noted.decode(Int.self, atIndex: 0) == digest.rows,
            try noted.decode(Int64.self, atIndex: 1) == digest.hash
        else {
            throw StoreError(
                .corrupt, "\(file) is damaged: the rows of \(table.nameInBackup) are not those that were saved")
        }
    }

    private func summarize(_ db: Database) throws -> BackupSummary {
        func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
        return BackupSummary(
            made: try String.fetchOne(
                db, sql: "SELECT value FROM meta WHERE name = ?", arguments: [StoreSchema.Meta.made]) ?? "",
            revision: try number("SELECT max(revision) FROM catalogue_commit_log"),
            counts: try StoreTables.counts(db, prefix: "catalogue_"),
            users: try number("SELECT count(*) FROM users_user_log"),
            favorites: try number("SELECT count(*) FROM users_member WHERE collection = 'favorites'"),
            members: try number("SELECT count(*) FROM users_member WHERE collection <> 'favorites'"))
    }
}
