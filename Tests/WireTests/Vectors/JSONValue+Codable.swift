package import MarqueeModel

/// Vectors, whose numbers are read as integers or doubles and whose objects are sorted by name.
extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number("\(value)")
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(UInt64.self) {
            self = .number("\(value)")
        } else if let value = try? container.decode(Double.self) {
            self = .number("\(value)")
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .number(let text):
            if let value = Int64(text) {
                try container.encode(value)
            } else if let value = UInt64(text) {
                try container.encode(value)
            } else {
                try container.encode(Double(text))
            }
        case .list(let values): try container.encode(values)
        case .object(let members):
            try container.encode(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) }))
        }
    }
}
