import Foundation
import MarqueeStore

/// A JSON document that may have unknown parts. Numbers are decimals, so that no price loses a cent.
enum JSONTree: Hashable {
    case null
    case bool(Bool)
    case number(Decimal)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    /// - Throws: `malformed` when the file is not JSON.
    static func read(_ source: ImportSource) throws(ImportError) -> JSONTree {
        let bytes = try FileContent.read(source)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ImportError(
                .malformed, "\(source.name) is not UTF-8 text; name its encoding, such as --encoding cp949")
        }
        do throws(DocumentError) {
            return try JSONDocument.decode(JSONTree.self, from: Data(text.utf8), unknownFields: .ignored)
        } catch {
            throw ImportError(.malformed, "\(source.name): \(error)")
        }
    }

    subscript(key: String) -> JSONTree? {
        guard case .object(let members) = self, let value = members[key], value != .null else { return nil }
        return value
    }

    /// Compact, with the keys in order.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    // MARK: - Members of an object

    /// A text; `nil` when it is absent.
    func text(_ key: String) throws(BadRow) -> String? {
        switch self[key] {
        case nil: return nil
        case .text(let text): return text
        case _?: throw BadRow("'\(key)' is not text")
        }
    }

    /// A required text.
    func requiredText(_ key: String) throws(BadRow) -> String {
        guard let text = try text(key) else { throw BadRow("'\(key)' is missing") }
        return text
    }

    /// A number, which may be written as text; `nil` when it is absent or an empty text.
    func decimal(_ key: String) throws(BadRow) -> Decimal? {
        switch self[key] {
        case nil: return nil
        case .number(let number): return number
        case .text(let text):
            guard let text = Field.text(text) else { return nil }
            guard let number = Decimal(string: text, locale: nil), text.allSatisfy({ "0123456789.-".contains($0) })
            else { throw BadRow("'\(key)' is not a number but '\(Field.shown(text))'") }
            return number
        case _?: throw BadRow("'\(key)' is not a number")
        }
    }

    func whole<Number: FixedWidthInteger>(_ key: String) throws(BadRow) -> Number? {
        guard let decimal = try decimal(key) else { return nil }
        guard let number = Number("\(decimal)") else { throw BadRow("'\(key)' is not a whole number in its range") }
        return number
    }

    func real(_ key: String) throws(BadRow) -> Double? {
        try decimal(key).map { NSDecimalNumber(decimal: $0).doubleValue }
    }

    /// The names of the object's members that are not in `known`.
    func members(besides known: Set<String>) -> [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.filter { !known.contains($0) }.sorted()
    }

    func list(_ key: String) throws(BadRow) -> [JSONTree]? {
        switch self[key] {
        case nil: return nil
        case .list(let elements): return elements
        case _?: throw BadRow("'\(key)' is not a list")
        }
    }
}

extension JSONTree: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
