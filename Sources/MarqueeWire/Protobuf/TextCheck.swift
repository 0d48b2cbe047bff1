/// Checks that bytes are valid protocol text: UTF-8 without NUL.
enum TextCheck {
    /// Runs of ASCII are checked eight bytes at a time.
    @inline(__always)
    static func check(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard !isPlainASCII(bytes) else { return }
        try checkScalars(bytes)
    }

    /// Whether all bytes are ASCII and none is NUL.
    @inline(__always)
    private static func isPlainASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        guard count >= 8 else { return count == 0 || isPlainASCII(shortWord(bytes)) }
        var index = 0
        while index &+ 8 <= count {
            guard isPlainASCII(word(bytes, index)) else { return false }
            index &+= 8
        }
        // The last word may overlap the one before it.
        return isPlainASCII(word(bytes, count &- 8))
    }

    /// A word made of 1 to 7 bytes: some are used twice, and unused bytes of the word are 1.
    @inline(__always)
    private static func shortWord(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        if count >= 4 {
            let first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
            let last = bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            return UInt64(first) | UInt64(last) &<< 32
        }
        return UInt64(bytes[0]) | UInt64(bytes[count &>> 1]) &<< 8 | UInt64(bytes[count &- 1]) &<< 16
            | 0x0101_0101_0100_0000
    }

    /// Whether any byte is 0.
    static func containsNUL(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index &+ 8 <= bytes.count {
            let word = word(bytes, index)
            // Looks for a top bit that the borrow has set and that wasn't set before.
            if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
            index &+= 8
        }
        return bytes[index...].contains(0)
    }

    private static func checkScalars(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var index = 0
        while index < bytes.count {
            if index &+ 8 <= bytes.count, isPlainASCII(word(bytes, index)) {
                index &+= 8
                continue
            }
            // Scalar by scalar to the end of this word; the last scalar may extend past it.
            let end = min(index &+ 8, bytes.count)
            while index < end {
                let byte = bytes[index]
                if byte == 0 { throw WireError(.nulInText, "a text contains NUL") }
                guard let length = sequenceLength(bytes, at: index) else {
                    throw WireError(.invalidUTF8, "a text is not valid UTF-8")
                }
                index &+= length
            }
        }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// Whether no byte of the word is NUL or above 127.
    @inline(__always)
    private static func isPlainASCII(_ word: UInt64) -> Bool {
        // If every byte is below 128, a borrow into a top bit means some byte was 0.
        (word | (word &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0
    }

    /// Bytes of the scalar that begins at `index`; `nil` if it is invalid: an overlong form, a surrogate, a scalar
    /// above U+10FFFF, a stray or missing continuation byte.
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int? {
        let length: Int
        let second: ClosedRange<UInt8>
        switch bytes[index] {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard bytes.count - index >= length, second.contains(bytes[index + 1]) else { return nil }
        for offset in 2..<max(2, length) where !(0x80...0xBF).contains(bytes[index + offset]) { return nil }
        return length
    }
}
