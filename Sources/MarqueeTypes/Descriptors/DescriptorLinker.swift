/// Resolves the names in a descriptor set, and checks that its declarations are consistent.
struct DescriptorLinker {
    /// The declaration that a full name refers to, by its index.
    private enum Place {
        case message(Int)
        case mapEntry(Int)
        case enumeration(Int)
    }

    private struct Declared {
        var raw: RawMessage
        var fullName: String
        var file: RawFile
    }

    private var messages: [Declared] = []
    private var entries: [Declared] = []
    private var enumerations: [EnumDescriptor] = []
    private var places: [String: Place] = [:]
    /// Extensions of a message, by the message's full name.
    private var extensions: [String: [String]] = [:]

    /// Links the messages and enums of `files`.
    mutating func link(
        _ files: [RawFile]
    ) throws(DescriptorError) -> (messages: [MessageDescriptor], enumerations: [EnumDescriptor]) {
        for file in files {
            for message in file.messages { try declare(message, in: file.package, of: file) }
            for enumeration in file.enumerations { try declare(enumeration, in: file.package, of: file) }
            note(file.extensions, of: file)
        }
        var linked: [MessageDescriptor] = []
        for message in messages { linked.append(try link(message)) }
        return (linked, enumerations)
    }

    // MARK: - Declarations

    private mutating func declare(
        _ message: RawMessage, in scope: String, of file: RawFile
    ) throws(DescriptorError) {
        let name = try fullName(message.name, in: scope, of: file)
        let declared = Declared(raw: message, fullName: name, file: file)
        if message.isMapEntry {
            try register(name, .mapEntry(entries.count), of: file)
            entries.append(declared)
        } else {
            try register(name, .message(messages.count), of: file)
            messages.append(declared)
        }
        for nested in message.nested { try declare(nested, in: name, of: file) }
        for enumeration in message.enumerations { try declare(enumeration, in: name, of: file) }
        note(message.extensions, of: file)
    }

    private mutating func declare(
        _ enumeration: RawEnumeration, in scope: String, of file: RawFile
    ) throws(DescriptorError) {
        let name = try fullName(enumeration.name, in: scope, of: file)
        try register(name, .enumeration(enumerations.count), of: file)
        guard !enumeration.values.isEmpty else { throw DescriptorError("\(file.name): the enum \(name) has no values") }
        var seen: Set<String> = []
        for value in enumeration.values where value.name.isEmpty || !seen.insert(value.name).inserted {
            throw DescriptorError(
                "\(file.name): the enum \(name) has the value '\(value.name)' twice, or one without a name")
        }
        let isNull = name == "google.protobuf.NullValue"
        enumerations.append(
            EnumDescriptor(
                fullName: name, file: file.name, values: enumeration.values, isOpen: file.syntax == "proto3",
                refusal: isNull ? "\(name) is not supported" : nil))
    }

    private func fullName(_ name: String, in scope: String, of file: RawFile) throws(DescriptorError) -> String {
        guard !name.isEmpty, !name.contains(".") else {
            throw DescriptorError("\(file.name): '\(name)' in '\(scope)' is not a name for a message or enum")
        }
        let fullName = scope.isEmpty ? name : "\(scope).\(name)"
        guard fullName.utf8.count <= DescriptorLimits.nameBytes else {
            throw DescriptorError("\(file.name): a full name has more than \(DescriptorLimits.nameBytes) bytes")
        }
        return fullName
    }

    private mutating func register(_ name: String, _ place: Place, of file: RawFile) throws(DescriptorError) {
        guard places.updateValue(place, forKey: name) == nil else {
            throw DescriptorError("\(file.name): \(name) is declared twice in the descriptor set")
        }
    }

    private mutating func note(_ fields: [RawField], of file: RawFile) {
        for field in fields {
            extensions[DescriptorLinker.bare(field.extendee), default: []].append("\(field.name) in \(file.name)")
        }
    }

    /// A type's full name without its leading dot.
    private static func bare(_ name: String) -> String { name.hasPrefix(".") ? String(name.dropFirst()) : name }

    // MARK: - Messages

    private func link(_ message: Declared) throws(DescriptorError) -> MessageDescriptor {
        let wellKnown = WellKnownType(fullName: message.fullName)
        let alternatives = try oneofs(of: message)
        var fields: [FieldDescriptor] = []
        for raw in message.raw.fields { fields.append(try field(raw, of: message, alternatives)) }
        fields.sort { $0.number < $1.number }
        try checkNames(of: fields, in: message)
        if let wellKnown { try WellKnownShape.check(wellKnown, message.fullName, fields) }
        return MessageDescriptor(
            fullName: message.fullName, file: message.file.name, fields: fields,
            oneofs: alternatives.names, wellKnown: wellKnown, refusal: refusal(of: message))
    }

    private func checkNames(of fields: [FieldDescriptor], in message: Declared) throws(DescriptorError) {
        var names: Set<String> = []
        var jsonNames: Set<String> = []
        for (index, field) in fields.enumerated() {
            if index > 0, fields[index - 1].number == field.number {
                throw DescriptorError(
                    "\(message.file.name): \(message.fullName) has the field number \(field.number) twice")
            }
            guard names.insert(field.name).inserted, jsonNames.insert(field.jsonName).inserted else {
                throw DescriptorError(
                    "\(message.file.name): \(message.fullName) has the field name '\(field.name)' twice")
            }
        }
    }

    private func refusal(of message: Declared) -> String? {
        if WellKnownType.refused.contains(message.fullName) { return "\(message.fullName) is not supported" }
        if message.raw.isMessageSet { return "the message set format is not supported" }
        if !["", "proto2", "proto3"].contains(message.file.syntax) {
            return "the syntax '\(message.file.syntax)' is not supported; proto2 and proto3 are"
        }
        if let extensions = extensions[message.fullName] {
            let shown = extensions.prefix(RecordLimits.listedNames).joined(separator: ", ")
            return "extensions are not supported: \(shown)\(extensions.count > RecordLimits.listedNames ? ", …" : "")"
        }
        return nil
    }

