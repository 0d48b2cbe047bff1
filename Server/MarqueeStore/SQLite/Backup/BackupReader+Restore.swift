import GRDB

extension BackupReader {
    /// Creates one file of a data folder with the backup's content and a new epoch.
    /// - Parameter folder: where to create the file; it must not exist there yet.
    func restore(_ log: StoreLog, into folder: String, epoch: UInt64) throws(StoreError) {
        let target = log.path(in: folder)
        try StoreError.translating(target) {
            FileSystem.makePrivate(target)
            let queue = try DatabaseQueue(path: target)
            try queue.writeWithoutTransaction { db in
                try StoreError.translating(file) {
                    try db.execute(sql: "ATTACH DATABASE ? AS backup", arguments: [file])
                }
                try db.writing { tables in
                    try copy(log, to: target, db)
                    try StoreTables.meta.put(
                        [.text(StoreSchema.Meta.epoch)], [.text(StoreNames.hexadecimal(epoch))], in: tables)
                    // The note that the backup holds may say that there is a log: it is the saved folder's.
                    try WriteAheadLog.noteClosed(tables)
                    return .commit
                }
            }
            try queue.close()
        }
    }

    private func copy(_ log: StoreLog, to target: String, _ db: Database) throws {
        let version = try schema(of: log, db, in: "backup")
        try db.execute(
            sql: "PRAGMA main.application_id = \(log.schema.applicationID); PRAGMA main.user_version = \(version)")
        let total = try Int.fetchOne(
            db, sql: "SELECT total(row_count) FROM backup.part WHERE table_name GLOB ?",
            arguments: [log.tableInBackup("*")])
        var counter = RowCounter(log.backupStep, rowsTotal: total ?? 0, observer)
        try counter.report()
        for table in try tables(of: log, db, in: "backup") {
            try table.make(db, file: file)
            let copy = TableCopy(
                table: table, source: TableCopy.Place(table: "backup.\(table.nameInBackup)", file: file),
                target: TableCopy.Place(table: "main.\(table.name)", file: target))
            let digest = try copy.run(db) { () throws(StoreError) in try counter.count() }
            try expect(digest, of: table, db, in: "backup")
        }
    }
}
