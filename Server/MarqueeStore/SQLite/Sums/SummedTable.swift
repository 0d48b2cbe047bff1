import GRDB

/// A table whose rows each carry their sum in a last column `sum`, and for which `table_sum` holds the number of rows
/// and the total of their sums.
///
/// A row that changed on disk is detected when it is read, a missing or extra row when all are read. All writes go
/// through here, which keeps the totals right.
struct SummedTable: Sendable {
    typealias Value = (any DatabaseValueConvertible)?

    /// The table that holds the totals.
    static let totals = """
        CREATE TABLE table_sum (
            name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    let name: String
    let columns: [String]
    private let keyCount: Int
    private let whereKey: String
    /// Reads rows: the columns, then the sum. A condition or an order may follow.
    let select: String

    /// - Parameters:
    ///   - key: the columns of the primary key.
    ///   - values: all other columns except the sum.
    init(_ name: String, key: [String], _ values: [String]) {
        self.name = name
        columns = key + values
        keyCount = key.count
        whereKey = key.map { "\($0) = ?" }.joined(separator: " AND ")
        select = "SELECT \(columns.joined(separator: ", ")), sum FROM \(name)"
    }

    // MARK: - Reading

    /// The row with a key, checked.
    /// - Throws: `StoreDamage`.
    func row(_ key: [Value], in db: Database) throws -> Row? {
        let row = try db.first("\(select) WHERE \(whereKey)", StatementArguments(key))
        if let row { try check(row) }
        return row
    }

    /// Hands out rows, each checked.
    /// - Parameter rest: what follows the table's name in the statement: a condition, an order, a limit.
    func rows(
        _ rest: String, _ arguments: [Value] = [], in db: Database, _ receive: (Row) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "\(select) \(rest)"), arguments: StatementArguments(arguments))
        while let row = try rows.next() {
            try check(row)
            try receive(row)
        }
    }

    /// Hands out all rows, each checked, then compares their number and total with what was written.
    func allRows(order: String, in db: Database, _ receive: (Row) throws -> Void) throws {
        var total = TableTotal()
        try rows("ORDER BY \(order)", in: db) { row in
            total.add(try sum(of: row))
            try receive(row)
        }
        try check(total, in: db)
    }

    /// - Parameter row: the columns and the sum, in that order.
    /// - Throws: `StoreDamage` when the row doesn't match its sum.
    func check(_ row: Row) throws {
        guard RowSum.of(values(of: row)) == (try? sum(of: row)) else { throw StoreDamage(described(row)) }
    }

    /// - Throws: `StoreDamage` when the rows are not the ones written.
    func check(_ total: TableTotal, in db: Database) throws {
        guard try self.total(in: db) == total else {
            throw StoreDamage("the table \(name), whose rows are not the ones written")
        }
    }

    /// The sum stored with a row.
    func sum(of row: Row) throws -> Int64 { try row.decode(Int64.self, atIndex: columns.count) }

    /// The total of what was written.
    func total(in db: Database) throws -> TableTotal {
        guard let row = try db.first("SELECT rows, sum FROM table_sum WHERE name = ?", [name]) else {
            throw StoreDamage("the sum of the table \(name)")
        }
        return TableTotal(rows: try row.decode(Int.self, atIndex: 0), sum: try row.decode(Int64.self, atIndex: 1))
    }

    private func values(of row: Row) -> some Sequence<DatabaseValue> {
        (0..<columns.count).lazy.map { row[$0] as DatabaseValue }
    }

    private func described(_ row: Row) -> String {
        let key = (0..<keyCount).map { index in
            let value = row[index] as DatabaseValue
            return String.fromDatabaseValue(value) ?? Int64.fromDatabaseValue(value).map { "\($0)" } ?? "?"
        }
        return "the row '\(key.joined(separator: " "))' of \(name)"
    }

    // MARK: - Writing

    /// Inserts a row, or replaces the one with the same key.
    /// - Returns: the sum of the row.
    @discardableResult
    func put(_ key: [Value], _ values: [Value] = [], in db: Database) throws -> Int64 {
        let all = (key + values).map { $0?.databaseValue ?? .null }
        let sum = RowSum.of(all)
        let old = try storedSum(key, in: db)
        let places = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
        try db.run(
            "INSERT OR REPLACE INTO \(name) (\(columns.joined(separator: ", ")), sum) VALUES (\(places))",
            StatementArguments(all + [sum.databaseValue]))
        try add(rows: old == nil ? 1 : 0, sum: RowSum.subtracting(sum, old ?? 0), in: db)
        return sum
    }

    /// Removes the row with a key, if there is one.
    /// - Returns: its sum.
    @discardableResult
    func remove(_ key: [Value], in db: Database) throws -> Int64? {
        guard let old = try storedSum(key, in: db) else { return nil }
        try db.run("DELETE FROM \(name) WHERE \(whereKey)", StatementArguments(key))
        try add(rows: -1, sum: RowSum.subtracting(0, old), in: db)
        return old
    }

    /// Removes all rows that match a condition.
    /// - Returns: the number of rows removed.
    @discardableResult
    func removeAll(where condition: String, _ arguments: [Value], in db: Database) throws -> Int {
        let sums = try Int64.fetchCursor(
            db.cachedStatement(sql: "SELECT sum FROM \(name) WHERE \(condition)"),
            arguments: StatementArguments(arguments))
        var gone = TableTotal()
        while let sum = try sums.next() { gone.add(sum) }
        guard gone.rows > 0 else { return 0 }
        try db.run("DELETE FROM \(name) WHERE \(condition)", StatementArguments(arguments))
        try add(rows: -gone.rows, sum: RowSum.subtracting(0, gone.sum), in: db)
        return gone.rows
    }

    /// Starts the totals of a newly created table.
    func begin(in db: Database) throws {
        try db.run("INSERT INTO table_sum (name, rows, sum) VALUES (?, 0, 0)", [name])
    }

    private func storedSum(_ key: [Value], in db: Database) throws -> Int64? {
        try db.first("SELECT sum FROM \(name) WHERE \(whereKey)", StatementArguments(key))?
            .decode(Int64.self, atIndex: 0)
    }

    private func add(rows: Int, sum: Int64, in db: Database) throws {
        try db.run(
            "UPDATE table_sum SET rows = rows + ?, sum = (sum + ?) & \(RowSum.mask) WHERE name = ?", [rows, sum, name])
    }
}

/// The number of rows of a table, and the total of their sums.
struct TableTotal: Hashable {
    var rows = 0
    var sum: Int64 = 0

    mutating func add(_ row: Int64) {
        rows += 1
        sum = RowSum.adding(sum, row)
    }

    mutating func remove(_ row: Int64) {
        rows -= 1
        sum = RowSum.subtracting(sum, row)
    }
}