    /// The real oneofs of a message, without those that implement proto3's `optional`.
    private struct Alternatives {
        var names: [String] = []
        /// Indices in `names`, by the index in the message's declaration.
        var places: [Int: Int] = [:]
    }

    private func oneofs(of message: Declared) throws(DescriptorError) -> Alternatives {
        let synthetic = Set(message.raw.fields.filter(\.isProto3Optional).compactMap(\.oneof))
        var alternatives = Alternatives()
        for (index, name) in message.raw.oneofs.enumerated() where !synthetic.contains(Int32(index)) {
            alternatives.places[index] = alternatives.names.count
            alternatives.names.append(name)
        }
        return alternatives
    }

    // MARK: - Fields

    private func field(
        _ raw: RawField, of message: Declared, _ alternatives: Alternatives
    ) throws(DescriptorError) -> FieldDescriptor {
        let place = "\(message.file.name): \(message.fullName).\(raw.name)"
        guard !raw.name.isEmpty, let number = UInt32(exactly: raw.number), number >= 1,
            number <= DescriptorLimits.fieldNumber
        else { throw DescriptorError("\(place): a field with the number \(raw.number)") }
        guard (1...3).contains(raw.label) else {
            throw DescriptorError("\(place): a field with the label \(raw.label)")
        }
        if let oneof = raw.oneof, oneof < 0 || Int(oneof) >= message.raw.oneofs.count || raw.label != 1 {
            throw DescriptorError("\(place): a member of a oneof that the message doesn't have")
        }
        let isProto3 = message.file.syntax == "proto3"
        var field = FieldDescriptor(
            name: raw.name, jsonName: raw.jsonName.isEmpty ? nil : raw.jsonName,
            number: number, type: .scalar(.bool), cardinality: raw.label == 3 ? .repeated : .single,
            presence: raw.label == 2 ? .required : .implicit, isPacked: false,
            oneof: raw.isProto3Optional ? nil : raw.oneof.flatMap { alternatives.places[Int($0)] })
        if case .mapEntry(let entry) = places[DescriptorLinker.bare(raw.typeName)], raw.type == 11 {
            guard raw.label == 3 else { throw DescriptorError("\(place): a map that is not repeated") }
            try linkMap(entries[entry], &field, place)
            return field
        }
        field.type = try type(of: raw, place)
        if raw.label == 1, !isProto3 || raw.isProto3Optional || raw.oneof != nil || field.message != nil {
            field.presence = .explicit
        }
        if raw.label == 3 {
            switch field.type {
            case .scalar(let scalar): field.isPacked = scalar.isPackable && (raw.isPacked ?? isProto3)
            case .enumeration: field.isPacked = raw.isPacked ?? isProto3
            case .message, .unsupported: break
            }
        }
        if let text = raw.defaultValue, !isProto3 { field.declaredDefault = try declaredDefault(text, field, place) }
        return field
    }

    private func type(of raw: RawField, _ place: String) throws(DescriptorError) -> FieldDescriptor.ValueType {
        switch raw.type {
        case 10: return .unsupported("group")
        case 11, 14:
            switch places[DescriptorLinker.bare(raw.typeName)] {
            case .message(let index) where raw.type == 11: return .message(index)
            case .enumeration(let index) where raw.type == 14: return .enumeration(index)
            case nil:
                throw DescriptorError(
                    "\(place): \(DescriptorLinker.bare(raw.typeName)) is not in the descriptor set; make it with "
                        + "--include_imports")
            default: throw DescriptorError("\(place): \(DescriptorLinker.bare(raw.typeName)) is of a different kind")
            }
        default:
            guard let number = UInt8(exactly: raw.type), let scalar = ScalarType(rawValue: number) else {
                throw DescriptorError("\(place): the type \(raw.type) is not known")
            }
            return .scalar(scalar)
        }
    }

    private func linkMap(
        _ entry: Declared, _ field: inout FieldDescriptor, _ place: String
    ) throws(DescriptorError) {
        let parts = entry.raw.fields.sorted { $0.number < $1.number }
        guard parts.map(\.number) == [1, 2], parts.allSatisfy({ $0.label == 1 }) else {
            throw DescriptorError("\(place): an entry of a map has a key and a value")
        }
        let value = parts[1]
        guard let number = UInt8(exactly: parts[0].type), let key = ScalarType(rawValue: number), key.canBeKey else {
            throw DescriptorError("\(place): no key of a map has the type \(parts[0].type)")
        }
        field.type = try type(of: value, place)
        field.cardinality = .map(key: key)
    }

    private func declaredDefault(
        _ text: [UInt8], _ field: FieldDescriptor, _ place: String
    ) throws(DescriptorError) -> FieldDefault {
        guard text.count <= DescriptorLimits.defaultBytes else {
            throw DescriptorError("\(place): a default of more than \(DescriptorLimits.defaultBytes) bytes")
        }
        var value: FieldDefault?
        if field.isSingle {
            switch field.type {
            case .scalar(let scalar): value = FieldDefault(text, of: scalar)
            case .enumeration(let index):
                value = enumerations[index].number(named: String(decoding: text, as: UTF8.self))
                    .map { .number(UInt64(bitPattern: Int64($0))) }
            case .message, .unsupported: break
            }
        }
        guard let value else {
            throw DescriptorError(
                "\(place): '\(String(decoding: text.prefix(64), as: UTF8.self))' is not a default for it")
        }
        return value
    }
}
