/// A value as a key with the same order. Missing values come last in both directions.
///
/// Keys of one field can be compared with each other, but not with those of another field. Those of numbers, times and
/// short texts allocate nothing.
package struct SortKey: Hashable, Sendable, Comparable {
    /// Bytes of a text that are compared; records equal in all of them are ordered by id.
    package static let textBytes = 256

    /// How much of the keys of a field has to be compared when they are of values that are not missing.
    package enum Decision: Sendable {
        /// Those of numbers and dates.
        case ordinal
        /// Those of times and durations.
        case ordinalAndMinor
        /// Those of texts.
        case whole
    }

    /// Decides most comparisons: all those of numbers, and the first bytes of a text. A missing value has the largest.
    package let ordinal: UInt64
    /// Decides between equal ordinals: a time's nanoseconds, the following bytes of a text. A missing value has the
    /// largest.
    package let minor: UInt64
    /// The remaining bytes of a text.
    private let rest: [UInt8]
    package let isMissing: Bool

    /// - Parameter value: a number, time, duration or text. Anything else counts as missing, and so does NaN.
    package init(_ value: FieldValue?, descending: Bool = false) {
        switch value {
        case .integer(let number): self.init(SortKey.ordered(number), 0, descending: descending)
        case .unsigned(let number): self.init(number, 0, descending: descending)
        case .real(let number) where !number.isNaN: self.init(SortKey.ordered(number), 0, descending: descending)
        case .timestamp(let seconds, let nanos), .duration(let seconds, let nanos):
            self.init(SortKey.ordered(seconds), SortKey.ordered(nanos), descending: descending)
        case .text(let text): self.init(text.lowercased().utf8.prefix(SortKey.textBytes), descending: descending)
        case .real, .bool, .bytes, .enumeration, .message, nil:
            self.init(ordinal: .max, minor: .max, rest: [], isMissing: true)
        }
    }

    private init(ordinal: UInt64, minor: UInt64, rest: [UInt8] = [], isMissing: Bool = false) {
        self.ordinal = ordinal
        self.minor = minor
        self.rest = rest
        self.isMissing = isMissing
    }

    private init(_ ordinal: UInt64, _ minor: UInt64, descending: Bool) {
        self.init(ordinal: descending ? ~ordinal : ordinal, minor: descending ? ~minor : minor)
    }

    /// - Parameter text: without NUL.
    private init(_ text: Substring.UTF8View, descending: Bool) {
        var (ordinal, minor, rest): (UInt64, UInt64, [UInt8]) = (0, 0, [])
        let size = MemoryLayout<UInt64>.size
        for (place, byte) in text.enumerated() {
            switch place {
            case ..<size: ordinal |= UInt64(byte) << UInt64(8 * (size - 1 - place))
            case ..<(2 * size): minor |= UInt64(byte) << UInt64(8 * (2 * size - 1 - place))
            default: rest.append(descending ? ~byte : byte)
            }
        }
        // Of two texts that begin alike the longer one goes first when the order is inverted.
        if descending, text.count >= 2 * size { rest.append(.max) }
        self.init(ordinal: descending ? ~ordinal : ordinal, minor: descending ? ~minor : minor, rest: rest)
    }

    package static func < (a: SortKey, b: SortKey) -> Bool {
        if a.isMissing != b.isMissing { return b.isMissing }
        if a.ordinal != b.ordinal { return a.ordinal < b.ordinal }
        if a.minor != b.minor { return a.minor < b.minor }
        return a.rest.lexicographicallyPrecedes(b.rest)
    }

    private static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

    private static func ordered(_ number: Double) -> UInt64 {
        // 0 and -0 are one value.
        let bits = number == 0 ? 0 : number.bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }
}
