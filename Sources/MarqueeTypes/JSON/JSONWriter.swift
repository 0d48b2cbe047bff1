package import MarqueeModel

/// Writes JSON without spaces.
package struct JSONWriter {
    /// UTF-8.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// - Parameter capacity: the bytes for which there is room from the beginning.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func object<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        try nested("{", "}", body)
    }

    package mutating func list<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        try nested("[", "]", body)
    }

    private mutating func nested<Failure>(
        _ open: UnicodeScalar, _ close: UnicodeScalar, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin()
        append(open)
        needsComma = false
        try body(&self)
        append(close)
        needsComma = true
    }

    /// Writes the name of a member; write its value next.
    package mutating func name(_ name: String) {
        string(name)
        append(":")
        needsComma = false
    }

    /// Writes a number, `true`, `false` or `null`.
    package mutating func word(_ word: String) {
        begin()
        bytes += word.utf8
        needsComma = true
    }

    package mutating func string(_ string: String) {
        var string = string
        quoted { bytes in
            string.withUTF8 { text in
                // Most texts need no escapes, and are copied in one piece.
                guard text.contains(where: Self.isEscaped) else { return bytes.append(contentsOf: text) }
                for byte in text {
                    switch byte {
                    case UInt8(ascii: "\""): bytes += "\\\"".utf8
                    case UInt8(ascii: "\\"): bytes += "\\\\".utf8
                    case UInt8(ascii: "\n"): bytes += "\\n".utf8
                    case UInt8(ascii: "\r"): bytes += "\\r".utf8
                    case UInt8(ascii: "\t"): bytes += "\\t".utf8
                    case 0..<0x20: bytes += ("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)).utf8
                    default: bytes.append(byte)
                    }
                }
            }
        }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Writes bytes as text, in base64.
    package mutating func base64(_ content: [UInt8]) { quoted { Base64.append(content, to: &$0) } }

    private mutating func quoted(_ content: (inout [UInt8]) -> Void) {
        begin()
        append("\"")
        content(&bytes)
        append("\"")
        needsComma = true
    }

    private mutating func append(_ scalar: UnicodeScalar) { bytes.append(UInt8(ascii: scalar)) }

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
        if needsComma { append(",") }
    }
}
