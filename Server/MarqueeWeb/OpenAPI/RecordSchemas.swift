import MarqueeScreenJSON
import MarqueeServer
import MarqueeTypes

/// Schemas of the operator's records: those of each type, and of the messages and enums that they consist of.
///
/// They follow protobuf's JSON mapping, and are somewhat narrower than what is read: a `null`, a field's name in the
/// schema, an enum's number and a number as text are taken too. They don't limit nesting and size, nor the range of a
/// whole number that is text or a map's key.
struct RecordSchemas {
    /// References to the schemas of a type's records.
    struct Names {
        /// A record as it is put.
        let whole: JSONDocument
        /// The fields to change.
        let part: JSONDocument

        /// - Parameter type: its alias; `nil` for any type.
        init(_ type: String?) {
            whole = type.map { OpenAPISchema.reference("record-\($0)") } ?? OpenAPISchema.anyObject
            part = type.map { OpenAPISchema.reference("patch-\($0)") } ?? OpenAPISchema.anyObject
        }
    }

    private let set: DescriptorSet
    /// The schemas by name. Names of the operator's messages and enums never have a hyphen before a lowercase letter;
    /// all others do.
    private(set) var all: [String: JSONDocument] = [:]

    init(_ types: PublishableTypes) {
        self.init(types.schema)
        for type in types.types { add(type) }
    }

    /// Begins without schemas.
    init(_ set: DescriptorSet) { self.set = set }

    // MARK: - Types

    private mutating func add(_ type: TypeDeclaration) {
        guard let place = set.place(named: type.message.fullName) else { return }
        let messages = messages(from: place)
        // Fields that proto2 requires may be missing in what is merged into a record that has them.
        let isPartial = messages.contains { set.messages[$0].fields.contains { $0.presence == .required } }
        for message in messages {
            define(message, isPartial: false)
            if isPartial { define(message, isPartial: true) }
        }
        let days = type.days.filter { !$0.isEntry && $0.field.isSingle }.sorted { $0.text < $1.text }
        var rules = days.map { dateRule($0, type.message) }
        all["patch-\(type.alias)"] = schema(
            "Fields to change of a record of the type '\(type.alias)'.", place, isPartial: isPartial, rules)
        if let id = type.id { rules.append(idRule(id, type.message)) }
        all["record-\(type.alias)"] = schema(
            "A record of the type '\(type.alias)'\(type.id.map { ", with its id in '\($0.text)'" } ?? "").", place,
            isPartial: false, rules)
    }

    private func schema(
        _ description: String, _ message: Int, isPartial: Bool, _ rules: [JSONDocument]
    ) -> JSONDocument {
        .object([
            "description": .string(description),
            "allOf": .array([OpenAPISchema.reference(name(message, isPartial: isPartial))] + rules),
        ])
    }

    /// The rule that the id is present.
    private func idRule(_ path: FieldPath, _ message: MessageDescriptor) -> JSONDocument {
        let leaf: JSONDocument =
            path.target == .scalar(.string)
            ? .object(["minLength": .integer(1)]) : .object([:] as [String: JSONDocument])
        return names(path, message).reversed().reduce(leaf) { inner, name in
            .object(["required": .strings([name]), "properties": .object([name: inner])])
        }
    }

    /// The rule that a text is a day.
    private func dateRule(_ path: FieldPath, _ message: MessageDescriptor) -> JSONDocument {
        let day = JSONDocument.object(["pattern": .string("^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))?$")])
        return names(path, message).reversed().reduce(day) { inner, name in
            .object(["properties": .object([name: inner])])
        }
    }

    /// The names on the path, in JSON.
    private func names(_ path: FieldPath, _ message: MessageDescriptor) -> [String] {
        var descriptor = message
        return path.text.split(separator: ".").map { part in
            guard let place = descriptor.place(named: String(part)) else { return String(part) }
            let name = Self.name(of: place, in: descriptor)
            if let next = descriptor.fields[place].message { descriptor = set.messages[next] }
            return name
        }
    }

    // MARK: - Messages

    /// A message and all that it may contain, by their indices, in order.
    private func messages(from place: Int) -> [Int] {
        var seen: Set<Int> = [place]
        var waiting = [place]
        while let next = waiting.popLast() {
            for field in set.messages[next].fields {
                if let inner = field.message, seen.insert(inner).inserted { waiting.append(inner) }
            }
        }
        return seen.sorted()
    }

    private func name(_ message: Int, isPartial: Bool) -> String {
        let name = Self.name(set.messages[message].fullName)
        return isPartial && set.messages[message].wellKnown == nil ? "partial-of-\(name)" : name
    }

