import MarqueeTypes
import MarqueeWire
import Yams

/// Reads the fields of a record that a message's fields take values from: `poster: $poster`, `minutes: $minutes`.
extension ProgrammeReader {
    /// Reads a message, a list of messages or a map to be copied byte for byte.
    mutating func copy(
        _ node: Node, _ target: MappedField, _ scope: TemplateScope
    ) -> MessageMapping.Content? {
        guard case .scalar = node else {
            report(node, "\(target.words) and takes a field of the same type, such as $\(target.field.name)")
            return nil
        }
        guard let text = text(node, target.words), let (value, source) = source(text, node, target, scope) else {
            return nil
        }
        let isWhole = !source.path.isEntry
        guard isWhole, source.declaration == target.declaration else {
            report(
                node,
                "\(target.words) and takes a field of the same type; \(source.words)"
                    + (target.fields(from: source, named: text).map { ". Write \($0)" } ?? ""))
            return nil
        }
        if let message = target.nested, message.fullName == BodySchema.image, let role = message.field(named: "role") {
            return .completed(value, number: role.number, text: target.field.name)
        }
        return .copy(value)
    }

    /// Whether a text consists of one field that holds messages.
    func namesMessage(_ node: Node, _ target: MappedField, _ scope: TemplateScope) -> Bool {
        // A copy, because errors in the field are reported when it is actually read.
        var probe = self
        guard let text = node.scalar?.string, let (_, source) = probe.source(text, node, target, scope) else {
            return false
        }
        return source.nested != nil
    }

    // MARK: - Values

    /// Reads the one field that a text consists of.
    mutating func source(
        _ text: String, _ node: Node, _ target: MappedField, _ scope: TemplateScope
    ) -> (RecordValue, MappedSource)? {
        var parser = TemplateText(text)
        guard let pieces = parser.pieces(), pieces.count == 1, case .name(let name) = pieces[0] else {
            report(node, "\(target.words) and takes \(target.wanted), not the text '\(text.prefix(64))'")
            return nil
        }
        guard name != "id", tileValue(text, scope) == nil else {
            report(node, "\(target.words): '$\(name)' is a text; name the field that holds the value")
            return nil
        }
        if let found = memberValue(named: name, node, target.words, scope) {
            guard let schema = types?.schema, case .member(_, let field)? = found else { return nil }
            return found.map { ($0, MappedSource(path: field.path, schema: schema)) }
        }
        guard let named = field(named: name, node, target.words, scope),
            let path = path(named: named.name, node, in: named.shape, target)
        else { return nil }
        let source = MappedSource(path: path, schema: named.shape.schema, isID: named.ids.contains(path))
        return (named.value(.plain(path)), source)
    }

    private mutating func path(
        named name: String, _ node: Node, in shape: RecordShape, _ target: MappedField
    ) -> FieldPath? {
        do throws(RecordError) {
            return try shape.path(name)
        } catch {
            report(node, "\(target.words): \(error)")
            return nil
        }
    }
}
