import GRDB

/// Fills a backup file from a data folder that may be in use.
struct BackupWriter {
    let folder: String
    let file: String
    let observer: BackupProgress.Observer

    /// - Throws: `missing`, `foreignFile`, `corrupt`, `diskFull`, `io` or `cancelled`; the file must be discarded then.
    func run() throws(StoreError) {
        try StoreError.translating(file) {
            let before = identities
            guard !RestoredFiles(folder: folder).areDecided, before.allSatisfy({ $0 != nil }) else { throw unusable }
            let queue = try DatabaseQueue(path: file)
            try queue.writeWithoutTransaction { db in
                // A backup that is interrupted is thrown away, and a complete one is flushed at the end.
                try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
                try begin(db)
                for log in StoreLog.allCases { try attach(log, db) }
                for log in StoreLog.allCases {
                    // The transaction sees each file as it is at its first read.
                    try db.inTransaction(.deferred) {
                        try copy(log, db)
                        return .commit
                    }
                }
            }
            try queue.close()
            // Files that a restore put in place meanwhile may not belong with those that were there before.
            guard !RestoredFiles(folder: folder).areDecided, identities == before else { throw unusable }
        }
    }

    private var identities: [FileStatus.Identity?] {
        StoreLog.allCases.map { FileSystem.status(of: $0.path(in: folder))?.identity }
    }

    private var unusable: StoreError {
        if RestoredFiles(folder: folder).areDecided || identities.allSatisfy({ $0 != nil }) {
            return StoreError(.ownedByOther, "a backup is being restored into \(folder); try again")
        }
        return StoreError(.missing, "\(folder) is not a data folder: it has no users.sqlite and catalogue.sqlite")
    }

    private func begin(_ db: Database) throws {
        try StoreFile(path: file, schema: .backup).create(db, [:])
        try db.execute(
            sql: "INSERT INTO meta (name, value) VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))",
            arguments: [StoreSchema.Meta.made])
    }

    private func attach(_ log: StoreLog, _ db: Database) throws {
        let source = log.path(in: folder)
        let newest = WriteAheadLog(log, in: folder)
        try StoreError.translating(source) {
            try db.execute(sql: "ATTACH DATABASE ? AS \(log.database)", arguments: [source])
            guard try StoreFile.isMade(db, log.schema, source, as: log.database) else {
                throw StoreError(.missing, "\(source) is empty")
            }
            try newest.check(db, as: log.database)
        }
    }

    private func copy(_ log: StoreLog, _ db: Database) throws {
        let source = log.path(in: folder)
        let tables = try StoreError.translating(source) {
            try BackupTable.all(of: log, db, in: log.database)
        }
        let total = try StoreError.translating(source) {
            try tables.reduce(0) { sum, table in
                sum + (try Int.fetchOne(db, sql: "SELECT count(*) FROM \(log.database).\(table.name)") ?? 0)
            }
        }
        var counter = RowCounter(log.backupStep, rowsTotal: total, observer)
        try counter.report()
        let schema = try Int.fetchOne(db, sql: "PRAGMA \(log.database).user_version")
        try db.execute(
            sql: "INSERT INTO store_file (name, schema, table_count) VALUES (?, ?, ?)",
            arguments: [log.fileName, schema, tables.count])
        for table in tables {
            let columns = table.columns.joined(separator: ", ")
            try db.execute(
                sql: """
                    CREATE TABLE main.\(table.nameInBackup) AS SELECT \(columns) FROM \(log.database).\(table.name) WHERE 0
                    """)
            let copy = TableCopy(
                table: table,
                source: TableCopy.Place(table: "\(log.database).\(table.name)", file: source),
                target: TableCopy.Place(table: "main.\(table.nameInBackup)", file: file))
            let digest = try copy.run(db) { () throws(StoreError) in try counter.count() }
            try db.execute(
                sql: "INSERT INTO part (table_name, statements, row_count, hash) VALUES (?, ?, ?, ?)",
                arguments: [table.nameInBackup, table.statements, digest.rows, digest.hash])
        }
    }
}

extension StoreLog {
    /// The connection's name for the attached file.
    fileprivate var database: String {
        switch self {
        case .catalogue: "catalogue"
        case .users: "users"
        }
    }
}
