import MarqueeDiff

/// The checksum of one row: XXH64 over its values, of which 62 bits are kept so that sums can be added up in SQL.
///
/// It detects flipped bits, including those that leave the row readable, such as another subject or number.
enum RowSum {
    static let mask: Int64 = (1 << 62) - 1

    /// - Parameter row: the values in the order of the table's columns, without the sum.
    static func of(_ row: RowBytes) -> Int64 { Int64(bitPattern: XXH64.hash(row.bytes)) & mask }

    /// Adds up sums, within their 62 bits.
    static func adding(_ a: Int64, _ b: Int64) -> Int64 { (a &+ b) & mask }
    static func subtracting(_ a: Int64, _ b: Int64) -> Int64 { (a &- b) & mask }
}

/// Something in a store file isn't what was written.
struct StoreDamage: Error, Hashable, CustomStringConvertible {
    /// The damaged part, such as `the row 'episode e1' of record`.
    var description: String

    init(_ description: String) { self.description = description }
}
