import MarqueeScreenJSON

/// Parts of JSON Schema, as in OpenAPI 3.1.
enum OpenAPISchema {
    static let text = type("string")
    static let bool = type("boolean")
    static let number = type("number")
    /// A whole number from 0.
    static let count: JSONDocument = .object(["type": .string("integer"), "minimum": .integer(0)])
    static let anyObject = type("object")
    /// A name or an id.
    static let name: JSONDocument = .object(["type": .string("string"), "minLength": .integer(1)])

    private static func type(_ name: String) -> JSONDocument { .object(["type": .string(name)]) }

    /// - Parameter name: the name of one of the document's own schemas.
    static func reference(_ name: String) -> JSONDocument {
        .object(["$ref": .string("#/components/schemas/\(name)")])
    }

    /// - Parameter isOpen: whether there may be other members.
    static func object(
        _ properties: KeyValuePairs<String, JSONDocument>, required: [String] = [], isOpen: Bool = false,
        description: String? = nil
    ) -> JSONDocument {
        .object([
            "type": .string("object"),
            "properties": .object(Dictionary(properties.map { ($0, $1) }) { first, _ in first }),
            "required": required.isEmpty ? nil : .strings(required),
            "additionalProperties": isOpen ? nil : .bool(false), "description": description.map { .string($0) },
        ])
    }

    static func list(of item: JSONDocument, minItems: Int? = nil) -> JSONDocument {
        .object(["type": .string("array"), "items": item, "minItems": minItems.map { .integer($0) }])
    }

    static func oneOf(_ schemas: [JSONDocument]) -> JSONDocument { .object(["oneOf": .array(schemas)]) }

    static func texts(_ names: [String]) -> JSONDocument {
        .object(["type": .string("string"), "enum": .strings(names)])
    }

    static func pattern(_ pattern: String) -> JSONDocument {
        .object(["type": .string("string"), "pattern": .string(pattern)])
    }

    /// The rule that members are present.
    static func requires(_ names: String...) -> JSONDocument { .object(["required": .strings(names)]) }

    /// The rule that at most one of the members is present.
    static func atMostOne(of names: [String]) -> JSONDocument {
        let each = names.map { requires($0) }
        return oneOf(each + [.object(["not": .object(["anyOf": .array(each)])])])
    }
}

extension JSONDocument {
    /// An object with more members.
    func with(_ more: KeyValuePairs<String, JSONDocument>) -> JSONDocument {
        guard case .object(let members) = self else { return self }
        return .object(members.merging(more.map { ($0, $1) }) { _, new in new })
    }
}
