import MarqueeModel
import MarqueePresets
import MarqueeTypes
import MarqueeWire
import Yams

/// Reads bodies that are messages: `body: {message: podcast.v1.EpisodeRow, kind: 2001, fields: {title: $title}}`, or,
/// for one of Marquee's kinds, `body: {kind: course, fields: {title: $title}}`.
extension ProgrammeReader {
    /// The message type of a body.
    private struct Target {
        var message: MessageDescriptor
        var schema: DescriptorSet
        var kind: ItemKind
    }

    mutating func messageBody(_ node: Node, in scope: TemplateScope) -> RecordBody.Form? {
        if case .mapping(let mapping) = node, !["message", "kind", "fields"].contains(where: { mapping[$0] != nil }) {
            // Without any of these keys, a card was probably intended.
            _ = fields(node, "a body", allowed: ["card", "message", "kind", "fields"])
            if mapping.isEmpty { report(node, "a body is empty") }
            return nil
        }
        guard let fields = fields(node, "a body", allowed: ["message", "kind", "fields"]) else { return nil }
        let target = fields["message"].map { ownTarget($0, fields) } ?? builtInTarget(fields)
        guard let node = required("fields", in: fields), let target else { return nil }
        var room = ProgrammeLimits.bodyFields
        guard let mapping = mapping(node, target.message, target.schema, scope, depth: 1, room: &room) else {
            return nil
        }
        return .message(kind: target.kind, mapping)
    }

    // MARK: - The message

    private mutating func builtInTarget(_ fields: Fields) -> Target? {
        guard let node = required("kind", in: fields), let name = text(node, "the kind of a body") else { return nil }
        guard let known = PresetSchema.kinds.first(where: { $0.name == name }),
            let message = BuiltInBodies.schema.message(named: known.message)
        else {
            if UInt32(name) != nil {
                report(node, "a body of kind \(name) needs 'message', the full name of its message")
            } else {
                reportUnknown(node, "kind", of: "Marquee", PresetSchema.kinds.map(\.name))
            }
            return nil
        }
        return Target(message: message, schema: BuiltInBodies.schema, kind: known.kind)
    }

    private mutating func ownTarget(_ node: Node, _ fields: Fields) -> Target? {
        guard let name = text(node, "the message of a body") else { return nil }
        if let builtIn = PresetSchema.kinds.first(where: { $0.message == name }) {
            report(node, "'\(name)' is Marquee's own: leave 'message' out and write 'kind: \(builtIn.name)'")
            return nil
        }
        guard let schema = types?.schema, let place = schema.place(named: name) else {
            let hint = NearestName.hint(for: name, among: types?.schema.messages.map(\.fullName) ?? [])
            report(node, "the descriptor set of the types has no message '\(name.prefix(64))'\(hint)")
            return nil
        }
        let refusals = schema.refusals(of: place)
        guard refusals.isEmpty else {
            for reason in refusals { report(node, reason) }
            return nil
        }
        guard let kind = kind(fields["kind"], name, node) else { return nil }
        return Target(message: schema.messages[place], schema: schema, kind: kind)
    }

    /// The given kind, or the kind of the type with this message. Each kind has only one message.
    private mutating func kind(_ node: Node?, _ message: String, _ messageNode: Node) -> ItemKind? {
        var kind = types?.types.first { $0.message.fullName == message }?.kind
        if let node {
            guard let number = integer(node, "the kind of a body", in: TypeLimits.firstKind...UInt32.max) else {
                return nil
            }
            kind = ItemKind(rawValue: number)
        }
        guard let kind else {
            report(
                messageNode,
                "a body of '\(message)' needs 'kind', a number of at least \(TypeLimits.firstKind) by which apps know it"
            )
            return nil
        }
        let type = types?.types.first { $0.kind == kind }
        guard let other = type?.message.fullName ?? bodyKinds[kind], other != message else {
            bodyKinds[kind] = message
            return kind
        }
        report(node ?? messageNode, "the kind \(kind.rawValue) already stands for '\(other)'")
        return nil
    }

    // MARK: - Fields

    private mutating func mapping(
        _ node: Node, _ message: MessageDescriptor, _ schema: DescriptorSet, _ scope: TemplateScope, depth: Int,
        room: inout Int
    ) -> MessageMapping? {
        guard case .mapping(let values) = node else {
            report(node, "\(message.fullName) is given by its fields, such as {\(message.fields.first?.name ?? ""): …}")
            return nil
        }
        guard depth <= RecordLimits.depth else {
            report(node, "messages are at most \(RecordLimits.depth) deep")
            return nil
        }
        let before = mistakes.count
        var fields: [MessageMapping.Field] = []
        var oneofs: Set<Int> = []
        for (key, value) in values {
            guard let name = key.scalar?.string, let field = message.field(named: name) else {
                reportUnknown(key, "field", of: message.fullName, message.fields.map(\.name))
                continue
            }
            room -= 1
            guard room >= 0 else {
                report(key, "a body has at most \(ProgrammeLimits.bodyFields) fields")
                return nil
            }
            if fields.contains(where: { $0.number == field.number }) {
                report(key, "'\(field.name)' of \(message.fullName) is given twice")
            }
            if let oneof = field.oneof, !oneofs.insert(oneof).inserted {
                report(key, "only one field of '\(message.oneofs[oneof])' can be given, and another one is already")
            }
            let target = MappedField(field: field, message: message, schema: schema)
            guard let content = content(value, target, scope, depth: depth, room: &room) else { continue }
            fields.append(
                MessageMapping.Field(
                    number: field.number, content: content,
                    skipsZero: field.isSingle && field.presence == .implicit))
        }
        for field in message.fields where field.presence == .required {
            if !fields.contains(where: { $0.number == field.number }), mistakes.count == before {
                report(node, "\(message.fullName) needs '\(field.name)'")
            }
        }
        guard mistakes.count == before else { return nil }
        return MessageMapping(message: message.fullName, fields: fields.sorted { $0.number < $1.number })
    }

