import MarqueeModel
import MarqueeTypes
import MarqueeWire

/// A field of a body's message that a programme gives a value.
struct MappedField {
    var field: FieldDescriptor
    /// The message that has the field.
    var message: MessageDescriptor
    var schema: DescriptorSet

    /// The encoding of the field's values; `nil` for messages.
    var scalar: ScalarType? {
        switch field.type {
        case .scalar(let scalar): scalar
        case .enumeration: .int32
        case .message, .unsupported: nil
        }
    }

    /// The declaration as in the `.proto` file, such as `repeated podcast.v1.Chapter`.
    var declaration: String { schema.declaration(of: field) }

    /// The field in words, for messages.
    var words: String { "'\(field.name)' of \(message.fullName) is declared as \(schema.name(of: field))" }

    /// The kind of value required, for messages.
    var wanted: String {
        switch field.type {
        case .scalar(.bytes): "a field of bytes"
        case .scalar(.bool): "true, false or a field that is a bool"
        case .scalar(let scalar) where scalar.isInteger: "a whole number or a field that is one"
        case .scalar: "a number or a field that is one"
        case .enumeration: "the name of a value or a field of that enum"
        case .message, .unsupported: "a field of the same type"
        }
    }

    /// The message that it holds, unless that is a single value in JSON.
    var nested: MessageDescriptor? { schema.nested(in: field) }

    /// An example of giving a message field by field, from the fields of a source's message that have the same names:
    /// `{name: $poster.name, …}`. `nil` unless both are single messages.
    func fields(from source: MappedSource, named text: String) -> String? {
        guard field.isSingle, source.path.field.isSingle, let own = nested, let other = source.nested,
            let first = own.fields.first(where: { other.field(named: $0.name) != nil }) ?? own.fields.first
        else { return nil }
        return "{\(first.name): \(other.field(named: first.name) == nil ? "…" : "\(text).\(first.name)"), …}"
    }

    /// A value as written in programmes; `nil` if the text isn't a value of this field.
    func constant(_ text: String) -> FieldValue? {
        switch field.type {
        case .scalar(.bool): return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
        case .scalar(.bytes), .scalar(.string), .message, .unsupported: return nil
        case .enumeration(let place):
            return schema.enumerations[place].number(named: text).map { .enumeration(name: text, number: $0) }
        case .scalar(let scalar):
            let value: FieldValue?
            if scalar.isInteger {
                value = Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
            } else {
                value = Double(text).flatMap { $0.isFinite ? .real($0) : nil }
            }
            return value.flatMap { scalar.holds($0) ? $0 : nil }
        }
    }

    /// A hint that names the enum value nearest to a text; empty for other fields.
    func hint(_ text: String) -> String {
        guard case .enumeration(let place) = field.type else { return "" }
        return NearestName.hint(for: text, among: schema.enumerations[place].values.map(\.name))
    }

    /// Whether the field is a number, so that it can take a facet's count, or an id.
    var takesNumbers: Bool {
        guard case .scalar(let scalar) = field.type else { return false }
        return scalar.isInteger || scalar.isReal
    }

    /// Whether a single value of the source fits: anything printable into texts, whole numbers into any number, other
    /// numbers into `double` and `float`, and ids into whole numbers, because an id may be a number written as text.
    /// Numbers that turn out to be out of range are omitted.
    func takes(_ source: MappedSource) -> Bool {
        switch (field.type, source.path.target) {
        case (.scalar(.string), _): source.path.isPlain
        case (.scalar(let own), .scalar(.string)) where source.isID && own.isInteger: true
        case (.scalar(.bytes), .scalar(.bytes)), (.scalar(.bytes), .wrapped(.bytes)): true
        case (.scalar(.bool), .scalar(.bool)), (.scalar(.bool), .wrapped(.bool)): true
        case (.scalar(let own), .scalar(let other)), (.scalar(let own), .wrapped(let other)):
            own.isInteger ? other.isInteger : own.isReal && (other.isInteger || other.isReal)
        case (.enumeration(let place), .enumeration(let other)):
            schema.enumerations[place].fullName == other.fullName
        default: false
        }
    }
}

/// A field of a record that a body takes a value from.
struct MappedSource {
    var path: FieldPath
    var schema: DescriptorSet
    /// Whether the field holds a record's id, its own or another's.
    var isID = false

    var declaration: String { schema.declaration(of: path.field) }

    /// The message that it holds, unless that is a single value in JSON.
    var nested: MessageDescriptor? { schema.nested(in: path.field) }

    /// The field in words, for messages.
    var words: String { "'\(path.text)' is declared as \(schema.name(of: path.field))" }
}

extension ScalarType {
    fileprivate var isReal: Bool { self == .double || self == .float }

    /// Whether a number is in this type's range.
    fileprivate func holds(_ value: FieldValue) -> Bool {
        var writer = MessageWriter()
        return writer.write(value, as: self, to: 1, skipsZero: false)
    }
}

extension DescriptorSet {
    fileprivate func nested(in field: FieldDescriptor) -> MessageDescriptor? {
        field.message.map { messages[$0] }.flatMap { $0.wellKnown == nil ? $0 : nil }
    }

    /// A field's type and cardinality, without its presence.
    fileprivate func declaration(of field: FieldDescriptor) -> String {
        var field = field
        (field.presence, field.oneof) = (.implicit, nil)
        return name(of: field)
    }
}

extension MessageMapping {
    /// The mapping of an image, with the role given by its field unless the mapping sets one.
    func withRole(of target: MappedField, in image: MessageDescriptor) -> MessageMapping {
        guard let role = image.field(named: "role"), !fields.contains(where: { $0.number == role.number }) else {
            return self
        }
        let text = RecordTemplate(parts: [.init(separator: "", pieces: [.text(target.field.name)])])
        var mapping = self
        mapping.fields.append(
            Field(
                number: role.number, content: .text(LocalizedTemplate(fallback: text)), skipsZero: false))
        mapping.fields.sort { $0.number < $1.number }
        return mapping
    }
}
