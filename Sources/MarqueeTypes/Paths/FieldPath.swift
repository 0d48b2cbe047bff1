/// A path to a field of a message, compiled once and followed through bytes.
///
/// A path is a field (`title`), a field inside messages that occur once (`show.title`), or a map entry (`title[ko]`).
/// Names may be those of the schema or those of JSON. A class, so that copying queries and templates that hold paths is
/// cheap.
package final class FieldPath: Hashable, Sendable {
    /// The kind of value at the end of the path.
    package enum Target: Hashable, Sendable {
        case scalar(ScalarType)
        case enumeration(EnumDescriptor)
        case timestamp
        case duration
        /// The value inside one of protobuf's wrappers.
        case wrapped(ScalarType)
        case message(MessageDescriptor)
    }

    /// The path in the schema's names.
    package let text: String
    /// The numbers of the message fields that lead to `field`.
    let steps: [UInt32]
    /// The field at the end.
    package let field: FieldDescriptor
    package let target: Target
    /// The entry of a map, if the path names one.
    let key: MessageValue.Value?

    /// Whether the path ends at a map entry.
    package var isEntry: Bool { key != nil }

    /// Maximum number of names in a path: no record is nested deeper.
    static let names = RecordLimits.depth

    /// The parts of a path, once its names are resolved.
    private struct End {
        var names: [String]
        var keyText: String?
        var steps: [UInt32]
        var field: FieldDescriptor
    }

    /// Compiles a path from `message` of `set`.
    ///
    /// - Throws: the reason why the path is invalid; for an unknown field, with the nearest name.
    package init(_ text: String, message: MessageDescriptor, set: DescriptorSet) throws(RecordError) {
        let end = try FieldPath.end(of: text, message, set)
        (steps, field) = (end.steps, end.field)
        if let keyText = end.keyText { key = try FieldPath.key(keyText, field, set) } else { key = nil }
        target = try FieldPath.target(of: field, set)
        self.text = end.names.joined(separator: ".") + (end.keyText.map { "[\($0)]" } ?? "")
    }

    package static func == (a: FieldPath, b: FieldPath) -> Bool {
        a === b
            || (a.text == b.text && a.steps == b.steps && a.field == b.field && a.target == b.target && a.key == b.key)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    private static func end(
        of text: String, _ message: MessageDescriptor, _ set: DescriptorSet
    ) throws(RecordError) -> End {
        var (path, keyText) = (text[...], Substring?.none)
        if text.last == "]", let bracket = text.firstIndex(of: "[") {
            path = text[..<bracket]
            keyText = text[text.index(after: bracket)...].dropLast()
        }
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= FieldPath.names else {
            throw RecordError("the path '\(shown(text))' has more than \(FieldPath.names) names")
        }
        var steps: [UInt32] = []
        // The schema's names, so that each path has one spelling.
        var walked: [String] = []
        var descriptor = message
        for (index, name) in names.enumerated() {
            guard let field = descriptor.field(named: name) else {
                let hint = NameHint.words(for: name, among: descriptor.fields.map(\.name))
                throw RecordError("\(descriptor.fullName) has no field '\(shown(name))'\(hint)")
            }
            walked.append(field.name)
            if index == names.count - 1 {
                return End(names: walked, keyText: keyText.map(String.init), steps: steps, field: field)
            }
            guard let nested = field.message, field.isSingle, set.messages[nested].wellKnown == nil else {
                throw RecordError(
                    "'\(shown(text))' leads through '\(name)', declared as \(set.name(of: field)); a path leads only through messages "
                        + "that occur once")
            }
            steps.append(field.number)
            descriptor = set.messages[nested]
        }
        throw RecordError("a path is empty")
    }

    private static func key(
        _ text: String, _ field: FieldDescriptor, _ set: DescriptorSet
    ) throws(RecordError) -> MessageValue.Value {
        guard case .map(let type) = field.cardinality else {
            throw RecordError(
                "'\(field.name)' is declared as \(set.name(of: field)), not a map; it has no entry '\(shown(text))'")
        }
        return try RecordFromJSON(set: set).key(text, type)
    }

    private static func target(of field: FieldDescriptor, _ set: DescriptorSet) throws(RecordError) -> Target {
        switch field.type {
        case .scalar(let scalar): return .scalar(scalar)
        case .enumeration(let index): return .enumeration(set.enumerations[index])
        case .unsupported(let what): throw RecordError("'\(field.name)' is a \(what), which is not supported")
        case .message(let index):
            let message = set.messages[index]
            switch message.wellKnown {
            case .timestamp: return .timestamp
            case .duration: return .duration
            case .wrapper:
                guard case .scalar(let scalar) = message.fields.first?.type else { return .message(message) }
                return .wrapped(scalar)
            case nil: return .message(message)
            }
        }
    }

    private static func shown(_ name: String) -> Substring { name.prefix(RecordLimits.shownCharacters) }
}
