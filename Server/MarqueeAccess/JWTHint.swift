/// A problem with a token that an operator should know about, because the server's settings may be the cause.
struct JWTHint: Hashable, Sendable {
    /// The subject of a hint. The number of lines is limited for each kind, however many tokens arrive.
    enum Kind: Hashable, Sendable {
        case user
        case scopes
    }

    let kind: Kind
    let text: String

    /// The maximum number of characters that a line quotes of one value in a token.
    private static let maximumScalars = 100

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Text of a token for a log line: shortened, and without anything that could pass for another line or field.
    static func quoted(_ words: String) -> String {
        let letters = words.unicodeScalars.prefix(maximumScalars).map { scalar -> Character in
            scalar.value >= 0x20 && scalar.value < 0x7F && scalar != "'" ? Character(scalar) : "?"
        }
        return "'\(String(letters))\(words.unicodeScalars.count > maximumScalars ? "…" : "")'"
    }
}

/// Limits how often hints are logged: clients present the same token again and again.
struct JWTHintPace: Sendable {
    /// The pause between two lines of a kind.
    static let spacing = Duration.seconds(60)

    private var next: [JWTHint.Kind: ContinuousClock.Instant] = [:]
    private var withheld: [JWTHint.Kind: Int] = [:]

    /// - Returns: the line to log; `nil` if one of its kind was logged less than `spacing` ago.
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
