/// Reads digits and single characters from the beginning of a text.
struct DigitScanner {
    private(set) var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }
    var text: String { String(Substring(rest)) }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// A number of exactly `count` digits; takes nothing if there are fewer.
    mutating func number(digits count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, let number = DigitScanner.number(digits) else { return nil }
        rest = rest.dropFirst(count)
        return number
    }

    /// All digits that follow; `nil` if there are none, or more than `most`.
    mutating func digits(atMost most: Int) -> Substring? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...most).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        return Substring(digits)
    }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
