/// Something about a token that an operator should know, as the server's settings may be the cause.
struct JWTHint: Hashable, Sendable {
    /// The subject of a hint. Few lines of each kind are logged at a time, however many tokens come.
    enum Kind: Hashable, Sendable {
        case user
        case scopes
    }

    let kind: Kind
    let text: String

    /// The most that a line repeats of one thing that a token says.
    private static let mostLetters = 100

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Words of a token for a line of a log: short, and without what could look like more lines or fields.
    static func quoted(_ words: String) -> String {
        let letters = words.unicodeScalars.prefix(mostLetters).map { scalar -> Character in
            scalar.value >= 0x20 && scalar.value < 0x7F && scalar != "'" ? Character(scalar) : "?"
        }
        return "'\(String(letters))\(words.unicodeScalars.count > mostLetters ? "…" : "")'"
    }
}

/// How often hints are said: clients bring the same token again and again.
struct JWTHintPace: Sendable {
    /// The pause between two lines of a kind.
    static let spacing = Duration.seconds(60)

    private var next: [JWTHint.Kind: ContinuousClock.Instant] = [:]
    private var withheld: [JWTHint.Kind: Int] = [:]

    /// - Returns: the line to say; `nil` if one of its kind was said a moment ago.
    mutating func line(for hint: JWTHint, now: ContinuousClock.Instant) -> String? {
        if let next = next[hint.kind], next > now {
            withheld[hint.kind, default: 0] += 1
            return nil
        }
        next[hint.kind] = now + Self.spacing
        guard let count = withheld.removeValue(forKey: hint.kind) else { return hint.text }
        return "\(hint.text) (\(count) more since the last such line)"
    }
}
