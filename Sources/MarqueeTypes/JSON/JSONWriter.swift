/// Writes JSON without spaces.
struct JSONWriter {
    private(set) var text = ""
    private var needsComma = false

    mutating func object<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        try nested("{", "}", body)
    }

    mutating func list<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
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

    /// The name of a member; its value follows.
    mutating func name(_ name: String) {
        string(name)
        text += ":"
        needsComma = false
    }

    /// A number, `true`, `false` or `null`.
    mutating func word(_ word: String) {
        begin()
        text += word
        needsComma = true
    }

    mutating func string(_ string: String) {
        begin()
        text += "\""
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
        text += "\""
        needsComma = true
    }

    private mutating func begin() {
        if needsComma { text += "," }
    }
}
