import GRDB

/// A table of a store file, as it is called there and in a backup.
struct BackupTable {
    let log: StoreLog
    let name: String
    let columns: [String]
    /// What makes the table and its indices, as the file itself says: an older file has other tables than this version would make.
    let statements: String

    var nameInBackup: String { log.tableInBackup(name) }

    /// The tables of one file, but for those that are derived from others.
    /// - Parameter database: the name under which the connection knows the file.
    /// - Returns: also whether there are any of those.
    static func all(
        of log: StoreLog, _ db: Database, in database: String
    ) throws -> (tables: [BackupTable], hasDerived: Bool) {
        let names = try self.names(db, in: database)
        // Full-text tables have further ones behind them, which are tables like any other to those who look.
        let derived = try DatabaseQueue().inDatabase { empty in
            try empty.execute(sql: log.schema.derived)
            return Set(try self.names(empty, in: "main"))
        }
        let tables = try names.filter { !derived.contains($0) }.map { name in
            let statements = try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM \(database).sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL
                    ORDER BY type = 'table' DESC, name
                    """, arguments: [name])
            return BackupTable(
                log: log, name: name, columns: try db.columns(in: name, in: database).map(\.name),
                statements: statements.joined(separator: ";\n"))
        }
        return (tables, names.contains(where: derived.contains))
    }

    private static func names(_ db: Database, in database: String) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM \(database).sqlite_master WHERE type = 'table' ORDER BY name")
    }

    /// Makes the table, empty.
    /// - Throws: `corrupt` when the statements do anything else.
    func make(_ db: Database, file: String) throws {
        let statements = try db.allStatements(sql: statements)
        while let statement = try statements.next() {
            guard ["CREATE TABLE ", "CREATE INDEX "].contains(where: statement.sql.hasPrefix) else {
                throw StoreError(.corrupt, "\(file) is damaged: it makes \(nameInBackup) by '\(statement.sql)'")
            }
            try statement.execute()
        }
    }
}
