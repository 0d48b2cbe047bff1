/// A key that sorts like the value it is made from. Missing values come last in both directions.
///
/// Only keys of the same field, in the same direction, can be compared. Keys of numbers, times and short texts allocate
/// nothing.
package struct SortKey: Hashable, Sendable, Comparable {
    /// The number of bytes of a text's key that are compared; records equal in all of them are ordered by id.
    package static let textBytes = 256

    /// How much of two keys of a field has to be compared if neither value is missing.
    package enum Decision: Sendable {
        /// Keys of numbers and dates.
        case ordinal
        /// Keys of times and durations.
        case ordinalAndMinor
        /// Keys of texts.
        case whole
    }

    /// Decides most comparisons: a number, or the first bytes of a text's key. `.max` for a missing value.
    package let ordinal: UInt64
    /// Decides between equal ordinals: a time's nanoseconds, or the next bytes of a text's key. `.max` for a missing
    /// value.
    package let minor: UInt64
    /// The remaining bytes of a text's key.
    private let rest: [UInt8]
    package let isMissing: Bool

    /// - Parameters:
    ///   - value: a number, time, duration or text. Anything else counts as missing, and so does NaN.
    ///   - collation: the order of texts.
    package init(_ value: FieldValue?, descending: Bool = false, collation: Collation = .root) {
        switch value {
        case .integer(let number): self.init(SortKey.ordered(number), 0, descending: descending)
        case .unsigned(let number): self.init(number, 0, descending: descending)
        case .real(let number) where !number.isNaN: self.init(SortKey.ordered(number), 0, descending: descending)
        case .timestamp(let seconds, let nanos), .duration(let seconds, let nanos):
            self.init(SortKey.ordered(seconds), SortKey.ordered(nanos), descending: descending)
        case .text(let text):
            self = collation.withKey(of: text, atMost: SortKey.textBytes) { SortKey($0, descending: descending) }
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

    /// - Parameter text: a text's key, without zeros.
    private init(_ text: UnsafeBufferPointer<UInt8>, descending: Bool) {
        var (ordinal, minor, rest): (UInt64, UInt64, [UInt8]) = (0, 0, [])
        let size = MemoryLayout<UInt64>.size
        for (place, byte) in text.enumerated() {
            switch place {
            case ..<size: ordinal |= UInt64(byte) << UInt64(8 * (size - 1 - place))
            case ..<(2 * size): minor |= UInt64(byte) << UInt64(8 * (2 * size - 1 - place))
            default: rest.append(descending ? ~byte : byte)
            }
        }
        // In descending order, a text comes before its own prefixes: 0xFF ends each inverted text.
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

    // MARK: - Bytes

    /// Flags in the first byte of a serialized key.
    private enum Part {
        static let missing: UInt8 = 1
        static let minor: UInt8 = 2
        static let rest: UInt8 = 4
    }

    /// Appends the serialized key.
    package func write(to bytes: inout [UInt8]) {
        if isMissing { return bytes.append(Part.missing) }
        bytes.append((minor == 0 ? 0 : Part.minor) | (rest.isEmpty ? 0 : Part.rest))
        Self.write(ordinal, to: &bytes)
        if minor != 0 { Self.write(minor, to: &bytes) }
        guard !rest.isEmpty else { return }
        bytes += [UInt8(rest.count >> 8), UInt8(rest.count & 0xff)]
        bytes += rest
    }

    /// Reads a serialized key from the front of `bytes`, and removes it from them.
    /// - Returns: `nil` if they don't begin with a key.
    package init?(taking bytes: inout ArraySlice<UInt8>) {
        guard let parts = bytes.popFirst() else { return nil }
        if parts == Part.missing {
            self.init(ordinal: .max, minor: .max, isMissing: true)
            return
        }
        guard parts & ~(Part.minor | Part.rest) == 0, let ordinal = Self.number(taking: &bytes, 8) else { return nil }
        var (minor, rest): (UInt64, [UInt8]) = (0, [])
        if parts & Part.minor != 0 {
            guard let number = Self.number(taking: &bytes, 8), number != 0 else { return nil }
            minor = number
        }
        if parts & Part.rest != 0 {
            // An inverted text ends with an extra byte.
            guard let count = Self.number(taking: &bytes, 2), (1...UInt64(Self.textBytes + 1)).contains(count),
                bytes.count >= Int(count)
            else { return nil }
            rest = Array(bytes.prefix(Int(count)))
            bytes = bytes.dropFirst(Int(count))
        }
        self.init(ordinal: ordinal, minor: minor, rest: rest)
    }

    private static func write(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private static func number(taking bytes: inout ArraySlice<UInt8>, _ count: Int) -> UInt64? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
}
