extension [UInt8] {
    /// - Parameter digits: two for each byte, in either case.
    /// - Returns: `nil` for anything else.
    package init?(hexadecimal digits: some StringProtocol) {
        guard digits.utf8.count.isMultiple(of: 2), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            return nil
        }
        self = []
        reserveCapacity(digits.utf8.count / 2)
        var rest = digits[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            append(byte)
            rest = rest.dropFirst(2)
        }
    }
}

extension Collection<UInt8> {
    /// Two digits for each byte, in lower case.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                text[2 * index] = digits[Int(byte >> 4)]
                text[2 * index + 1] = digits[Int(byte & 15)]
            }
            return 2 * count
        }
    }
}
