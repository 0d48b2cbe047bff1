import Foundation
import GRDB
import MarqueeModel

// The forms in which values are written into columns: little endian, and in fixed widths unless there is a reason for
// less.

extension Cut {
    static let storedBytes = 32

    /// The four components, 8 bytes each.
    var stored: Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Cut.storedBytes)
        for value in [catalogueEpoch, catalogueRevision, userEpoch, userRevision] {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return Data(bytes)
    }

    /// - Returns: `nil` for bytes of the wrong length.
    init?(stored: [UInt8]) {
        guard stored.count == Cut.storedBytes else { return nil }
        func value(at offset: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(stored[offset + $1]) << UInt64($1 * 8) }
        }
        self.init(
            catalogueEpoch: value(at: 0), catalogueRevision: value(at: 8), userEpoch: value(at: 16),
            userRevision: value(at: 24))
    }
}

/// The order of a section's items: their row numbers as unsigned LEB128, one after another.
enum ItemOrder {
    static func encoded(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 3)
        for number in numbers {
            var rest = UInt64(bitPattern: number)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }
        return bytes
    }

    /// - Returns: `nil` for bytes that don't encode a list of numbers.
    static func decoded(_ bytes: [UInt8]) -> [Int64]? {
        var numbers: [Int64] = []
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            guard shift < 63 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                numbers.append(Int64(value))
                value = 0
                shift = 0
            } else {
                shift += 7
            }
        }
        return shift == 0 ? numbers : nil
    }
}

extension Row {
    /// The bytes of a column; empty for NULL.
    func bytes(_ index: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: index) { $0.map { [UInt8]($0) } ?? [] }
    }

    /// An unsigned number stored as its bit pattern.
    func unsigned(_ index: Int) throws -> UInt64 {
        UInt64(bitPattern: try decode(Int64.self, atIndex: index))
    }
}
