import GRDB

/// A table of a store file, with its name there and in a backup.
struct BackupTable {
    let log: StoreLog
    let name: String
    let columns: [String]
    /// The statements that create the table and its indices, as recorded in the file.
    let statements: String

    var nameInBackup: String { log.tableInBackup(name) }

    /// The tables of one file except those of the search index, which is rebuilt when the restored file is opened,
    /// those of observations, which are delivered elsewhere, and those of drafts.
    /// - Parameter database: the connection's name for the file.
    static func all(of log: StoreLog, _ db: Database, in database: String) throws -> [BackupTable] {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM \(database).sqlite_master WHERE type = 'table' ORDER BY name")
        let saved = names.filter { !SearchIndex.owns($0) && !ObservationTables.owns($0) && !DraftTables.owns($0) }
        return try saved.map { name in
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
    }

    /// Creates the empty table.
    /// - Throws: `corrupt` when the statements do anything else.
    func make(_ db: Database, file: String) throws {
        let statements = try db.allStatements(sql: statements)
        while let statement = try statements.next() {
            guard ["CREATE TABLE ", "CREATE INDEX "].contains(where: statement.sql.hasPrefix) else {
                throw StoreError(.corrupt, "\(file) is damaged: it creates \(nameInBackup) with '\(statement.sql)'")
            }
            try statement.execute()
        }
    }
}
