/// A message of pgoutput, the plugin by which PostgreSQL says what its transactions have done; version 1 of it.
package enum PgOutputMessage: Hashable, Sendable {
    /// With the transaction's id.
    case begin(Transaction, id: UInt32)
    case commit(Transaction)
    case origin
    case relation(Relation)
    case type
    case insert(relation: UInt32, new: [Cell])
    case update(relation: UInt32, old: OldRow?, new: [Cell])
    case delete(relation: UInt32, old: OldRow)
    case truncate(relations: [UInt32])
    case message

    package struct Transaction: Hashable, Sendable {
        /// Where it ends: for its begin, where its commit is.
        package var end: LogLocation
        /// When it was committed, in microseconds since 2000.
        package var time: Int64
    }

    /// A table, as the rows that follow have it.
    package struct Relation: Hashable, Sendable {
        package struct Column: Hashable, Sendable {
            package var name: String
            /// The number of its type.
            package var type: UInt32
            /// Whether it belongs to what identifies a row.
            package var isKey: Bool
        }

        package var id: UInt32
        package var schema: String
        package var name: String
        package var columns: [Column]

        package var fullName: String { "\(schema).\(name)" }
    }

    /// The value of a column.
    package enum Cell: Hashable, Sendable {
        case null
        /// A large value that the change has left alone isn't sent.
        case unchanged
        case text(String)
    }

    /// A row as it was.
    package enum OldRow: Hashable, Sendable {
        /// Only what identifies it; the other columns are null.
        case key([Cell])
        case whole([Cell])

        package var cells: [Cell] {
            switch self {
            case .key(let cells), .whole(let cells): cells
            }
        }
    }
}

/// Bytes that are no message of pgoutput.
package struct PgOutputError: Error, Hashable, Sendable, CustomStringConvertible {
    package var offset: Int
    package var reason: String

    package var description: String { "byte \(offset) of a message of pgoutput: \(reason)" }
}

extension PgOutputMessage {
    /// The most columns of a table, and tables that are emptied at once.
    static let columns = 1_664
    static let tables = 65_535

    /// Reads one message.
    /// - Throws: for bytes that are none, or more than one.
    package init(_ bytes: [UInt8]) throws(PgOutputError) {
        var reader = PgOutputReader(bytes)
        self = try reader.message()
        guard reader.isAtEnd else { throw reader.error("there is more than a message") }
    }

    /// Whether bytes are a message about one row, if they are a message at all.
    static func isRow(_ bytes: [UInt8]) -> Bool {
        switch bytes.first {
        case UInt8(ascii: "I"), UInt8(ascii: "U"), UInt8(ascii: "D"): true
        default: false
        }
    }

    /// Whether it says something of a row, or of all rows of a table.
    package var isOfRows: Bool {
        switch self {
        case .insert, .update, .delete, .truncate: true
        default: false
        }
    }
}