    private mutating func content(
        _ node: Node, _ target: MappedField, _ scope: TemplateScope, depth: Int, room: inout Int
    ) -> MessageMapping.Content? {
        switch target.field.cardinality {
        case .map: return copy(node, target, scope)
        case .single: return single(node, target, scope, depth: depth, room: &room)
        case .repeated:
            guard case .sequence = node else { return repeated(node, target, scope) }
            let entries = list(node, "'\(target.field.name)'", atMost: ProgrammeLimits.cardEntries) ?? []
            let contents = entries.map { single($0, target, scope, depth: depth, room: &room) }
            guard contents.allSatisfy({ $0 != nil }) else { return nil }
            return .list(contents.compactMap { $0 }, packed: target.field.isPacked ? target.scalar : nil)
        }
    }

    /// Reads one value: of a singular field, or an entry of a list.
    private mutating func single(
        _ node: Node, _ target: MappedField, _ scope: TemplateScope, depth: Int, room: inout Int
    ) -> MessageMapping.Content? {
        if case .message(let place) = target.field.type {
            let nested = target.schema.messages[place]
            let isImage = nested.fullName == BodySchema.image
            if case .mapping = node, nested.wellKnown == nil {
                guard let mapping = mapping(node, nested, target.schema, scope, depth: depth + 1, room: &room) else {
                    return nil
                }
                return .message(isImage ? mapping.withRole(of: target, in: nested) : mapping)
            }
            if isImage, let name = nested.field(named: "name"), !namesMessage(node, target, scope) {
                // An image may be given by its name alone.
                let inner = MappedField(field: name, message: nested, schema: target.schema)
                guard let content = single(node, inner, scope, depth: depth + 1, room: &room) else { return nil }
                let field = MessageMapping.Field(number: name.number, content: content, skipsZero: false)
                return .message(
                    MessageMapping(message: nested.fullName, fields: [field]).withRole(of: target, in: nested))
            }
            return copy(node, target, scope)
        }
        if target.field.type == .scalar(.string) {
            return template(node, "'\(target.field.name)' of \(target.message.fullName)", scope).map { .text($0) }
        }
        return number(node, target, scope)
    }

    /// Reads a number, a bool, an enum's value or bytes: a constant, or one field.
    private mutating func number(
        _ node: Node, _ target: MappedField, _ scope: TemplateScope
    ) -> MessageMapping.Content? {
        guard let scalar = target.scalar, let text = text(node, target.words) else { return nil }
        guard text.contains("$") else {
            if let value = target.constant(text) { return .constant(value, scalar) }
            report(
                node,
                "\(target.words) and takes \(target.wanted), not the text '\(text.prefix(64))'\(target.hint(text))")
            return nil
        }
        if let value = tileValue(text, scope) ?? (text == "$id" ? .id : nil), target.takesNumbers {
            return .value(value, scalar)
        }
        if target.takesNumbers, case let name = String(text.dropFirst()), TemplateText.isCount(name) {
            return count(named: name, node, target.words, scope).map { .value($0, scalar) }
        }
        guard let (value, source) = source(text, node, target, scope) else { return nil }
        guard source.path.field.isSingle || source.path.isEntry, target.takes(source) else {
            report(node, "\(target.words) and takes \(target.wanted); \(source.words)")
            return nil
        }
        return .value(value, scalar)
    }

    /// The value of `$value` or `$count` in a facet's tile; `nil` for other texts.
    func tileValue(_ text: String, _ scope: TemplateScope) -> RecordValue? {
        guard scope.facet != nil else { return nil }
        return text == "$value" ? .facetValue : text == "$count" ? .facetCount : nil
    }

    /// Reads a field that is a list, to take all its values.
    private mutating func repeated(
        _ node: Node, _ target: MappedField, _ scope: TemplateScope
    ) -> MessageMapping.Content? {
        guard let scalar = target.scalar else { return copy(node, target, scope) }
        guard let text = text(node, target.words) else { return nil }
        if scalar == .string, let value = referredTexts(text, node, target, scope) { return .texts(value) }
        guard let (value, source) = source(text, node, target, scope) else { return nil }
        guard source.path.field.cardinality == .repeated, target.takes(source) else {
            report(node, "\(target.words) and takes a list of such values, or [one, by, one]; \(source.words)")
            return nil
        }
        return .values(value, scalar, isPacked: target.field.isPacked)
    }

    /// Reads a text of each record that a list of ids refers to: `$speakers.name`.
    private mutating func referredTexts(
        _ text: String, _ node: Node, _ target: MappedField, _ scope: TemplateScope
    ) -> RecordValue? {
        let lists = scope.references.filter { $0.path.field.cardinality == .repeated }
        guard lists.contains(where: { text.hasPrefix("$\($0.path.text).") }) else { return nil }
        return plainTemplate(node, target.words, scope)?.onlyValue
    }
}
