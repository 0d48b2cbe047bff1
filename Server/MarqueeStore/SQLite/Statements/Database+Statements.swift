import GRDB
import GRDBSQLite

/// Statements through SQLite's own calls, on the connections and compiled statements that GRDB keeps. GRDB's arguments,
/// cursors and rows cost several times as much as SQLite does for a row.
extension Database {
    /// Runs a statement that changes something.
    /// - Throws: `DatabaseError`; also when SQLite has ended the transaction, so that the statement would be one of its
    ///   own.
    func run(_ sql: String, _ parameters: [ColumnValue] = []) throws {
        try run(sql, RowBytes(parameters))
    }

    func run(_ sql: String, _ parameters: RowBytes) throws {
        // After some failures, such as a full disk, SQLite rolls back by itself.
        guard isInsideTransaction else { throw Self.aborted(sql) }
        try step(through: sql, parameters) { _ in true }
    }

    static func aborted(_ sql: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was aborted", sql: sql)
    }

    /// Reads the first row, if there is one.
    func first<Value>(
        _ sql: String, _ parameters: [ColumnValue] = [], _ read: (borrowing StoredRow) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try step(through: sql, RowBytes(parameters)) { row in
            value = try read(row)
            return false
        }
        return value
    }

    func hasRow(_ sql: String, _ parameters: [ColumnValue] = []) throws -> Bool {
        try first(sql, parameters) { _ in true } ?? false
    }

    /// Passes each row to `receive`.
    func rows(
        _ sql: String, _ parameters: [ColumnValue] = [], _ receive: (borrowing StoredRow) throws -> Void
    ) throws {
        try step(through: sql, RowBytes(parameters)) { row in
            try receive(row)
            return true
        }
    }

    /// The rows that a statement went through without an index since this was last asked.
    func takeScannedRows(of sql: String) throws -> Int {
        let statement = try cachedStatement(sql: sql)
        return Int(sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
    }

    /// Runs a statement, which is compiled once per connection.
    /// - Parameter wantsNext: called with each row; the statement ends when it returns `false`.
    private func step(
        through sql: String, _ parameters: RowBytes, _ wantsNext: (borrowing StoredRow) throws -> Bool
    ) throws {
        var statement = try cachedStatement(sql: sql)
        // The statement is in use further up the stack, by a caller that is reading its rows.
        if sqlite3_stmt_busy(statement.sqliteStatement) != 0 { statement = try makeStatement(sql: sql) }
        try withExtendedLifetime(statement) {
            let raw = statement.sqliteStatement
            try parameters.bytes.withUnsafeBytes { bytes in
                defer {
                    // After a failed step, this returns the same error again, which has already been thrown.
                    sqlite3_reset(raw)
                    // The bindings point into bytes that are freed here.
                    sqlite3_clear_bindings(raw)
                }
                guard Int(sqlite3_bind_parameter_count(raw)) == parameters.count else {
                    throw DatabaseError(
                        resultCode: .SQLITE_MISUSE, message: "wrong number of parameters: \(parameters.count)", sql: sql
                    )
                }
                try bind(bytes, to: raw, sql)
                while true {
                    switch sqlite3_step(raw) {
                    case SQLITE_ROW: if try !wantsNext(StoredRow(raw)) { return }
                    case SQLITE_DONE: return
                    case let code: throw failure(code, sql)
                    }
                }
            }
        }
    }

    /// Binds parameters without copying them.
    /// - Parameter bytes: the bytes of a `RowBytes`.
    private func bind(_ bytes: UnsafeRawBufferPointer, to statement: SQLiteStatement, _ sql: String) throws {
        var (offset, index) = (0, Int32(0))
        while offset < bytes.count {
            index += 1
            let tag = RowBytes.Tag(rawValue: bytes[offset])
            offset += 1
            if tag == .null { continue }
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += MemoryLayout<UInt64>.size
            let code: Int32
            switch tag {
            case .integer: code = sqlite3_bind_int64(statement, index, Int64(bitPattern: word))
            case .real: code = sqlite3_bind_double(statement, index, Double(bitPattern: word))
            case .text, .blob:
                let content = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(word)])
                offset += content.count
                code = bind(content, isText: tag == .text, to: statement, index)
            case .null, nil: preconditionFailure("values are laid out by RowBytes alone")
            }
            guard code == SQLITE_OK else { throw failure(code, sql) }
        }
    }

    private func bind(
        _ content: UnsafeRawBufferPointer, isText: Bool, to statement: SQLiteStatement, _ index: Int32
    ) -> Int32 {
        // Never nil: the bytes of a value follow its tag. SQLite would take nil for NULL.
        let start = content.baseAddress
        let length = sqlite3_uint64(content.count)
        return isText
            ? sqlite3_bind_text64(statement, index, start, length, nil, UInt8(SQLITE_UTF8))
            : sqlite3_bind_blob64(statement, index, start, length, nil)
    }

    private func failure(_ code: Int32, _ sql: String) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage, sql: sql)
    }
}
