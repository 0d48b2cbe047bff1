import Foundation
import MarqueeModel
import MarqueeTypes

/// A JSON document. It is built by hand, so its keys don't change when a type is renamed.
enum JSONValue: Encodable, Hashable {
    case null
    case string(String)
    case unsigned(UInt64)
    /// A negative whole number.
    case signed(Int64)
    case number(Double)
    case bool(Bool)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value of JSON text; `nil` for `null`, and for text that isn't JSON.
    init?(json: String) {
        guard let value = try? MarqueeModel.JSONValue(parsing: Array(json.utf8)), value != .null else { return nil }
        self.init(value)
    }

    private init(_ value: MarqueeModel.JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text):
            if let number = UInt64(text) {
                self = .unsigned(number)
            } else if let number = Int64(text) {
                self = .signed(number)
            } else {
                self = Double(text).map { .number($0) } ?? .string(text)
            }
        case .text(let text): self = .string(text)
        case .list(let values): self = .array(values.map(JSONValue.init))
        case .object(let members):
            self = .object(Dictionary(members.map { ($0.name, JSONValue($0.value)) }) { first, _ in first })
        }
    }

    /// An object without the keys that have no value.
    static func object(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(self.pairs(pairs))
    }

    /// The pairs that have a value.
    static func pairs(_ pairs: KeyValuePairs<String, JSONValue?>) -> [String: JSONValue] {
        Dictionary(pairs.compactMap { key, value in value.map { (key, $0) } }) { first, _ in first }
    }

    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    static func integer(_ value: some BinaryInteger) -> JSONValue {
        value < 0 ? .signed(Int64(clamping: value)) : .unsigned(UInt64(clamping: value))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .string(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .signed(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }

    /// The document in one line. Anything a terminal could take for a command is escaped, which loses nothing.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        var line = ""
        for scalar in String(decoding: try encoder.encode(self), as: UTF8.self).unicodeScalars {
            if Sanitizer.isHarmless(scalar) {
                line.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? .init() { line += String(format: "\\u%04x", unit) }
            }
        }
        return line
    }
}
