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
    package var hexadecimal: String { Hexadecimal.digits(of: Array(self)) }
}

private enum Hexadecimal {
    /// Takes one type of collection, because a generic loop isn't specialized across modules.
    static func digits(of bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }
}
