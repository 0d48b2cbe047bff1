import JWTKit
import MarqueeScreens

/// The claims of a JSON Web Token. `JWTPolicy`, which knows the expected values, judges them.
struct JWTClaims: JWTPayload {
    /// A claim's value, reduced to the types that are used here.
    enum Claim: Hashable {
        case text(String)
        case texts([String])
        case integer(Int64)
        case number(Double)
        case flag(Bool)
        case other
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The claims that are not null.
    private let claims: [String: Claim]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        var claims: [String: Claim] = [:]
        for name in container.allKeys where (try? container.decodeNil(forKey: name)) != true {
            claims[name.stringValue] = Self.claim(name, container)
        }
        self.claims = claims
    }

    private static func claim(_ name: Name, _ container: KeyedDecodingContainer<Name>) -> Claim {
        if let text = try? container.decode(String.self, forKey: name) { return .text(text) }
        if let integer = try? container.decode(Int64.self, forKey: name) { return .integer(integer) }
        if let number = try? container.decode(Double.self, forKey: name) { return .number(number) }
        if let flag = try? container.decode(Bool.self, forKey: name) { return .flag(flag) }
        if let texts = try? container.decode([String].self, forKey: name) { return .texts(texts) }
        return .other
    }

    subscript(name: String) -> Claim? { claims[name] }

    /// The names of all claims, in order.
    var names: [String] { claims.keys.sorted() }

    /// A claim's value, if it is a string.
    func text(_ name: String) -> String? { if case .text(let text)? = claims[name] { text } else { nil } }

    /// A claim's value, if it is a string or a list of strings.
    func texts(_ name: String) -> [String]? {
        switch claims[name] {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .integer, .number, .flag, .other, nil: nil
        }
    }

    /// A claim's value, if it is a number.
    func number(_ name: String) -> Double? {
        switch claims[name] {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .text, .texts, .flag, .other, nil: nil
        }
    }

    /// The named claims that the token has, in the form in which audiences compare them.
    func claims(_ names: [String]) -> Claims {
        var values: [String: Claims.Value] = [:]
        for name in names {
            guard let claim = claims[name] else { continue }
            values[name] =
                switch claim {
                case .text(let text): Claims.Value(text: text)
                case .texts(let texts): Claims.Value(texts: texts)
                case .integer(let integer): Claims.Value(text: "\(integer)")
                case .flag(let flag): Claims.Value(text: "\(flag)")
                case .number, .other: .malformed
                }
        }
        return Claims(values)
    }

    /// Never called: tokens are only read here.
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "not written"))
    }

    /// Does nothing: the signature has already been verified.
    func verify(using algorithm: some JWTAlgorithm) {}
}
