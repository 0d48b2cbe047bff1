import Foundation
import GRDB

extension MirrorSchema {
    /// Brings a mirror of an older version up to this one, in one transaction.
    static func bringUpToDate(_ queue: DatabaseQueue) throws {
        try queue.write { db in
            guard try Int32.fetchOne(db, sql: "PRAGMA user_version") == 1 else { return }
            try addSums(db)
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// From version 1 to 2: rows have sums, the owner is kept twice, and incidents are remembered.
    private static func addSums(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE mirror ADD COLUMN last_answered INTEGER NOT NULL DEFAULT 0;
                \(tables.components(separatedBy: "CREATE ").filter { statement in
                    ["TABLE owner ", "TABLE incident ", "INDEX outbox_answered "].contains { statement.hasPrefix($0) }
                }.map { "CREATE " + $0 }.joined())
                """)
        let sums = [
            ("mirror", "cluster, user, client_id, last_number, last_answered, seen"),
            ("view", "screen, locale, parameters, cut, saved_at"),
            ("outbox", "number, subject, is_on, state, created_at, cut, changed"),
            ("rejection", "number, subject, is_on, reason, created_at"),
        ]
        for (table, columns) in sums {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN sum INTEGER NOT NULL DEFAULT 0")
            for row in try Row.fetchAll(db, sql: "SELECT rowid AS place, \(columns) FROM \(table)") {
                let values = Array(row.databaseValues.dropFirst())
                try db.execute(
                    sql: "UPDATE \(table) SET sum = ? WHERE rowid = ?",
                    arguments: [RowSum.of(values), row["place"] as Int64])
            }
        }
        try MirrorRow.load(db).storeWithOwner(db)
    }
}
