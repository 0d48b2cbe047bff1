import GRDB

/// Reads a store file within one transaction.
class TableReader {
    let database: Database

    init(_ database: Database) { self.database = database }

    /// Reads the first row, if there is one.
    func first<Value>(
        _ sql: String, _ parameters: [ColumnValue] = [], _ read: (borrowing StoredRow) throws -> Value
    ) throws -> Value? {
        try database.first(sql, parameters, read)
    }

    /// Passes each row to `receive`.
    func rows(
        _ sql: String, _ parameters: [ColumnValue] = [], _ receive: (borrowing StoredRow) throws -> Void
    ) throws {
        try database.rows(sql, parameters, receive)
    }

    func hasRow(_ sql: String, _ parameters: [ColumnValue] = []) throws -> Bool {
        try database.hasRow(sql, parameters)
    }

    /// The total of what was written to a table.
    /// - Throws: `StoreDamage` when there is none.
    func total(of table: SummedTable) throws -> TableTotal {
        let total = try first("SELECT rows, sum FROM table_sum WHERE name = ?", [.text(table.name)]) { row in
            TableTotal(rows: try row.int(0), sum: try row.integer(1))
        }
        guard let total else { throw StoreDamage("the sum of the table \(table.name)") }
        return total
    }
}

/// Writes to the tables of a store file within one transaction.
///
/// Every row written changes its table's total. The changes are added up here and written once, by the one function
/// that ends such a transaction. So the totals in the file are right whenever something is committed, and a rollback
/// needs no undoing.
final class TableWriter: TableReader {
    private static let addition =
        "UPDATE table_sum SET rows = rows + ?, sum = (sum + ?) & \(RowSum.mask) WHERE name = ?"

    /// The transaction's additions to the totals of the few tables that it writes to.
    private var pending: [(table: String, total: TableTotal)] = []
    private var isOpen = true

    fileprivate init(within database: Database) { super.init(database) }

    /// The total, including what this transaction has written.
    override func total(of table: SummedTable) throws -> TableTotal {
        try super.total(of: table) + (pending.first { $0.table == table.name }?.total ?? TableTotal())
    }

    /// Notes what a statement has added to a table.
    func note(_ change: TableTotal, of table: SummedTable) {
        precondition(isOpen, "rows are written within the transaction that counts them")
        if let index = pending.firstIndex(where: { $0.table == table.name }) {
            pending[index].total = pending[index].total + change
        } else {
            pending.append((table.name, change))
        }
    }

    fileprivate func end(with completion: Database.TransactionCompletion) throws {
        isOpen = false
        guard completion == .commit else { return }
        // In order, so that the same writes give the same file.
        for (table, change) in pending.sorted(by: { $0.table < $1.table }) where change != TableTotal() {
            try database.run(
                Self.addition, [.integer(Int64(change.rows)), .integer(change.sum), .text(table)])
        }
    }
}

extension Database {
    /// Runs a transaction that writes to summed tables, the only way to do so. It rolls back if `body` throws.
    ///
    /// Like GRDB's `inTransaction`, which compiles BEGIN and COMMIT each time.
    func writing(_ body: (TableWriter) throws -> TransactionCompletion) throws {
        try cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
        do {
            let writer = TableWriter(within: self)
            let completion = try body(writer)
            try writer.end(with: completion)
            guard completion == .commit else { return try rollback() }
            guard isInsideTransaction else { throw Self.aborted("COMMIT TRANSACTION") }
            try cachedStatement(sql: "COMMIT TRANSACTION").execute()
        } catch {
            // The first error is the one that says what happened.
            try? rollback()
            throw error
        }
    }
}

extension DatabasePool {
    /// Like `Database.writing`, on the pool's writing connection.
    func writing(_ body: (TableWriter) throws -> Database.TransactionCompletion) throws {
        try writeWithoutTransaction { try $0.writing(body) }
    }
}
