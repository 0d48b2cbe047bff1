/// A parameter of a statement, in PostgreSQL's binary form.
enum PostgresValue {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case flag(Bool)
    case integers([Int64?])
    case reals([Double?])
    case texts([String?])
    case blobs([[UInt8]?])
    case flags([Bool])

    static func text(orNull text: String?) -> PostgresValue { text.map { .text($0) } ?? .null }

    /// PostgreSQL's ids of types.
    enum TypeID {
        static let flag: UInt32 = 16
        static let bytes: UInt32 = 17
        static let integer: UInt32 = 20
        static let text: UInt32 = 25
        static let real: UInt32 = 701
        static let flags: UInt32 = 1_000
        static let blobs: UInt32 = 1_001
        static let texts: UInt32 = 1_009
        static let integers: UInt32 = 1_016
        static let reals: UInt32 = 1_022
    }

    /// The type's id; 0 lets the server decide.
    var typeID: UInt32 {
        switch self {
        case .null: 0
        case .integer: TypeID.integer
        case .text: TypeID.text
        case .bytes: TypeID.bytes
        case .flag: TypeID.flag
        case .integers: TypeID.integers
        case .reals: TypeID.reals
        case .texts: TypeID.texts
        case .blobs: TypeID.blobs
        case .flags: TypeID.flags
        }
    }

    /// - Returns: `nil` for NULL.
    var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): Self.encode(number)
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .flag(let flag): [flag ? 1 : 0]
        case .integers(let numbers): Self.array(of: numbers, TypeID.integer) { Self.encode($0) }
        case .reals(let numbers): Self.array(of: numbers, TypeID.real) { Self.encode($0.bitPattern) }
        case .texts(let texts): Self.array(of: texts, TypeID.text) { Array($0.utf8) }
        case .blobs(let blobs): Self.array(of: blobs, TypeID.bytes) { $0 }
        case .flags(let flags): Self.array(of: flags, TypeID.flag) { [$0 ? 1 : 0] }
        }
    }

    private static func encode(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// An array in binary form: the number of dimensions, whether there are NULLs, the elements' type, their number and
    /// the first index; then each element with its length.
    private static func array<Element>(
        of elements: [Element?], _ type: UInt32, _ encoded: (Element) -> [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        let hasNull = elements.contains { $0 == nil }
        bytes += encode(Int32(elements.isEmpty ? 0 : 1)) + encode(Int32(hasNull ? 1 : 0)) + encode(type)
        if elements.isEmpty { return bytes }
        bytes += encode(Int32(clamping: elements.count)) + encode(Int32(1))
        for element in elements {
            guard let element else {
                bytes += encode(Int32(-1))
                continue
            }
            let content = encoded(element)
            bytes += encode(Int32(clamping: content.count)) + content
        }
        return bytes
    }
}

/// A statement with its parameters `$1`, `$2`, …
struct PostgresStatement {
    /// One of a bounded number of texts, because each connection keeps every statement that it has run prepared.
    var sql: String
    var values: [PostgresValue]

    init(_ sql: String, _ values: [PostgresValue] = []) {
        self.sql = sql
        self.values = values
    }
}
