internal import Foundation

/// Base64, between bytes: of a few, Foundation's way through `Data` and a text costs more than the JSON around it.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The mark of a byte that is no digit.
    private static let none: UInt8 = 0xFF
    /// Beyond so many bytes, Foundation is faster; in a debug build, much faster.
    private static let few = 1_024
    /// The value of each digit of the standard alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// With padding.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        var digits: [UInt8] = []
        append(Array(bytes), to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends the digits of bytes, with padding.
    static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        if bytes.count > few {
            text += Data(bytes).base64EncodedString().utf8
            return
        }
        let length = (bytes.count + 2) / 3 * 4
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { digits in
            digits.initialize(repeating: padding)
            alphabet.withUnsafeBufferPointer { alphabet in
                bytes.withUnsafeBufferPointer { bytes in
                    var (index, place) = (0, 0)
                    while index < bytes.count {
                        let left = bytes.count - index
                        var word = UInt32(bytes[index]) << 16
                        if left > 1 { word |= UInt32(bytes[index + 1]) << 8 }
                        if left > 2 { word |= UInt32(bytes[index + 2]) }
                        digits[place] = alphabet[Int(word >> 18)]
                        digits[place + 1] = alphabet[Int(word >> 12 & 63)]
                        if left > 1 { digits[place + 2] = alphabet[Int(word >> 6 & 63)] }
                        if left > 2 { digits[place + 3] = alphabet[Int(word & 63)] }
                        index += 3
                        place += 4
                    }
                }
            }
            text.append(contentsOf: digits)
        }
    }

    /// Reads the standard or the URL alphabet, padded or not.
    /// - Returns: `nil` if it isn't base64.
    static func bytes(_ text: String) -> [UInt8]? {
        var letters = Array(text.utf8)[...]
        if letters.count % 4 == 0 {
            if letters.last == padding { letters = letters.dropLast() }
            if letters.last == padding { letters = letters.dropLast() }
        }
        guard letters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count * 3 / 4)
        var bits = 0
        var count = 0
        for letter in letters {
            let value =
                switch letter {
                case UInt8(ascii: "-"): UInt8(62)
                case UInt8(ascii: "_"): UInt8(63)
                default: values[Int(letter)]
                }
            guard value != none else { return nil }
            bits = (bits << 6 | Int(value)) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }

    /// Reads digits as `append` writes them.
    /// - Returns: `nil` for any others.
    package static func bytes(exactly digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 4) else { return nil }
        guard digits.last == padding else { return bytes(unpadded: digits[...]) }
        return bytes(unpadded: digits.dropLast(digits[digits.count - 2] == padding ? 2 : 1))
    }

    private static func bytes(unpadded digits: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        let digits = UnsafeBufferPointer(rebasing: digits)
        // The highest bits of all values, and those that no byte has.
        var faults: UInt8 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count * 3 / 4) { bytes, filled in
            values.withUnsafeBufferPointer { values in
                var (word, bits): (UInt32, UInt32) = (0, 0)
                for digit in digits {
                    let value = values[Int(digit)]
                    faults |= value & ~63
                    word = word << 6 | UInt32(value & 63)
                    bits += 6
                    guard bits >= 8 else { continue }
                    bits -= 8
                    bytes.initializeElement(at: filled, to: UInt8(truncatingIfNeeded: word >> bits))
                    filled += 1
                }
                if word & (1 << bits - 1) != 0 { faults |= 1 }
            }
        }
        return faults == 0 ? bytes : nil
    }
}
