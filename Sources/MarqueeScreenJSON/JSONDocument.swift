package import MarqueeModel

/// A JSON document. It is built by hand, so its keys don't change when a type is renamed.
package enum JSONDocument: Hashable, Sendable {
    case null
    case string(String)
    case unsigned(UInt64)
    /// A negative whole number.
    case signed(Int64)
    case number(Double)
    case bool(Bool)
    case array([JSONDocument])
    case object([String: JSONDocument])
    /// A document in one line, as `line` writes it.
    case written(String)

    /// The document of JSON text; `nil` for `null`, and for text that isn't JSON.
    package init?(_ value: JSONValue) {
        guard value != .null else { return nil }
        self.init(whole: value)
    }

    private init(whole value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text):
            if let number = UInt64(text) {
                self = .unsigned(number)
            } else if let number = Int64(text) {
                self = .signed(number)
            } else {
                self = Double(text).map { .number($0) } ?? .string(text)
            }
        case .text(let text): self = .string(text)
        case .list(let values): self = .array(values.map { JSONDocument(whole: $0) })
        case .object(let members):
            self = .object(Dictionary(members.map { ($0.name, JSONDocument(whole: $0.value)) }) { first, _ in first })
        }
    }

    /// An object without the keys that have no value.
    package static func object(_ pairs: KeyValuePairs<String, JSONDocument?>) -> JSONDocument {
        .object(self.pairs(pairs))
    }

    /// The pairs that have a value.
    package static func pairs(_ pairs: KeyValuePairs<String, JSONDocument?>) -> [String: JSONDocument] {
        Dictionary(pairs.compactMap { key, value in value.map { (key, $0) } }) { first, _ in first }
    }

    package static func strings(_ texts: [String]) -> JSONDocument { .array(texts.map { .string($0) }) }

    package static func integer(_ value: some BinaryInteger) -> JSONDocument {
        value < 0 ? .signed(Int64(clamping: value)) : .unsigned(UInt64(clamping: value))
    }

    /// The document in one line, with keys in order. Anything a terminal could take for a command is escaped, which
    /// loses nothing.
    package func line() -> String {
        var line = ""
        write(to: &line)
        return line
    }

    private func write(to line: inout String) {
        switch self {
        case .null: line += "null"
        case .string(let text): Self.write(text, to: &line)
        case .unsigned(let value): line += String(value)
        case .signed(let value): line += String(value)
        case .number(let value): line += Self.text(of: value)
        case .bool(let value): line += value ? "true" : "false"
        case .written(let text): line += text
        case .array(let values):
            line += "["
            for (index, value) in values.enumerated() {
                if index > 0 { line += "," }
                value.write(to: &line)
            }
            line += "]"
        case .object(let members):
            line += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { line += "," }
                Self.write(member.key, to: &line)
                line += ":"
                member.value.write(to: &line)
            }
            line += "}"
        }
    }

    /// JSON has no infinity and no NaN; whole numbers are written without a fraction.
    private static func text(of value: Double) -> String {
        if value.isNaN { return "\"nan\"" }
        if value.isInfinite { return value < 0 ? "\"-inf\"" : "\"inf\"" }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
        return "\(value)"
    }

    private static func write(_ text: String, to line: inout String) {
        line += "\""
        // Most texts need no escape.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
            line += text
            line += "\""
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case _ where TerminalText.isHarmless(scalar): line.unicodeScalars.append(scalar)
            default:
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        line += "\""
    }
}
