import JWTKit

/// The claims of a JSON Web Token. They are judged by `JWTVerifier`, as it knows what is expected.
struct JWTClaims: JWTPayload {
    /// A text, or several.
    struct Texts: Decodable {
        var texts: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                texts = [text]
            } else {
                texts = try value.decode([String].self)
            }
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Claims that are texts or lists of texts.
    private(set) var texts: [String: [String]] = [:]
    /// Claims that are numbers.
    private(set) var numbers: [String: Double] = [:]

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: Name.self)
        for name in claims.allKeys {
            if let number = try? claims.decode(Double.self, forKey: name) {
                numbers[name.stringValue] = number
            } else if let value = try? claims.decode(Texts.self, forKey: name) {
                texts[name.stringValue] = value.texts
            }
        }
    }

    /// A claim that is one text.
    func text(_ name: String) -> String? { texts[name].flatMap { $0.count == 1 ? $0.first : nil } }

    /// Never called: tokens are only read here.
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "not written"))
    }

    /// The signature was checked before.
    func verify(using algorithm: some JWTAlgorithm) {}
}
