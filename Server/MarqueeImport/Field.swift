import MarqueeModel

/// Values of CSV fields. An empty field is an absent value.
enum Field {
    /// The text, or `nil` if there is nothing but spaces.
    static func text(_ text: String) -> String? {
        text.allSatisfy(\.isWhitespace) ? nil : text
    }

    static func id(_ text: String, _ column: String) throws(BadRow) -> UInt64 {
        guard let id = UInt64(text), id > 0 else { throw BadRow("\(column): '\(shown(text))' is not an id") }
        return id
    }

    static func number<Number: FixedWidthInteger>(_ text: String, _ column: String) throws(BadRow) -> Number? {
        guard let text = Field.text(text) else { return nil }
        guard let number = Number(text) else { throw BadRow("\(column): '\(shown(text))' is not a whole number") }
        return number
    }

    static func decimal(_ text: String, _ column: String) throws(BadRow) -> Double? {
        guard let text = Field.text(text) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw BadRow("\(column): '\(shown(text))' is not a number")
        }
        return number
    }

    static func date(_ text: String, _ column: String) throws(BadRow) -> CalendarDate? {
        guard let text = Field.text(text) else { return nil }
        guard let date = CalendarDate(text) else {
            throw BadRow("\(column): '\(shown(text))' is not a date; dates are written YYYY-MM-DD")
        }
        return date
    }

    /// The text without leading and trailing spaces.
    static func trimmed(_ text: String) -> String {
        let visible: ClosedRange<UInt8> = 0x21...0x7E
        if let first = text.utf8.first, let last = text.utf8.last, visible.contains(first), visible.contains(last) {
            return text
        }
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    /// The beginning of a value, for messages.
    static func shown(_ text: String) -> String {
        let limit = 40
        return text.count > limit ? "\(text.prefix(limit))…" : text
    }
}
