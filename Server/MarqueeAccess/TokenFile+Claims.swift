package import MarqueeScreens

// Claims as a token file writes them: a string, or a list of strings.

/// A claim's value in YAML.
enum WrittenClaim: Codable {
    case text(String)
    case texts([String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .texts(try container.decode([String].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        }
    }

    fileprivate var value: Claims.Value {
        switch self {
        case .text(let text): Claims.Value(text: text)
        case .texts(let texts): Claims.Value(texts: texts)
        }
    }
}

extension TokenFile {
    /// - Parameter name: the name of the token or certificate with these claims.
    /// - Throws: `TokenFileProblem` for more or longer claims than an identity may have.
    package static func claims(
        _ values: [String: Claims.Value], of name: String
    ) throws(TokenFileProblem) -> Claims {
        guard values.count <= Claims.maximumClaims else {
            throw TokenFileProblem(
                "'\(name)' has \(values.count) claims, at most \(Claims.maximumClaims) are possible")
        }
        for (claim, value) in values {
            guard !claim.isEmpty, claim.utf8.count <= Claims.maximumNameBytes, value != .malformed else {
                throw TokenFileProblem(
                    "the claim '\(claim.prefix(80))' of '\(name)' is too large: a name has 1 to "
                        + "\(Claims.maximumNameBytes) bytes, a value \(Claims.maximumValueBytes), a list "
                        + "\(Claims.maximumValues) values")
            }
        }
        return Claims(values)
    }

    static func claims(
        written: [String: WrittenClaim]?, of name: String
    ) throws(TokenFileProblem) -> Claims {
        try claims((written ?? [:]).mapValues(\.value), of: name)
    }

    /// - Returns: `nil` for none.
    static func written(_ claims: Claims) -> [String: WrittenClaim]? {
        let written = claims.values.compactMapValues { value -> WrittenClaim? in
            switch value {
            case .text(let text): .text(text)
            case .texts(let texts): .texts(texts)
            case .malformed: nil
            }
        }
        return written.isEmpty ? nil : written
    }
}
