/// The messages and enums of an operator's schema, as `protoc --descriptor_set_out --include_imports` writes it.
///
/// ```swift
/// let set = try DescriptorSet(bytes)
/// let show = set.message(named: "podcast.v1.Show")
/// ```
///
/// A set may contain features that Marquee doesn't support (groups, `Any`, extensions …) as long as no type uses them;
/// `refusals(of:)` lists those that a message uses.
package struct DescriptorSet: Hashable, Sendable {
    /// All messages except map entries, in file order; nested messages follow the one that declares them.
    package let messages: [MessageDescriptor]
    /// All enums.
    package let enumerations: [EnumDescriptor]
    private let places: [String: Int]

    /// Reads a set.
    ///
    /// - Throws: when the bytes are not a descriptor set, exceed a bound, or refer to something that the set lacks.
    package init(_ bytes: [UInt8]) throws(DescriptorError) {
        var linker = DescriptorLinker()
        let linked = try linker.link(try DescriptorUnpacker.files(of: bytes))
        self.init(messages: linked.messages, enumerations: linked.enumerations)
    }

    /// - Parameters:
    ///   - messages: all messages; their fields refer to other messages by index in this list.
    ///   - enumerations: all enums; fields refer to them by index in this list.
    package init(messages: [MessageDescriptor], enumerations: [EnumDescriptor]) {
        self.messages = messages
        self.enumerations = enumerations
        places = Dictionary(messages.enumerated().map { ($1.fullName, $0) }) { first, _ in first }
    }

    /// The index of the message with this full name.
    package func place(named fullName: String) -> Int? { places[fullName] }

    /// The message with this full name, such as `podcast.v1.Show`.
    package func message(named fullName: String) -> MessageDescriptor? { places[fullName].map { messages[$0] } }

    /// A type as written in a `.proto` file.
    func name(of type: FieldDescriptor.ValueType) -> String {
        switch type {
        case .scalar(let scalar): scalar.name
        case .message(let index): messages[index].fullName
        case .enumeration(let index): enumerations[index].fullName
        case .unsupported(let what): what
        }
    }

    /// A field's type and label as written in a `.proto` file: `repeated string`, `map<string, int64>`.
    package func name(of field: FieldDescriptor) -> String {
        let type = name(of: field.type)
        switch field.cardinality {
        case .map(let key): return "map<\(key.name), \(type)>"
        case .repeated: return "repeated \(type)"
        case .single:
            switch field.presence {
            case .required: return "required \(type)"
            case .explicit where field.message == nil && field.oneof == nil: return "optional \(type)"
            default: return type
            }
        }
    }
}

// MARK: - Unsupported features

extension DescriptorSet {
    /// The reasons why a message can't be a record: everything it may contain that Marquee doesn't support, by file,
    /// message and field. Empty if it can be one.
    ///
    /// - Parameter isRecord: whether it must have fields of its own, rather than be a single value in JSON.
    package func refusals(of message: Int, isRecord: Bool = true) -> [String] {
        var refusals: [String] = []
        var seen: Set<Int> = [message]
        var seenEnumerations: Set<Int> = []
        var waiting = [message]
        if isRecord, messages[message].wellKnown != nil {
            refusals.append(
                "\(messages[message].fullName) is one value in JSON; a record has to be a message with fields")
        }
        while let index = waiting.popLast() {
            let message = messages[index]
            if let reason = message.refusal { refusals.append("\(message.file): \(message.fullName): \(reason)") }
            for field in message.fields {
                switch field.type {
                case .unsupported(let what):
                    refusals.append("\(message.file): \(message.fullName).\(field.name): a \(what) is not supported")
                case .message(let next):
                    if seen.insert(next).inserted { waiting.append(next) }
                case .enumeration(let next):
                    let enumeration = enumerations[next]
                    guard seenEnumerations.insert(next).inserted, let reason = enumeration.refusal else { continue }
                    refusals.append("\(message.file): \(message.fullName).\(field.name): \(reason)")
                case .scalar: break
                }
            }
        }
        return refusals.sorted()
    }
}

// MARK: - Summary

extension DescriptorSet {
    /// The contents of the set, line by line: each message with its fields (number, JSON name, type), each enum with
    /// its values, and what Marquee doesn't support.
    package var summary: [String] {
        var lines: [String] = []
        for message in messages {
            lines.append("message \(message.fullName)" + (message.refusal.map { "  (not supported: \($0))" } ?? ""))
            for field in message.fields {
                let oneof = field.oneof.map { "  (oneof \(message.oneofs[$0]))" } ?? ""
                let isSupported = if case .unsupported = field.type { false } else { true }
                lines.append(
                    "  \(field.number)  \(field.jsonName): \(name(of: field))\(oneof)"
                        + (isSupported ? "" : "  (not supported)"))
            }
        }
        for enumeration in enumerations {
            lines.append("enum \(enumeration.fullName)" + (enumeration.isOpen ? "" : "  (closed)"))
            for value in enumeration.values { lines.append("  \(value.number)  \(value.name)") }
        }
        return lines
    }
}
