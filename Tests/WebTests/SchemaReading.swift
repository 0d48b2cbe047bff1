import Foundation
import MarqueeModel
import MarqueeTypes

/// Judges values by the part of JSON Schema that the door's document uses. A keyword that it doesn't know is an error,
/// so that none is passed over.
struct SchemaReading {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let annotations: Set<String> = ["description", "format", "contentEncoding", "discriminator"]

    let document: JSONValue

    init(_ text: String) throws { document = try JSONValue(parsing: Array(text.utf8), atMost: 8 << 20) }

    /// Whether a schema of the document accepts a value.
    /// - Parameter name: of the schema among the components.
    func accepts(_ json: String, by name: String) throws -> Bool {
        try accepts(try JSONValue(parsing: Array(json.utf8)), try schema(name))
    }

    func schema(_ name: String) throws -> JSONValue {
        guard let schema = document["components"]?["schemas"]?[name] else { throw Failure(description: "no \(name)") }
        return schema
    }

    func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        if case .bool(let accepts) = schema { return accepts }
        for (keyword, rule) in schema.members where try !holds(keyword, rule, value, schema) { return false }
        return true
    }

    private func holds(_ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        switch keyword {
        case "$ref":
            return try accepts(value, try self.schema(rule.string.replacing("#/components/schemas/", with: "")))
        case "type": return (rule.elements.isEmpty ? [rule] : rule.elements).contains { isA(value, $0.string) }
        case "enum": return rule.elements.contains(value)
        case "allOf": return try rule.elements.allSatisfy { try accepts(value, $0) }
        case "anyOf": return try rule.elements.contains { try accepts(value, $0) }
        case "oneOf": return try rule.elements.filter { try accepts(value, $0) }.count == 1
        case "not": return try !accepts(value, rule)
        case "required": return !value.isObject || rule.elements.allSatisfy { value[$0.string] != nil }
        case "properties":
            return try value.members.allSatisfy { name, value in
                try rule[name].map { try accepts(value, $0) } ?? true
            }
        case "additionalProperties":
            return try value.members.allSatisfy { name, value in
                try schema["properties"]?[name] != nil || accepts(value, rule)
            }
        case "propertyNames": return try value.members.allSatisfy { name, _ in try accepts(.text(name), rule) }
        case "items": return try value.elements.allSatisfy { try accepts($0, rule) }
        case "minItems": return try !value.isList || Decimal(value.elements.count) >= number(rule)
        case "pattern":
            guard case .text(let text) = value else { return true }
            return try text.firstMatch(of: Regex(rule.string)) != nil
        case "minLength":
            guard case .text(let text) = value else { return true }
            return try Decimal(text.unicodeScalars.count) >= number(rule)
        case "minimum": return try !value.isNumber || number(value) >= number(rule)
        case "maximum": return try !value.isNumber || number(value) <= number(rule)
        default:
            guard Self.annotations.contains(keyword) else { throw Failure(description: "unknown: \(keyword)") }
            return true
        }
    }

    private func isA(_ value: JSONValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("string", .text), ("boolean", .bool), ("array", .list), ("object", .object), ("number", .number): true
        case ("integer", .number(let text)): !text.contains(".") && !text.lowercased().contains("e")
        default: false
        }
    }

    private func number(_ value: JSONValue) throws -> Decimal {
        guard case .number(let text) = value, let number = Decimal(string: text) else {
            throw Failure(description: "\(value.found) isn't a number")
        }
        return number
    }
}

extension JSONValue {
    subscript(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    /// Empty if it isn't an object.
    var members: [(name: String, value: JSONValue)] {
        if case .object(let members) = self { members.map { ($0.name, $0.value) } } else { [] }
    }

    /// Empty if it isn't a list.
    var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }

    /// Empty if it isn't text.
    var string: String { if case .text(let text) = self { text } else { "" } }

    var isObject: Bool { if case .object = self { true } else { false } }
    var isList: Bool { if case .list = self { true } else { false } }
    var isNumber: Bool { if case .number = self { true } else { false } }
}
