import Foundation
import GRDB
import MarqueeDiff

/// The checksum of one row: XXH64 over its values, of which 62 bits are kept so that sums can be added up in SQL.
///
/// It detects flipped bits, including those that leave the row readable, such as another subject or number.
enum RowSum {
    static let mask: Int64 = (1 << 62) - 1

    /// - Parameter values: in the order of the table's columns, without the sum.
    static func of(_ values: some Sequence<DatabaseValue>) -> Int64 {
        var bytes: [UInt8] = []
        for value in values { append(value.storage, to: &bytes) }
        return Int64(bitPattern: XXH64.hash(bytes)) & mask
    }

    private static func append(_ storage: DatabaseValue.Storage, to bytes: inout [UInt8]) {
        func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        switch storage {
        case .null: bytes.append(0)
        case .int64(let number):
            bytes.append(1)
            add(UInt64(bitPattern: number))
        case .double(let number):
            bytes.append(2)
            // SQLite stores both zeros as one.
            add((number == 0 ? 0 : number).bitPattern)
        case .string(let text):
            bytes.append(3)
            add(UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        case .blob(let data):
            bytes.append(4)
            add(UInt64(data.count))
            bytes.append(contentsOf: data)
        }
    }

    /// Adds up sums, within their 62 bits.
    static func adding(_ a: Int64, _ b: Int64) -> Int64 { (a &+ b) & mask }
    static func subtracting(_ a: Int64, _ b: Int64) -> Int64 { (a &- b) & mask }
}

/// Something in a store file isn't what was written.
struct StoreDamage: Error, Hashable, CustomStringConvertible {
    /// What is damaged, such as `the row 'episode e1' of record`.
    var description: String

    init(_ description: String) { self.description = description }
}
