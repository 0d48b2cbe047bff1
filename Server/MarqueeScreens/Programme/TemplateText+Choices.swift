/// Reads the content of braces: alternatives, each with an optional format.
extension TemplateText {
    /// One of the values or texts of a choice; the first that is present is printed.
    enum Alternative {
        case text(String)
        /// A field, with the words after its `|`: `$start | time: {zone: Asia/Seoul}`.
        case value(name: String, format: Written?)
    }

    /// A format as written.
    struct Written {
        var name: String
        /// The text after the colon if it isn't in braces.
        var argument: String?
        /// The pairs in braces after the colon.
        var options: [(key: String, value: String)] = []

        /// The name of the format that chooses a text by a number.
        static let plural = "plural"
        /// An example of its options.
        fileprivate var example: String {
            name == Self.plural ? #"one: "1 airport", other: "$n airports""# : "zone: Asia/Seoul, style: short"
        }
    }

    private static let or = "??"
    /// Maximum number of alternatives of a choice.
    private static let alternatives = 8
    /// Maximum number of options of a format.
    private static let options = 8

    /// Whether a choice begins here. Without an operator, such as in `{$title}`, braces are plain text.
    var beginsChoice: Bool {
        guard rest.hasPrefix("{$") else { return false }
        var probe = self
        probe.rest.removeFirst(2)
        guard !probe.takePath().isEmpty else { return false }
        probe.skipSpaces()
        return probe.rest.hasPrefix("|") || probe.rest.hasPrefix(Self.or)
    }

    /// - Returns: `nil` for a `mistake`.
    mutating func takeChoice() -> [Alternative]? {
        rest.removeFirst()
        var found: [Alternative] = []
        while found.count < Self.alternatives {
            guard let alternative = takeAlternative() else { return nil }
            found.append(alternative)
            if take("}") { return found }
            guard take(Self.or) else {
                mistake = "in braces, '\(Self.or)' or '}' must follow before '\(rest.prefix(16))'"
                return nil
            }
        }
        mistake = "braces hold at most \(Self.alternatives) alternatives"
        return nil
    }

    private mutating func takeAlternative() -> Alternative? {
        if take("\"") { return takeText().map { .text($0) } }
        guard take("$"), case let name = takePath(), !name.isEmpty else {
            mistake = "braces hold fields and texts in quotation marks: '{$subtitle \(Self.or) \"unknown\"}'"
            return nil
        }
        guard take("|") else { return .value(name: name, format: nil) }
        guard let format = takeFormat() else { return nil }
        return .value(name: name, format: format)
    }

    private mutating func takeFormat() -> Written? {
        skipSpaces()
        var format = Written(name: takeWord { $0.isLetter })
        guard take(":") else { return format }
        guard take("{") else {
            skipSpaces()
            format.argument = takeWord { !$0.isWhitespace && $0 != "}" && $0 != "?" }
            return format
        }
        while format.options.count < Self.options {
            skipSpaces()
            let key = takeWord { $0.isLetter }
            guard take(":") else { break }
            guard let value = take("\"") ? takeText() : takeWord({ !$0.isWhitespace && $0 != "," && $0 != "}" }) else {
                return nil
            }
            format.options.append((key, value))
            if take("}") { return format }
            guard take(",") else { break }
        }
        mistake = "the options of '\(format.name)' are written as '{\(format.example)}'"
        return nil
    }

    /// Reads a text whose opening quotation mark has been read.
    private mutating func takeText() -> String? {
        guard let end = rest.firstIndex(of: "\"") else {
            mistake = "a text in braces must end with a quotation mark"
            return nil
        }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }

    private mutating func takeWord(_ isOfWord: (Character) -> Bool) -> String {
        let word = rest.prefix(while: isOfWord)
        rest.removeFirst(word.count)
        return String(word)
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

    private mutating func take(_ token: String) -> Bool {
        skipSpaces()
        guard rest.hasPrefix(token) else { return false }
        rest.removeFirst(token.count)
        return true
    }
}
