/// Checks that bytes are valid protocol text: UTF-8 without NUL.
enum TextCheck {
    /// Runs of ASCII are checked eight bytes at a time.
    static func check(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var index = 0
        while index < bytes.count {
            if index + 8 <= bytes.count, isPlainASCII(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
                index += 8
                continue
            }
            let byte = bytes[index]
            if byte == 0 { throw WireError(.nulInText, "a text contains NUL") }
            guard let length = sequenceLength(bytes, at: index) else {
                throw WireError(.invalidUTF8, "a text is not valid UTF-8")
            }
            index += length
        }
    }

    /// Whether no byte of the word is NUL or above 127.
    private static func isPlainASCII(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        // If every byte is below 128, a borrow into a top bit means some byte was 0.
        return word & tops == 0 && (word &- ones) & tops == 0
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
