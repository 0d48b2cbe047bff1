import GRDB
import MarqueeModel

/// The rows of observations that no server has confirmed. Those of a frozen report have its number.
enum ObservationTable {
    private static let columns = "id, number, screen, section, kind, item, place, at, duration, action, revision"

    struct StoredRow {
        var id: Int64
        var number: UInt64?
        var entry: ObservationEntry
    }

    /// Adds an observation after all others.
    static func add(_ entry: ObservationEntry, _ db: Database) throws {
        let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM observation")) ?? 0
        try insert(StoredRow(id: last + 1, number: nil, entry: entry), db)
    }

    static func insert(_ row: StoredRow, _ db: Database) throws {
        let observation = row.entry.observation
        let values: [(any DatabaseValueConvertible)?] = [
            row.id, row.number.map { Int64(bitPattern: $0) }, row.entry.screen, row.entry.section,
            Int64(observation.kind.rawValue), observation.item, Int64(observation.place),
            Int64(bitPattern: observation.at), Int64(observation.duration), observation.action,
            Int64(bitPattern: observation.revision),
        ]
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO observation (\(columns), sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: StatementArguments(values + [RowSum.of(values)]))
    }

    /// - Returns: `nil` when the row isn't what was stored.
    private static func read(_ row: Row) throws -> StoredRow? {
        guard row.givesItsSum(in: 11),
            let kind = ItemEvent.Kind(rawValue: UInt32(clamping: try row.decode(Int64.self, atIndex: 4)))
        else { return nil }
        return StoredRow(
            id: try row.decode(Int64.self, atIndex: 0),
            number: try row.decode(Int64?.self, atIndex: 1).map { UInt64(bitPattern: $0) },
            entry: ObservationEntry(
                screen: try row.decode(String.self, atIndex: 2), section: try row.decode(String.self, atIndex: 3),
                observation: ItemEvent(
                    kind, item: try row.decode(String.self, atIndex: 5),
                    place: UInt32(clamping: try row.decode(Int64.self, atIndex: 6)), at: try row.unsigned(7),
                    duration: UInt32(clamping: try row.decode(Int64.self, atIndex: 8)),
                    action: try row.decode(String.self, atIndex: 9), revision: try row.unsigned(10))))
    }

    /// - Throws: `corrupt` when a row isn't what was stored.
    private static func rows(
        _ clause: String, _ arguments: StatementArguments = [], _ db: Database
    ) throws -> [StoredRow] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns), sum FROM observation \(clause)"), arguments: arguments)
        return try rows.map { row in
            guard let row = try read(row) else {
                throw MirrorError(.corrupt, "the mirror is damaged: an observation is not what was stored")
            }
            return row
        }
    }

    /// The intact rows of a damaged file, as far as they can be reached.
    static func readable(_ db: Database) throws -> [StoredRow] {
        let cursor = try Row.fetchCursor(db, sql: "SELECT \(columns), sum FROM observation ORDER BY id")
        var found: [StoredRow] = []
        do {
            while let row = try cursor.next() {
                if let row = try? read(row) { found.append(row) }
            }
        } catch {
            // The rows after it can't be reached.
        }
        return found
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM observation")) ?? 0
    }

    static func any(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM observation)")) ?? false
    }

    /// The lowest number of a frozen report.
    static func firstNumber(_ db: Database) throws -> UInt64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(number) FROM observation WHERE number IS NOT NULL")
        ).map { UInt64(bitPattern: $0) }
    }

    /// The observations of a report, in order.
    static func report(_ number: UInt64, _ db: Database) throws -> [StoredRow] {
        try rows("WHERE number = ? ORDER BY id", [Int64(bitPattern: number)], db)
    }

    /// The oldest observations that fit into one report: all of one section, and either all `seen` or none. So when the
    /// programme no longer asks for one of these, refusing the report drops nothing else.
    static func nextReport(_ db: Database) throws -> [StoredRow] {
        guard let first = try rows("WHERE number IS NULL ORDER BY id LIMIT 1", [], db).first else { return [] }
        let seen = Int64(ItemEvent.Kind.seen.rawValue)
        let comparison = first.entry.observation.kind == .seen ? "=" : "<>"
        return try rows(
            """
            WHERE number IS NULL AND screen = ? AND section = ? AND kind \(comparison) ? ORDER BY id LIMIT ?
            """, [first.entry.screen, first.entry.section, seen, ItemEvent.perReport], db)
    }

    /// Removes the oldest observations that aren't in a report, beyond a number of rows.
    /// - Returns: the number removed.
    static func drop(beyond limit: Int, _ db: Database) throws -> Int {
        let surplus = try count(db) - limit
        guard surplus > 0 else { return 0 }
        try db.execute(
            sql:
                "DELETE FROM observation WHERE id IN (SELECT id FROM observation WHERE number IS NULL ORDER BY id LIMIT ?)",
            arguments: [surplus])
        return db.changesCount
    }

    static func remove(_ number: UInt64, _ db: Database) throws -> Int {
        try db.cachedStatement(sql: "DELETE FROM observation WHERE number = ?")
            .execute(arguments: [Int64(bitPattern: number)])
        return db.changesCount
    }

    /// Removes the number from a report's observations, which will be sent under another one.
    static func release(_ number: UInt64, _ db: Database) throws {
        for var row in try report(number, db) {
            row.number = nil
            try insert(row, db)
        }
    }

    /// The numbers of all frozen reports.
    static func numbers(_ db: Database) throws -> [UInt64] {
        try Int64.fetchAll(db, sql: "SELECT DISTINCT number FROM observation WHERE number IS NOT NULL ORDER BY number")
            .map { UInt64(bitPattern: $0) }
    }
}
