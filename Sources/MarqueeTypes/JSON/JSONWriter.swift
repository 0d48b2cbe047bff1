package import MarqueeModel

/// Writes JSON without spaces.
package struct JSONWriter {
    package private(set) var text = ""
    private var needsComma = false

    package init() {}

    package mutating func object<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        try nested("{", "}", body)
    }

    package mutating func list<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        try nested("[", "]", body)
    }

    private mutating func nested<Failure>(
        _ open: String, _ close: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin()
        text += open
        needsComma = false
        try body(&self)
        text += close
        needsComma = true
    }

    /// Writes the name of a member; write its value next.
    package mutating func name(_ name: String) {
        string(name)
        text += ":"
        needsComma = false
    }

    /// Writes a number, `true`, `false` or `null`.
    package mutating func word(_ word: String) {
        begin()
        text += word
        needsComma = true
    }

    package mutating func string(_ string: String) {
        begin()
        text += "\""
        defer {
            text += "\""
            needsComma = true
        }
        // Most texts need no escapes, and are copied in one piece.
        guard string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
        else { return text += string }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Writes any value, with the members of objects sorted by name and numbers as they were written.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: word("null")
        case .bool(let value): word("\(value)")
        case .number(let digits): word(digits)
        case .text(let text): string(text)
        case .list(let values): list { writer in for value in values { writer.value(value) } }
        case .object(let members):
            object { writer in
                for member in members.sorted(by: { $0.name < $1.name }) {
                    writer.name(member.name)
                    writer.value(member.value)
                }
            }
        }
    }

    private mutating func begin() {
        if needsComma { text += "," }
    }
}
