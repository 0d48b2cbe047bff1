/// A value of a column.
enum ColumnValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func text(orNull text: String?) -> ColumnValue { text.map { .text($0) } ?? .null }
    static func blob(orNull bytes: [UInt8]?) -> ColumnValue { bytes.map { .blob($0) } ?? .null }
    static func real(orNull number: Double?) -> ColumnValue { number.map { .real($0) } ?? .null }
}

/// Encoded values, one after the other: each is a tag, then 8 bytes with a number or a length, then the content of text
/// or of a blob.
///
/// A row's sum is taken over this form, and a statement's parameters are bound to the same bytes, so a row is laid out
/// only once to be written.
struct RowBytes {
    enum Tag: UInt8 { case null, integer, real, text, blob }

    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    /// Room for most rows, so that they don't move while they grow.
    private static let usualSize = 192

    init() { bytes.reserveCapacity(Self.usualSize) }

    init(_ values: [ColumnValue]) {
        guard !values.isEmpty else { return }
        bytes.reserveCapacity(Self.usualSize)
        append(contentsOf: values)
    }

    mutating func append(contentsOf values: [ColumnValue]) {
        for value in values { append(value) }
    }

    mutating func append(_ value: ColumnValue) {
        switch value {
        case .null: appendNull()
        case .integer(let number): append(number)
        case .real(let number): append(number)
        case .text(var text): text.withUTF8 { append(.text, UnsafeRawBufferPointer($0)) }
        case .blob(let bytes): bytes.withUnsafeBytes { append(.blob, $0) }
        }
    }

    mutating func appendNull() {
        count += 1
        bytes.append(Tag.null.rawValue)
    }

    mutating func append(_ number: Int64) { append(.integer, UInt64(bitPattern: number)) }

    /// SQLite stores both zeros as one.
    mutating func append(_ number: Double) { append(.real, (number == 0 ? 0 : number).bitPattern) }

    /// - Parameter tag: `text` or `blob`.
    mutating func append(_ tag: Tag, _ content: UnsafeRawBufferPointer) {
        append(tag, UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    private mutating func append(_ tag: Tag, _ word: UInt64) {
        count += 1
        bytes.append(tag.rawValue)
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
