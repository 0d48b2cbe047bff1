import Foundation
import GRDB
import MarqueeDiff

/// The checksum of one of the client's own rows, such as a position or an outbox entry: XXH64 over its values. It
/// detects flipped bits, including those that leave the row readable: another subject, another number, a later
/// position.
enum RowSum {
    /// - Parameter values: the values in the order of the table's columns, without the sum.
    static func of(_ values: [(any DatabaseValueConvertible)?]) -> Int64 {
        of(storages: values.map { $0?.databaseValue.storage ?? .null })
    }

    fileprivate static func of(storages: [DatabaseValue.Storage]) -> Int64 {
        var bytes: [UInt8] = []
        func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        func add(_ tag: UInt8, _ content: some Collection<UInt8>) {
            bytes.append(tag)
            add(UInt64(content.count))
            bytes.append(contentsOf: content)
        }
        for storage in storages {
            switch storage {
            case .null: bytes.append(0)
            case .int64(let number):
                bytes.append(1)
                add(UInt64(bitPattern: number))
            case .double(let number):
                bytes.append(2)
                add(number.bitPattern)
            case .string(let text): add(3, text.utf8)
            // An empty blob is stored as NULL.
            case .blob(let data): if data.isEmpty { bytes.append(0) } else { add(4, data) }
            }
        }
        return Int64(bitPattern: XXH64.hash(bytes))
    }
}

extension Row {
    /// Whether the columns before `column` match the sum stored in it.
    func givesItsSum(in column: Int) -> Bool {
        guard case .int64(let sum) = (self[column] as DatabaseValue).storage else { return false }
        return RowSum.of(storages: (0..<column).map { (self[$0] as DatabaseValue).storage }) == sum
    }
}
