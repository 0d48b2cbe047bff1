/// Reads the unsigned varints (LEB128) of a script, one after another.
struct VarintReader {
    /// Maximum bytes of a varint: enough for 32 bits.
    static let maximumBytes = 5

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// The next number, 0...UInt32.max.
    ///
    /// - Throws: `malformedScript` if the number is truncated, too large, or encoded in more bytes than it needs.
    mutating func next() throws(PatchError) -> Int {
        var value = 0
        for index in 0..<VarintReader.maximumBytes {
            guard position < bytes.count else {
                throw PatchError(.malformedScript, "the script ends within a number")
            }
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7F) << (7 * index)
            guard byte & 0x80 == 0 else { continue }
            guard byte != 0 || index == 0 else {
                throw PatchError(.malformedScript, "a number in the script is longer than it needs to be")
            }
            guard value <= Int(UInt32.max) else { break }
            return value
        }
        throw PatchError(.malformedScript, "a number in the script is above \(UInt32.max)")
    }
}

extension [UInt8] {
    /// Appends the shortest varint of `value`, which must not be negative.
    mutating func appendVarint(_ value: Int) {
        var rest = UInt64(value)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
