import MarqueeModel

/// Lists as PostgreSQL writes them: `{history,"food, drink",NULL}`.
enum PostgresArray {
    /// - Returns: `nil` for anything else, lists of lists included.
    static func values(of cell: JSONValue) -> JSONValue? {
        guard case .text(let text) = cell else { return nil }
        let trimmed = Field.trimmed(text)
        guard trimmed.hasPrefix("{"), trimmed.hasSuffix("}") else { return nil }
        var rest = trimmed.dropFirst().dropLast()
        var values: [JSONValue] = []
        if rest.allSatisfy(\.isWhitespace) { return .list([]) }
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let value = rest.first == "\"" ? quoted(&rest) : plain(&rest) else { return nil }
            values.append(value)
            rest = rest.drop(while: \.isWhitespace)
            if rest.isEmpty { return .list(values) }
            guard rest.popFirst() == "," else { return nil }
        }
    }

    private static func quoted(_ rest: inout Substring) -> JSONValue? {
        rest = rest.dropFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == "\"" { return .text(text) }
            if character == "\\" {
                guard let next = rest.popFirst() else { return nil }
                text.append(next)
            } else {
                text.append(character)
            }
        }
        return nil
    }

    private static func plain(_ rest: inout Substring) -> JSONValue? {
        let text = rest.prefix { $0 != "," }
        rest = rest[text.endIndex...]
        let trimmed = Field.trimmed(String(text))
        guard !trimmed.isEmpty, !trimmed.contains(where: { "{}\"\\".contains($0) }) else { return nil }
        return trimmed.uppercased() == "NULL" ? .null : .text(trimmed)
    }
}
