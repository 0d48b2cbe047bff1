/// Splits the text of a template: `$show.title · $minutes min`, `${minutes}m`, `${names[ko]}`, `$$5`,
/// `{$size | bytes ?? "unknown"}`.
struct TemplateText {
    enum Piece {
        case text(String)
        case name(String)
        case choice([Alternative])
        case separator(String)

        /// A value printed as a number in the locale's format.
        static func number(_ name: String) -> Piece {
            .choice([.value(name: name, format: Written(name: "number"))])
        }

        func isName(_ name: String) -> Bool { if case .name(name) = self { true } else { false } }
    }

    /// Separators between parts that are omitted independently.
    private static let separators = [" · ", " │ ", ", "]

    /// The suffix of a list's name that stands for its first text.
    static let first = "[0]"

    var rest: Substring
    /// The reason why there are no pieces, if it isn't a `$` without a name.
    var mistake: String?
    private var found: [Piece] = []
    private var plain = ""

    init(_ text: String) { rest = text[...] }

    /// - Returns: `nil` if a `$` isn't followed by a name, or for a `mistake` in a choice.
    mutating func pieces() -> [Piece]? {
        while let character = rest.first {
            if character == "$" {
                rest.removeFirst()
                guard takeName() else { return nil }
            } else if beginsChoice {
                guard let alternatives = takeChoice() else { return nil }
                flush()
                found.append(.choice(alternatives))
            } else if let separator = Self.separators.first(where: { rest.hasPrefix($0) }) {
                rest.removeFirst(separator.count)
                flush()
                found.append(.separator(separator))
            } else {
                plain.append(character)
                rest.removeFirst()
            }
        }
        flush()
        return found
    }

    private mutating func flush() {
        if !plain.isEmpty { found.append(.text(plain)) }
        plain = ""
    }

    /// Reads the name after a `$`, or a second `$`. Returns `false` if there is neither.
    private mutating func takeName() -> Bool {
        if rest.first == "$" {
            plain.append("$")
            rest.removeFirst()
            return true
        }
        let isBraced = rest.first == "{"
        if isBraced { rest.removeFirst() }
        var name = takePath()
        // An entry of a map. Only inside braces, because otherwise brackets may be part of the text.
        if isBraced, rest.first == "[", let end = rest.firstIndex(of: "]") {
            name += rest[...end]
            rest = rest[rest.index(after: end)...]
        }
        if !isBraced, !name.isEmpty, !name.hasSuffix(Self.first), let index = Self.index(at: rest) {
            mistake = "'$\(name)\(index)': of a list, only the first text can be named, '$\(name)\(Self.first)'"
            return false
        }
        if isBraced {
            guard rest.first == "}" else { return false }
            rest.removeFirst()
        }
        guard !name.isEmpty else { return false }
        flush()
        found.append(.name(name))
        return true
    }

    /// Reads a path, with `[0]` if that follows, or `count(episode by show)`. Returns an empty text if there is none.
    mutating func takePath() -> String {
        if rest.hasPrefix(Self.count), let end = rest.firstIndex(of: ")"), Self.isCount(String(rest[...end])) {
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[...end])
        }
        var name = ""
        while let character = rest.first {
            let next = rest.dropFirst().first
            // A dot ends a sentence unless a name follows.
            let isDot = character == "." && !name.isEmpty && next.map(Self.beginsName) == true
            guard isDot || (name.isEmpty ? Self.beginsName(character) : Self.isOfName(character)) else { break }
            name.append(character)
            rest.removeFirst()
        }
        if !name.isEmpty, rest.hasPrefix(Self.first) {
            name += Self.first
            rest.removeFirst(Self.first.count)
        }
        return name
    }

    /// A number in brackets or a name, which looks like an element of a list.
    private static func index(at rest: Substring) -> Substring? {
        guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
        let inside = rest[..<end].dropFirst()
        let isIndex = !inside.isEmpty && inside.allSatisfy { isOfName($0) || $0 == "-" }
        return isIndex ? rest[...end] : nil
    }

    private static let count = "count("
    private static let by = " by "

    /// Whether a name counts records: `count(episode by show)`.
    static func isCount(_ name: String) -> Bool {
        name.hasPrefix(count) && name.hasSuffix(")") && name.contains(by)
    }

    /// The type whose records a name counts, and the field by which they refer to the record.
    static func counted(_ name: String) -> (type: String, field: String)? {
        let words = name.dropFirst(count.count).dropLast().split(separator: " ").map(String.init)
        return words.count == 3 ? (words[0], words[2]) : nil
    }

    private static func beginsName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character == "_")
    }

    private static func isOfName(_ character: Character) -> Bool {
        beginsName(character) || ("0"..."9").contains(character)
    }
}

extension RecordTemplate {
    /// - Parameters:
    ///   - choices: the alternatives of each choice, in the order of the text.
    ///   - value: looks up the value of a name.
    init(_ pieces: [TemplateText.Piece], choices: [[Alternative]], value: (String) -> RecordValue?) {
        var choices = choices[...]
        var parts = [Part(separator: "", pieces: [])]
        for piece in pieces {
            switch piece {
            case .separator(let separator): parts.append(Part(separator: separator, pieces: []))
            case .text(let text): parts[parts.count - 1].pieces.append(.text(text))
            case .name(let name):
                if let value = value(name) { parts[parts.count - 1].pieces.append(.value(value)) }
            case .choice:
                if let choice = choices.popFirst() { parts[parts.count - 1].pieces.append(.choice(choice)) }
            }
        }
        self.parts = parts.filter { !$0.pieces.isEmpty }
    }

    /// The value, if the template consists of a single value.
    var onlyValue: RecordValue? {
        guard parts.count == 1, parts[0].pieces.count == 1, case .value(let value) = parts[0].pieces[0] else {
            return nil
        }
        return value
    }

    /// An example of its text; `nil` if it begins with a value.
    var example: String? {
        guard case .text? = parts.first?.pieces.first else { return nil }
        return parts.map { part in
            part.separator + part.pieces.map { if case .text(let text) = $0 { text } else { "1" } }.joined()
        }.joined()
    }
}
