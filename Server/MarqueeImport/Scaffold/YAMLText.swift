/// Texts written as YAML.
enum YAMLText {
    private static let words: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]

    /// A text, quoted if it would mean something else otherwise.
    static func quoted(_ text: String) -> String {
        if isPlain(text) { return text }
        let isPrintable = text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x85 && !(0x2028...0x2029).contains($0.value)
                && $0.value != 0xFEFF
        }
        if isPrintable, !text.contains("\"") && !text.contains("\\") { return "\"\(text)\"" }
        if isPrintable { return "'\(text.replacing("'", with: "''"))'" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case let other
            where other.value < 0x20 || other.value == 0x7F || other.value == 0x85
                || (0x2028...0x2029).contains(other.value) || other.value == 0xFEFF:
                let digits = String(other.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, last != " ",
            isLetter(first) || first == "$" || text.hasPrefix("../") || first == "/", !words.contains(text.lowercased())
        else { return false }
        return text.unicodeScalars.allSatisfy {
            isLetter($0) || ("0"..."9").contains($0) || " _-.$/".unicodeScalars.contains($0)
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
            || scalar.value > 0xBF && scalar.properties.isAlphabetic
    }

    /// `[a, b]`
    static func list(_ texts: [String]) -> String { "[\(texts.map { quoted($0) }.joined(separator: ", "))]" }

    /// `{a: b, c: d}`; the values are YAML already.
    static func mapping(_ entries: [(String, String)]) -> String {
        "{\(entries.map { "\(quoted($0.0)): \($0.1)" }.joined(separator: ", "))}"
    }
}
