import CPostgreSQL

/// The rows of a statement's result.
final class PostgresRows {
    private let result: OpaquePointer

    /// - Parameter result: a libpq result with binary values, which this object frees.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var count: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement changed.
    var changed: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    var first: PostgresRow? { count == 0 ? nil : PostgresRow(self, 0) }

    /// Passes each row to `receive`.
    func each(_ receive: (PostgresRow) throws -> Void) rethrows {
        for index in 0..<count { try receive(PostgresRow(self, Int32(index))) }
    }

    func map<Value>(_ value: (PostgresRow) throws -> Value) rethrows -> [Value] {
        try (0..<count).map { try value(PostgresRow(self, Int32($0))) }
    }

    /// The bytes of a value, valid as long as this object; `nil` for NULL.
    fileprivate func bytes(_ row: Int32, _ column: Int, _ type: UInt32) throws -> UnsafeRawBufferPointer? {
        let column = Int32(column)
        guard column < PQnfields(result), PQftype(result, column) == type, PQfformat(result, column) == 1 else {
            throw WrongType(Int(column))
        }
        guard PQgetisnull(result, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }
}

/// One row. A value is never converted: reading it as a different type throws.
struct PostgresRow {
    private let rows: PostgresRows
    private let index: Int32

    fileprivate init(_ rows: PostgresRows, _ index: Int32) {
        self.rows = rows
        self.index = index
    }

    /// - Throws: `WrongType` or `MalformedRow`, as do all the others here.
    func integer(_ column: Int) throws -> Int64 { try required(try optionalInteger(column)) }

    /// A count of things or bytes, small enough that counts can be added up without overflow.
    func count(_ column: Int) throws -> Int {
        guard let count = Int(exactly: try integer(column)), (0...Self.largestCount).contains(count) else {
            throw MalformedRow()
        }
        return count
    }

    private static let largestCount = 1 << 48

    /// A number that is never negative.
    func unsigned(_ column: Int) throws -> UInt64 { try required(UInt64(exactly: try integer(column))) }

    func text(_ column: Int) throws -> String { try required(try optionalText(column)) }

    func blob(_ column: Int) throws -> [UInt8] { try required(try optionalBlob(column)) }

    func flag(_ column: Int) throws -> Bool {
        try required(try rows.bytes(index, column, PostgresValue.TypeID.flag)?.first) != 0
    }

    func optionalInteger(_ column: Int) throws -> Int64? {
        guard let bytes = try rows.bytes(index, column, PostgresValue.TypeID.integer) else { return nil }
        guard bytes.count == MemoryLayout<Int64>.size else { throw MalformedRow() }
        return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }

    func optionalUnsigned(_ column: Int) throws -> UInt64? {
        try optionalInteger(column).map { try required(UInt64(exactly: $0)) }
    }

    func optionalText(_ column: Int) throws -> String? {
        try rows.bytes(index, column, PostgresValue.TypeID.text).map { String(decoding: $0, as: UTF8.self) }
    }

    func optionalBlob(_ column: Int) throws -> [UInt8]? {
        try rows.bytes(index, column, PostgresValue.TypeID.bytes).map { Array($0) }
    }

    private func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw MalformedRow() }
        return value
    }
}
