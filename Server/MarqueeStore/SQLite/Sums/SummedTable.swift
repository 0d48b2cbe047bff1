import GRDB

/// A table whose rows each carry their sum in a last column `sum`, and for which `table_sum` holds the number of rows
/// and the total of their sums.
///
/// A row that changed on disk is detected when it is read, a missing or extra row when all are read. All writes go
/// through this type, which keeps the totals right.
struct SummedTable: Sendable {
    /// The table that holds the totals.
    static let totals = """
        CREATE TABLE table_sum (
            name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    let name: String
    let columns: [String]
    private let keyCount: Int
    /// Reads rows: the columns, then the sum. A condition or an order may follow.
    let select: String
    // Statements for one row, with the columns as parameters in their order and then the sum.
    private let selectRow: String
    private let selectSum: String
    private let insertRow: String
    private let updateRow: String
    private let deleteRow: String

    /// - Parameters:
    ///   - key: the columns of the primary key.
    ///   - values: all other columns except the sum.
    init(_ name: String, key: [String], _ values: [String]) {
        self.name = name
        columns = key + values
        keyCount = key.count
        let all = columns + ["sum"]
        let set = all.enumerated().dropFirst(key.count).map { "\($0.element) = ?\($0.offset + 1)" }
        let condition =
            "WHERE " + key.enumerated().map { "\($0.element) = ?\($0.offset + 1)" }.joined(separator: " AND ")
        select = "SELECT \(all.joined(separator: ", ")) FROM \(name)"
        selectRow = "\(select) \(condition)"
        selectSum = "SELECT sum FROM \(name) \(condition)"
        insertRow = """
            INSERT INTO \(name) (\(all.joined(separator: ", "))) \
            VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))
            """
        updateRow = "UPDATE \(name) SET \(set.joined(separator: ", ")) \(condition)"
        deleteRow = "DELETE FROM \(name) \(condition)"
    }

    // MARK: - Reading

    /// Reads the row with a key, checked.
    /// - Throws: `StoreDamage`.
    func row<Value>(
        _ key: [ColumnValue], in tables: TableReader, _ read: (borrowing StoredRow) throws -> Value
    ) throws -> Value? {
        try tables.first(selectRow, key) { row in
            try check(row)
            return try read(row)
        }
    }

    /// Whether there is a row with a key. It is checked.
    func hasRow(_ key: [ColumnValue], in tables: TableReader) throws -> Bool {
        try row(key, in: tables) { _ in true } ?? false
    }

    /// Passes rows to `receive`, each checked.
    /// - Parameter rest: the part of the statement after the table's name: a condition, an order, a limit.
    func rows(
        _ rest: String, _ parameters: [ColumnValue] = [], in tables: TableReader,
        _ receive: (borrowing StoredRow) throws -> Void
    ) throws {
        try tables.rows("\(select) \(rest)", parameters) { row in
            try check(row)
            try receive(row)
        }
    }

    /// Passes all rows to `receive`, each checked, then compares their number and total with what was written.
    func allRows(order: String, in tables: TableReader, _ receive: (borrowing StoredRow) throws -> Void) throws {
        var total = TableTotal()
        try rows("ORDER BY \(order)", in: tables) { row in
            total.add(try sum(of: row))
            try receive(row)
        }
        try check(total, in: tables)
    }

    /// - Parameter row: the columns and the sum, in that order.
    /// - Throws: `StoreDamage` when the row doesn't match its sum.
    func check(_ row: borrowing StoredRow) throws(StoreDamage) {
        var bytes = RowBytes()
        row.append(columns: columns.count, to: &bytes)
        guard RowSum.of(bytes) == (try? sum(of: row)) else { throw StoreDamage(described(row)) }
    }

    /// - Throws: `StoreDamage` when the rows are not the ones written.
    func check(_ total: TableTotal, in tables: TableReader) throws {
        guard try tables.total(of: self) == total else {
            throw StoreDamage("the table \(name), whose rows are not the ones written")
        }
    }

    /// The sum stored with a row.
    func sum(of row: borrowing StoredRow) throws -> Int64 { try row.integer(columns.count) }

    private func described(_ row: borrowing StoredRow) -> String {
        var key: [String] = []
        for index in 0..<keyCount {
            switch try? row.value(index) {
            case .integer(let number): key.append("\(number)")
            case .text(let text): key.append(text)
            case .blob(let bytes): key.append(String(validating: bytes, as: UTF8.self) ?? "?")
            default: key.append("?")
            }
        }
        return "the row '\(key.joined(separator: " "))' of \(name)"
    }

    // MARK: - Writing

    /// Inserts a row, or replaces the one with the same key.
    /// - Returns: the sum of the row.
    @discardableResult
    func put(_ key: [ColumnValue], _ values: [ColumnValue] = [], in tables: TableWriter) throws -> Int64 {
        try put(key, values, replacing: storedSum(key, in: tables), in: tables)
    }

    /// Inserts a row, or replaces one that was read before.
    /// - Parameter old: the sum of the row with the same key; `nil` if there is none.
    /// - Returns: the sum of the new row.
    @discardableResult
    func put(
        _ key: [ColumnValue], _ values: [ColumnValue] = [], replacing old: Int64?, in tables: TableWriter
    ) throws -> Int64 {
        var row = RowBytes(key)
        row.append(contentsOf: values)
        let sum = RowSum.of(row)
        row.append(sum)
        var change = TableTotal()
        change.add(sum)
        if let old {
            change.remove(old)
            try run(updateRow, row, on: 1, in: tables)
        } else {
            try run(insertRow, row, on: 1, in: tables)
        }
        tables.note(change, of: self)
        return sum
    }

    /// Removes the row with a key, if there is one.
    /// - Returns: its sum.
    @discardableResult
    func remove(_ key: [ColumnValue], in tables: TableWriter) throws -> Int64? {
        guard let old = try storedSum(key, in: tables) else { return nil }
        try remove(key, sum: old, in: tables)
        return old
    }

    /// Removes a row that was read before.
    func remove(_ key: [ColumnValue], sum: Int64, in tables: TableWriter) throws {
        try run(deleteRow, RowBytes(key), on: 1, in: tables)
        var change = TableTotal()
        change.remove(sum)
        tables.note(change, of: self)
    }

    /// Removes all rows that match a condition.
    /// - Returns: the number of rows removed.
    @discardableResult
    func removeAll(where condition: String, _ parameters: [ColumnValue], in tables: TableWriter) throws -> Int {
        var removed = TableTotal()
        try tables.rows("SELECT sum FROM \(name) WHERE \(condition)", parameters) { removed.add(try $0.integer(0)) }
        guard removed.rows > 0 else { return 0 }
        try run("DELETE FROM \(name) WHERE \(condition)", RowBytes(parameters), on: removed.rows, in: tables)
        tables.note(TableTotal() - removed, of: self)
        return removed.rows
    }

    /// Starts the totals of a newly created table.
    func begin(in tables: TableWriter) throws {
        try tables.database.run("INSERT INTO table_sum (name, rows, sum) VALUES (?, 0, 0)", [.text(name)])
    }

    private func storedSum(_ key: [ColumnValue], in tables: TableReader) throws -> Int64? {
        try tables.first(selectSum, key) { try $0.integer(0) }
    }

    /// - Throws: `DatabaseError` when the statement changes a different number of rows than were read: the total would
    ///   be wrong.
    private func run(_ sql: String, _ parameters: RowBytes, on rows: Int, in tables: TableWriter) throws {
        try tables.database.run(sql, parameters)
        guard tables.database.changesCount == rows else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "rows of \(name) that were read are not found again", sql: sql)
        }
    }
}