/// Takes the parts of a message off its bytes.
private struct PgOutputReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    func error(_ reason: String) -> PgOutputError { PgOutputError(offset: offset, reason: reason) }

    mutating func message() throws(PgOutputError) -> PgOutputMessage {
        let kind = try byte()
        switch kind {
        case UInt8(ascii: "B"):
            let transaction = try transaction()
            return .begin(transaction, id: try number())
        case UInt8(ascii: "C"):
            _ = try byte()
            _ = try number() as UInt64
            return .commit(try transaction())
        case UInt8(ascii: "O"):
            _ = try number() as UInt64
            _ = try name()
            return .origin
        case UInt8(ascii: "R"): return .relation(try relation())
        case UInt8(ascii: "Y"):
            _ = try number() as UInt32
            _ = try name()
            _ = try name()
            return .type
        case UInt8(ascii: "I"):
            let relation = try number() as UInt32
            try expect("N")
            return .insert(relation: relation, new: try row())
        case UInt8(ascii: "U"):
            let relation = try number() as UInt32
            let old = try oldRow()
            try expect("N")
            return .update(relation: relation, old: old, new: try row())
        case UInt8(ascii: "D"):
            let relation = try number() as UInt32
            guard let old = try oldRow() else { throw error("a row that was removed is missing") }
            return .delete(relation: relation, old: old)
        case UInt8(ascii: "T"):
            let count = Int(clamping: try number() as UInt32)
            guard count <= PgOutputMessage.tables else { throw error("\(count) tables are too many") }
            _ = try byte()
            var relations: [UInt32] = []
            for _ in 0..<count { relations.append(try number()) }
            return .truncate(relations: relations)
        case UInt8(ascii: "M"):
            _ = try byte()
            _ = try number() as UInt64
            _ = try name()
            _ = try take(Int(clamping: try number() as UInt32))
            return .message
        default:
            offset -= 1
            throw error("no kind of message is \(kind)")
        }
    }

    private mutating func transaction() throws(PgOutputError) -> PgOutputMessage.Transaction {
        let end: UInt64 = try number()
        let time: Int64 = try number()
        return PgOutputMessage.Transaction(end: LogLocation(end), time: time)
    }

    private mutating func relation() throws(PgOutputError) -> PgOutputMessage.Relation {
        let id = try number() as UInt32
        let schema = try name()
        let table = try name()
        _ = try byte()
        var relation = PgOutputMessage.Relation(
            id: id, schema: schema.isEmpty ? "pg_catalog" : schema, name: table, columns: [])
        let count = try columnCount()
        for _ in 0..<count {
            let isKey = try byte() & 1 != 0
            let column = try name()
            let type = try number() as UInt32
            _ = try number() as UInt32
            relation.columns.append(PgOutputMessage.Relation.Column(name: column, type: type, isKey: isKey))
        }
        return relation
    }

    private mutating func oldRow() throws(PgOutputError) -> PgOutputMessage.OldRow? {
        guard offset < bytes.count else { throw error("it ends too early") }
        switch bytes[offset] {
        case UInt8(ascii: "K"):
            offset += 1
            return .key(try row())
        case UInt8(ascii: "O"):
            offset += 1
            return .whole(try row())
        default: return nil
        }
    }

    private mutating func row() throws(PgOutputError) -> [PgOutputMessage.Cell] {
        var cells: [PgOutputMessage.Cell] = []
        let count = try columnCount()
        cells.reserveCapacity(count)
        for _ in 0..<count {
            switch try byte() {
            case UInt8(ascii: "n"): cells.append(.null)
            case UInt8(ascii: "u"): cells.append(.unchanged)
            case UInt8(ascii: "t"):
                let text = try take(Int(clamping: try number() as UInt32))
                guard let text = String(validating: text, as: UTF8.self) else { throw error("a value is not UTF-8") }
                cells.append(.text(text))
            case let kind:
                offset -= 1
                throw error("no kind of value is \(kind)")
            }
        }
        return cells
    }

    private mutating func columnCount() throws(PgOutputError) -> Int {
        let count = Int(try number() as UInt16)
        guard count <= PgOutputMessage.columns else { throw error("\(count) columns are too many") }
        return count
    }

    private mutating func expect(_ mark: Unicode.Scalar) throws(PgOutputError) {
        guard try byte() == UInt8(ascii: mark) else {
            offset -= 1
            throw error("a row is missing")
        }
    }

    private mutating func byte() throws(PgOutputError) -> UInt8 {
        guard offset < bytes.count else { throw error("it ends too early") }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// A number, the most significant byte first.
    private mutating func number<Number: FixedWidthInteger>() throws(PgOutputError) -> Number {
        let size = MemoryLayout<Number>.size
        guard size <= bytes.count - offset else { throw error("it ends too early") }
        defer { offset += size }
        return bytes.withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    /// A text that ends with a zero.
    private mutating func name() throws(PgOutputError) -> String {
        guard let end = bytes[offset...].firstIndex(of: 0) else { throw error("a name doesn't end") }
        guard let name = String(validating: bytes[offset..<end], as: UTF8.self) else {
            throw error("a name is not UTF-8")
        }
        offset = end + 1
        return name
    }

    private mutating func take(_ count: Int) throws(PgOutputError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw error("it ends too early") }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }
}
