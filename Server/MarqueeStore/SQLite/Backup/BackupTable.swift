import GRDB

/// A table of a store file, as it is called there and in a backup.
struct BackupTable {
    let log: StoreLog
    let name: String
    let columns: [String]

    var nameInBackup: String { log.tableInBackup(name) }

    /// The tables of one file, as this version makes them.
    static func all(of log: StoreLog) throws -> [BackupTable] {
        let empty = try DatabaseQueue()
        return try empty.write { db in
            try db.execute(sql: log.schema.tables)
            let names = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            return try names.map { name in
                BackupTable(log: log, name: name, columns: try db.columns(in: name).map(\.name))
            }
        }
    }
}
