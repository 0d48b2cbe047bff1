/// A value as bytes with the same order: the first differing byte decides, and a prefix goes first. Missing values come
/// last in both directions.
///
/// Keys of one field can be compared with each other, but not with those of another field.
package struct SortKey: Hashable, Sendable, Comparable {
    /// Bytes of a text that are compared; records equal in all of them are ordered by id.
    package static let textBytes = 256
    private static let present: UInt8 = 1
    private static let missing: UInt8 = 2

    package let bytes: [UInt8]

    /// - Parameter value: a number, time, duration or text. Anything else counts as missing, and so does NaN.
    package init(_ value: FieldValue?, descending: Bool = false) {
        guard let payload = SortKey.payload(value) else {
            bytes = [SortKey.missing]
            return
        }
        bytes = [SortKey.present] + (descending ? payload.map { ~$0 } : payload)
    }

    package static func < (a: SortKey, b: SortKey) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    private static func payload(_ value: FieldValue?) -> [UInt8]? {
        switch value {
        case .integer(let number): return bigEndian(ordered(number))
        case .unsigned(let number): return bigEndian(number)
        case .real(let number): return number.isNaN ? nil : bigEndian(ordered(number))
        case .timestamp(let seconds, let nanos), .duration(let seconds, let nanos):
            return bigEndian(ordered(seconds)) + bigEndian(ordered(nanos))
        case .text(let text):
            // Case-insensitive. The final NUL, which no text contains, keeps longer texts first when the order is
            // inverted.
            return Array(text.lowercased().utf8.prefix(textBytes)) + [0]
        case .bool, .bytes, .enumeration, .message, nil: return nil
        }
    }

    private static func bigEndian(_ bits: UInt64) -> [UInt8] {
        withUnsafeBytes(of: bits.bigEndian) { Array($0) }
    }

    private static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

    private static func ordered(_ number: Double) -> UInt64 {
        // 0 and -0 are one value.
        let bits = number == 0 ? 0 : number.bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }
}