    /// A full name as the name of a schema, which has letters, digits, points, underscores and hyphens: any other byte
    /// is a hyphen and two hexadecimal digits in upper case.
    private static func name(_ fullName: String) -> String {
        fullName.utf8.reduce(into: "") { name, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += (byte < 0x10 ? "-0" : "-") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The name by which a field is read: that of JSON, unless it is another field's own name.
    private static func name(of place: Int, in message: MessageDescriptor) -> String {
        let field = message.fields[place]
        return message.place(named: field.jsonName) == place ? field.jsonName : field.name
    }

    mutating func define(_ place: Int, isPartial: Bool) {
        let name = name(place, isPartial: isPartial)
        guard all[name] == nil else { return }
        all[name] = schema(of: set.messages[place], isPartial: isPartial)
        for field in set.messages[place].fields {
            guard case .enumeration(let index) = field.type else { continue }
            let values = set.enumerations[index]
            all[Self.name(values.fullName)] = OpenAPISchema.texts(values.values.map(\.name))
        }
    }

    private func schema(of message: MessageDescriptor, isPartial: Bool) -> JSONDocument {
        switch message.wellKnown {
        case .timestamp:
            let zone = "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
            let day = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
            let time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?"
            return OpenAPISchema.pattern("^\(day)T\(time)\(zone)$").with(["format": .string("date-time")])
        case .duration: return OpenAPISchema.pattern("^-?[0-9]{1,12}(\\.[0-9]{1,9})?s$")
        case .wrapper:
            return message.fields.first.map { value($0.type, isPartial: isPartial) } ?? OpenAPISchema.anyObject
        case nil: break
        }
        var properties: [String: JSONDocument] = [:]
        var required: [String] = []
        var alternatives = [[String]](repeating: [], count: message.oneofs.count)
        for (place, field) in message.fields.enumerated() {
            let name = Self.name(of: place, in: message)
            properties[name] = schema(of: field, isPartial: isPartial)
            if field.presence == .required, !isPartial { required.append(name) }
            if let oneof = field.oneof { alternatives[oneof].append(name) }
        }
        let rules = alternatives.filter { $0.count > 1 }.map(OpenAPISchema.atMostOne)
        return .object([
            "type": .string("object"), "properties": .object(properties), "additionalProperties": .bool(false),
            "required": required.isEmpty ? nil : .strings(required), "allOf": rules.isEmpty ? nil : .array(rules),
        ])
    }

    // MARK: - Fields

    private func schema(of field: FieldDescriptor, isPartial: Bool) -> JSONDocument {
        let value = value(field.type, isPartial: isPartial)
        switch field.cardinality {
        case .single: return value
        case .repeated: return OpenAPISchema.list(of: value)
        case .map(let key):
            return .object([
                "type": .string("object"), "additionalProperties": value, "propertyNames": Self.names(key),
            ])
        }
    }

    /// The names that entries of a map may have; `nil` for any.
    private static func names(_ key: ScalarType) -> JSONDocument? {
        if key == .string { return nil }
        if key == .bool { return OpenAPISchema.texts(["true", "false"]) }
        return OpenAPISchema.pattern(key.isSigned ? "^(0|-?[1-9][0-9]*)$" : "^(0|[1-9][0-9]*)$")
    }

    private func value(_ type: FieldDescriptor.ValueType, isPartial: Bool) -> JSONDocument {
        switch type {
        case .scalar(let scalar): Self.scalar(scalar)
        case .message(let index): OpenAPISchema.reference(name(index, isPartial: isPartial))
        case .enumeration(let index): OpenAPISchema.reference(Self.name(set.enumerations[index].fullName))
        // No type has such a field.
        case .unsupported: .bool(false)
        }
    }

    private static func scalar(_ type: ScalarType) -> JSONDocument {
        switch type {
        case .string: OpenAPISchema.text
        case .bytes: OpenAPISchema.reference("marquee-bytes")
        case .bool: OpenAPISchema.bool
        case .double: OpenAPISchema.number.with(["format": .string("double")])
        case .float:
            OpenAPISchema.number.with([
                "format": .string("float"), "minimum": .number(-Double(Float.greatestFiniteMagnitude)),
                "maximum": .number(Double(Float.greatestFiniteMagnitude)),
            ])
        case .int64, .sint64, .sfixed64: OpenAPISchema.reference("marquee-int64")
        case .uint64, .fixed64: OpenAPISchema.reference("marquee-uint64")
        case .int32, .sint32, .sfixed32: whole("int32", from: .integer(Int32.min), to: .integer(Int32.max))
        case .uint32, .fixed32: whole("uint32", from: .integer(0), to: .integer(UInt32.max))
        }
    }

    private static func whole(_ format: String, from least: JSONDocument, to most: JSONDocument) -> JSONDocument {
        .object(["type": .string("integer"), "format": .string(format), "minimum": least, "maximum": most])
    }
}
