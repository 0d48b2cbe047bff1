import GRDB
import GRDBSQLite

/// The current row of a running statement. It can't outlive the call that it is passed to.
///
/// A value is never converted: reading it as a different type throws.
struct StoredRow: ~Copyable {
    private let statement: SQLiteStatement

    /// - Parameter statement: one whose last step returned a row.
    init(_ statement: SQLiteStatement) { self.statement = statement }

    func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

    /// - Throws: `WrongType`, as do all the others here.
    func integer(_ column: Int) throws -> Int64 {
        guard type(column) == SQLITE_INTEGER else { throw WrongType(column) }
        return sqlite3_column_int64(statement, Int32(column))
    }

    func int(_ column: Int) throws -> Int {
        guard let number = Int(exactly: try integer(column)) else { throw MalformedRow() }
        return number
    }

    /// A number that is never negative.
    func unsigned<Number: FixedWidthInteger & UnsignedInteger>(_ column: Int) throws -> Number {
        guard let number = Number(exactly: try integer(column)) else { throw MalformedRow() }
        return number
    }

    func real(_ column: Int) throws -> Double {
        guard type(column) == SQLITE_FLOAT else { throw WrongType(column) }
        return sqlite3_column_double(statement, Int32(column))
    }

    func text(_ column: Int) throws -> String {
        guard type(column) == SQLITE_TEXT else { throw WrongType(column) }
        return String(decoding: content(column), as: UTF8.self)
    }

    func blob(_ column: Int) throws -> [UInt8] {
        guard type(column) == SQLITE_BLOB else { throw WrongType(column) }
        return [UInt8](content(column))
    }

    func optionalInteger(_ column: Int) throws -> Int64? { isNull(column) ? nil : try integer(column) }
    func optionalReal(_ column: Int) throws -> Double? { isNull(column) ? nil : try real(column) }
    func optionalText(_ column: Int) throws -> String? { isNull(column) ? nil : try text(column) }
    func optionalBlob(_ column: Int) throws -> [UInt8]? { isNull(column) ? nil : try blob(column) }

    func value(_ column: Int) throws -> ColumnValue {
        switch type(column) {
        case SQLITE_INTEGER: .integer(try integer(column))
        case SQLITE_FLOAT: .real(try real(column))
        case SQLITE_TEXT: .text(try text(column))
        case SQLITE_BLOB: .blob(try blob(column))
        default: .null
        }
    }

    /// All values, copied.
    var values: [ColumnValue] {
        get throws { try (0..<Int(sqlite3_column_count(statement))).map { try value($0) } }
    }

    /// Appends the first columns as they are stored.
    func append(columns: Int, to bytes: inout RowBytes) {
        for column in 0..<columns {
            switch type(column) {
            case SQLITE_INTEGER: bytes.append(sqlite3_column_int64(statement, Int32(column)))
            case SQLITE_FLOAT: bytes.append(sqlite3_column_double(statement, Int32(column)))
            case SQLITE_TEXT: bytes.append(.text, content(column))
            case SQLITE_BLOB: bytes.append(.blob, content(column))
            default: bytes.appendNull()
            }
        }
    }

    private func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }

    /// The bytes of text or a blob, which SQLite owns until the statement's next step. SQLite gives no address for an
    /// empty one.
    private func content(_ column: Int) -> UnsafeRawBufferPointer {
        let isText = type(column) == SQLITE_TEXT
        let start =
            isText
            ? UnsafeRawPointer(sqlite3_column_text(statement, Int32(column)))
            : sqlite3_column_blob(statement, Int32(column))
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }
}

/// A column holds a type that no version writes.
struct WrongType: Error, Hashable {
    var column: Int

    init(_ column: Int) { self.column = column }
}

/// A row holds something that no version writes.
struct MalformedRow: Error {}
