/// Rows of a backup on their way into a database's table, column by column.
struct PostgresRowBatch {
    private static let mostRows = 512
    private static let mostBytes = 1 << 20

    private let table: PostgresTable
    private var rows: [[ColumnValue]] = []
    private var bytes = 0

    init(_ table: PostgresTable) { self.table = table }

    mutating func add(_ row: borrowing StoredRow) throws {
        let values = try table.columns.indices.map { try row.value($0) }
        for value in values { bytes += value.size }
        rows.append(values)
    }

    var isFull: Bool { rows.count >= Self.mostRows || bytes >= Self.mostBytes }

    /// The statement that inserts the rows; `nil` if there are none.
    /// - Throws: `WrongType` or `MalformedRow` for a value that isn't of its column's type.
    mutating func take() throws -> PostgresStatement? {
        guard !rows.isEmpty else { return nil }
        let values = try table.columns.enumerated().map { index, column in
            try column.kind.values(
                try rows.map { row in
                    guard index < row.count else { throw MalformedRow() }
                    return row[index]
                })
        }
        rows = []
        bytes = 0
        return PostgresStatement(table.insert, values)
    }
}

extension ColumnValue {
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .integer, .real: MemoryLayout<Int64>.size
        }
    }
}

extension PostgresTable.Kind {
    /// One column's values from a data folder, as a parameter of a statement.
    fileprivate func values(_ values: [ColumnValue]) throws -> PostgresValue {
        switch self {
        case .text: .texts(try values.map { try $0.text })
        case .integer: .integers(try values.map { try $0.integer })
        case .blob: .blobs(try values.map { try $0.blob })
        case .blobOrNull: .blobs(try values.map { try $0.blob ?? [] })
        case .flag:
            .flags(
                try values.map { value in
                    guard let number = try value.integer else { throw MalformedRow() }
                    return number != 0
                })
        }
    }
}

extension ColumnValue {
    fileprivate var text: String? {
        get throws {
            switch self {
            case .text(let text): text
            case .null: nil
            default: throw MalformedRow()
            }
        }
    }

    fileprivate var integer: Int64? {
        get throws {
            switch self {
            case .integer(let number): number
            case .null: nil
            default: throw MalformedRow()
            }
        }
    }

    fileprivate var blob: [UInt8]? {
        get throws {
            switch self {
            case .blob(let bytes): bytes
            case .null: nil
            default: throw MalformedRow()
            }
        }
    }
}
