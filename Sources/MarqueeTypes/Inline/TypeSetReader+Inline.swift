internal import MarqueeModel
internal import Yams

/// Reads types with inline fields: `fields: {title: text, price_cents: integer}`.
extension TypeSetReader {
    private static let fieldsKey = "fields"
    private static let dropped = "dropped"

    /// Whether a declaration has inline fields.
    static func hasInlineFields(_ root: Node) -> Bool {
        guard case .mapping(let declaration) = root, case .mapping(let types)? = declaration["types"] else {
            return false
        }
        return types.contains { entry in
            if case .mapping(let type) = entry.value { type[fieldsKey] != nil } else { false }
        }
    }

    /// The messages of the declaration's inline fields.
    /// - Parameter packageNode: the node with the name of the messages' package.
    /// - Returns: `nil` if there are none.
    mutating func inlineSchema(_ entries: [(key: Node, value: Node)], _ packageNode: Node?) -> InlineSchema? {
        var schema = InlineSchema(package: InlineSchema.defaultPackage, messages: [])
        for entry in entries {
            guard case .mapping(let type) = entry.value, let node = type[Self.fieldsKey],
                let alias = entry.key.scalar?.string, TypeLimits.isAlias(alias)
            else { continue }
            if let message = type["message"] {
                yaml.report(message, "a type has either 'message', of a descriptor set, or 'fields'")
            }
            let name = InlineSchema.Message.name(of: alias)
            if let other = schema.messages.first(where: { $0.name == name }) {
                yaml.report(
                    entry.key,
                    "the types '\(other.alias)' and '\(alias)' would have the same message, \(name); rename one")
                continue
            }
            schema.messages.append(InlineSchema.Message(alias: alias, name: name, fields: inlineFields(node)))
        }
        guard !schema.messages.isEmpty else {
            if let packageNode {
                yaml.report(packageNode, "'package' is for types with 'fields', and there are none")
            }
            return nil
        }
        if let packageNode, let name = packageName(packageNode) { schema.package = name }
        return schema
    }

    private mutating func packageName(_ node: Node) -> String? {
        guard let name = yaml.text(node, "'package'", atMost: TypeLimits.packageBytes) else { return nil }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ TypeLimits.isFieldName(String($0)) }), parts.first != "google" else {
            yaml.report(node, "'package' must be names of lowercase letters, digits and '_', such as shop.v1")
            return nil
        }
        return name
    }

    private mutating func inlineFields(_ node: Node) -> [InlineSchema.Field] {
        guard let entries = yaml.entries(node, "'fields'", atMost: DescriptorLimits.messageFields) else { return [] }
        if entries.isEmpty { yaml.report(node, "'fields' is empty") }
        var fields: [InlineSchema.Field] = []
        var names: [String: String] = [:]
        var numbers: [UInt32: String] = [:]
        var next: UInt32 = 1
        for (key, value) in entries {
            guard let name = fieldName(key, &names), let field = inlineField(name, value, next) else { continue }
            if let other = numbers.updateValue(name, forKey: field.number) {
                yaml.report(value, "the fields '\(other)' and '\(name)' have the same number, \(field.number)")
            }
            fields.append(field)
            next = field.number + 1
        }
        return fields
    }

    private mutating func fieldName(_ node: Node, _ names: inout [String: String]) -> String? {
        guard let name = yaml.text(node, "the name of a field", atMost: TypeLimits.fieldNameBytes) else { return nil }
        guard TypeLimits.isFieldName(name) else {
            yaml.report(
                node,
                "the name of a field, '\(name.prefix(64))', must begin with a lowercase letter and have only lowercase "
                    + "letters, digits and '_'")
            return nil
        }
        let jsonName = FieldDescriptor.camelCase(name)
        if let other = names.updateValue(name, forKey: jsonName) {
            yaml.report(node, "the fields '\(other)' and '\(name)' are both called '\(jsonName)' in JSON; rename one")
            return nil
        }
        return name
    }

    /// - Parameter place: the field's number unless the declaration gives one.
    private mutating func inlineField(_ name: String, _ node: Node, _ place: UInt32) -> InlineSchema.Field? {
        guard let text = yaml.text(node, "the type of '\(name)'", atMost: TypeLimits.fieldNameBytes) else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").joined(separator: " ") }
        var number: UInt32?
        if parts.count == 2 {
            number = UInt32(parts[1])
            guard let number, (1...UInt32(DescriptorLimits.fieldNumber)).contains(number) else {
                yaml.report(
                    node,
                    "the number of '\(name)' must be from 1 to \(DescriptorLimits.fieldNumber), as in '\(name): text = 3'"
                )
                return nil
            }
        }
        let own = number ?? place
        guard own <= UInt32(DescriptorLimits.fieldNumber), !TypeLimits.reservedNumbers.contains(own) else {
            yaml.report(
                node,
                "'\(name)' can't have the number \(own): protobuf keeps \(TypeLimits.reservedNumbers.lowerBound) to "
                    + "\(TypeLimits.reservedNumbers.upperBound) for itself")
            return nil
        }
        let words = parts.first ?? ""
        let type = InlineFieldType(words: words)
        guard type != nil || words == Self.dropped else {
            let hint = NearestName.hint(for: words, among: InlineFieldType.all)
            yaml.report(
                node,
                "'\(name)': there is no type '\(words.prefix(64))'\(hint)\(hint.isEmpty ? ";" : "") the types are "
                    + "\(InlineFieldType.Value.allCases.map(\.rawValue).joined(separator: ", ")), 'list of' any of them, "
                    + "'text by locale', and 'dropped' for a field that is gone")
            return nil
        }
        return InlineSchema.Field(name: name, number: own, isNumbered: number != nil, type: type)
    }

    /// The texts by locale among a type's inline fields.
    /// - Parameter listed: those that the declaration already lists under `localized`.
    func inlineTexts(
        of message: InlineSchema.Message, _ coder: RecordCoder, besides listed: [LocalizedField]
    ) -> [LocalizedField] {
        message.fields.compactMap { field in
            guard field.type?.form == .byLocale,
                let path = try? FieldPath(field.name, message: coder.message, set: coder.set),
                !listed.contains(where: { $0.path == path })
            else { return nil }
            return LocalizedField(path: path, form: .map)
        }
    }
}
