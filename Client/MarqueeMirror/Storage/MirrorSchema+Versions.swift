import Foundation
import GRDB
import MarqueeModel

extension MirrorSchema {
    /// Upgrades a mirror of an older version, in one transaction.
    static func bringUpToDate(_ queue: DatabaseQueue) throws {
        try queue.write { db in
            let made = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? version
            guard made < version else { return }
            if made < 2 { try addSums(db) }
            if made < 3 {
                try addCollections(db)
            } else if made < 5 {
                try db.execute(sql: "ALTER TABLE rejection ADD COLUMN code TEXT")
            }
            if made < 4 { try addInbox(db) }
            if made < 5 { try sumCodes(db) }
            try addObservations(db)
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// From version 3 to 4: companions can store changes.
    private static func addInbox(_ db: Database) throws { try db.execute(sql: statements("TABLE inbox ")) }

    /// From version 5 to 6: observations are stored until they are reported.
    private static func addObservations(_ db: Database) throws {
        try db.execute(sql: statements("TABLE observation ", "INDEX observation_number "))
    }

    /// From version 4 to 5: refusals have codes. Existing ones get none, which changes their sums.
    private static func sumCodes(_ db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql:
                "SELECT number, collection, subject, is_on, value, reason, created_at, sum, rowid AS place FROM rejection"
        )
        // A damaged row stays damaged.
        for row in rows where row.givesItsSum(in: 7) {
            let values = row.databaseValues.prefix(7) + [DatabaseValue.null]
            try db.execute(
                sql: "UPDATE rejection SET sum = ? WHERE rowid = ?",
                arguments: [RowSum.of(Array(values)), row["place"] as Int64])
        }
    }

    /// The statements of the current schema that create the objects with these beginnings.
    private static func statements(_ beginnings: String...) -> String {
        tables.components(separatedBy: "CREATE ").filter { statement in
            beginnings.contains { statement.hasPrefix($0) }
        }.map { "CREATE " + $0 }.joined()
    }

    /// From version 1 to 2: rows have sums, the owner is stored twice, and incidents are recorded.
    private static func addSums(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE mirror ADD COLUMN last_answered INTEGER NOT NULL DEFAULT 0;
                \(statements("TABLE owner ", "TABLE incident ", "INDEX outbox_answered "))
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

    /// From version 2 to 3: waiting and refused mutations name their collection; until then, all were favorites.
    ///
    /// A damaged row stays damaged: its sum isn't recomputed.
    private static func addCollections(_ db: Database) throws {
        try db.execute(sql: "DROP INDEX outbox_subject; DROP INDEX outbox_answered")
        for (table, rest) in [("outbox", "state, created_at, cut, changed"), ("rejection", "reason, created_at")] {
            try db.execute(
                sql: "ALTER TABLE \(table) RENAME TO older; " + statements("TABLE \(table) ", "INDEX \(table)_"))
            let older = try Row.fetchAll(
                db, sql: "SELECT number, subject, is_on, \(rest), sum FROM older ORDER BY rowid")
            for row in older {
                var values = Array(row.databaseValues.dropLast())
                let isWhole = row.givesItsSum(in: values.count)
                values.insert(CollectionName.favorites.name.databaseValue, at: 1)
                values.insert(.null, at: 4)
                let sum = isWhole ? RowSum.of(values) : ~RowSum.of(values)
                let places = Array(repeating: "?", count: values.count + 1).joined(separator: ", ")
                try db.execute(
                    sql: """
                        INSERT INTO \(table) (number, collection, subject, is_on, value, \(rest), sum) VALUES (\(places))
                        """, arguments: StatementArguments(values + [sum.databaseValue]))
            }
            try db.execute(sql: "DROP TABLE older")
        }
        try renameFavoriteSet(db)
    }

    /// The screen of the confirmed favorites has another name in version 3; its stored content is kept for resuming.
    private static func renameFavoriteSet(_ db: Database) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT screen, locale, parameters, cut, saved_at, sum, id FROM view WHERE screen = 'favorite-set'"
        )
        for row in rows where row.givesItsSum(in: 5) {
            var values = Array(row.databaseValues.prefix(5))
            values[0] = ScreenID.collectionSet.name.databaseValue
            try db.execute(
                sql: "UPDATE view SET screen = ?, sum = ? WHERE id = ?",
                arguments: [ScreenID.collectionSet.name, RowSum.of(values), row["id"] as Int64])
        }
    }
}
