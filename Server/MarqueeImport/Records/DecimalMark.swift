/// The mark between a number's whole part and its fraction, in texts.
package enum DecimalMark: String, CaseIterable, Sendable {
    /// `1204.5`, without other separators.
    case point
    /// `1204,5`, also with separators between thousands: `1.204,5`, `1 204,5`, `1'204,5`.
    case comma

    package static let words = "'comma' or 'point'"

    /// The number as it is written with a point and without separators.
    ///
    /// - Returns: `nil` for a text that isn't a number with this mark.
    func plain(_ text: String) -> String? {
        switch self {
        case .point: text
        case .comma: Self.pointed(text)
        }
    }

    private static let separators: Set<Character> = [".", " ", "\u{A0}", "\u{202F}", "\u{2009}", "'", "’"]
    private static let groupDigits = 3

    private static func pointed(_ text: String) -> String? {
        var rest = text[...]
        var plain = ""
        if let sign = rest.first, "+-".contains(sign) { plain.append(rest.removeFirst()) }
        let first = digits(&rest)
        plain += first
        if let separator = rest.first, separators.contains(separator) {
            guard (1...groupDigits).contains(first.count), first.first != "0" else { return nil }
            while rest.first == separator {
                rest.removeFirst()
                let group = digits(&rest)
                guard group.count == groupDigits else { return nil }
                plain += group
            }
        }
        guard !first.isEmpty else { return nil }
        if rest.first == "," {
            rest.removeFirst()
            let fraction = digits(&rest)
            guard !fraction.isEmpty else { return nil }
            plain += ".\(fraction)"
        }
        guard let exponent = rest.first else { return plain }
        // An exponent is read as that of any number.
        return exponent == "e" || exponent == "E" ? plain + rest : nil
    }

    private static func digits(_ rest: inout Substring) -> Substring {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits
    }
}
