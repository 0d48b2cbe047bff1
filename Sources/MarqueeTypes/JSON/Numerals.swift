/// Converts the text of JSON numbers.
enum Numerals {
    /// The number of digits of the largest possible whole number.
    private static let digits = 20
    /// With an exponent beyond this, no whole number but 0 is accepted.
    private static let exponent = 1_000

    /// The bits of a whole number of a type, sign-extended; `nil` if the text isn't a whole number or is out of range.
    /// `1e2` and `1.0` are whole.
    static func whole(_ text: String, _ type: ScalarType) -> UInt64? {
        guard let (isNegative, magnitude) = whole(text) else { return nil }
        guard type.isSigned else {
            guard !isNegative || magnitude == 0 else { return nil }
            return type.isWide || magnitude <= UInt64(UInt32.max) ? magnitude : nil
        }
        let top = type.isWide ? UInt64(Int64.max) : UInt64(Int32.max)
        guard magnitude <= (isNegative ? top + 1 : top) else { return nil }
        return isNegative ? 0 &- magnitude : magnitude
    }

    /// Whether a text has the form of a JSON number.
    static func isNumber(_ text: String) -> Bool { Parts(text) != nil }

    private static func whole(_ text: String) -> (isNegative: Bool, magnitude: UInt64)? {
        if let plain = plain(text) { return plain }
        guard let parts = Parts(text) else { return nil }
        var point = parts.whole.count
        var digits = parts.whole + parts.fraction
        while digits.last == "0" { digits.removeLast() }
        guard !digits.isEmpty else { return (parts.isNegative, 0) }
        guard (-exponent...exponent).contains(parts.exponent) else { return nil }
        point += parts.exponent
        let leading = digits.prefix { $0 == "0" }.count
        guard point >= digits.count, point - leading <= Numerals.digits else { return nil }
        digits += String(repeating: "0", count: point - digits.count)
        return UInt64(digits.dropFirst(leading)).map { (parts.isNegative, $0) }
    }

    /// A number in plain digits, as nearly all whole numbers are written; `nil` for any other form.
    private static func plain(_ text: String) -> (isNegative: Bool, magnitude: UInt64)? {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        let zero = UInt8(ascii: "0")
        guard (1..<Numerals.digits).contains(digits.count), digits.first != zero || digits.count == 1 else {
            return nil
        }
        var magnitude: UInt64 = 0
        for digit in digits {
            guard (zero...UInt8(ascii: "9")).contains(digit) else { return nil }
            magnitude = magnitude * 10 + UInt64(digit - zero)
        }
        return (isNegative, magnitude)
    }

    private struct Parts {
        var isNegative = false
        var whole = ""
        var fraction = ""
        var exponent = 0

        init?(_ text: String) {
            var rest = text.utf8[...]
            if rest.first == UInt8(ascii: "-") {
                isNegative = true
                rest = rest.dropFirst()
            }
            whole = Parts.takeDigits(&rest)
            guard !whole.isEmpty, whole == "0" || whole.first != "0" else { return nil }
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
                fraction = Parts.takeDigits(&rest)
                if fraction.isEmpty { return nil }
            }
            if let letter = rest.first, "eE".utf8.contains(letter) {
                rest = rest.dropFirst()
                var sign = ""
                if let first = rest.first, "+-".utf8.contains(first) {
                    sign = first == UInt8(ascii: "-") ? "-" : ""
                    rest = rest.dropFirst()
                }
                let digits = Parts.takeDigits(&rest)
                if digits.isEmpty { return nil }
                exponent = Int(sign + digits) ?? (sign.isEmpty ? Int.max : Int.min)
            }
            guard rest.isEmpty else { return nil }
        }

        private static func takeDigits(_ text: inout Substring.UTF8View) -> String {
            let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            text = text[digits.endIndex...]
            return String(Substring(digits))
        }
    }
}
