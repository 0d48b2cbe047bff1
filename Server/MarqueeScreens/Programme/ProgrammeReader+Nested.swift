import MarqueeModel
import MarqueeTypes
import Yams

/// Reads sources of nested messages: `nested: {type: episode, id: $id, field: chapters, key: start}`, or with several
/// fields: `fields: [{field: hosts}, {field: guests, sort: -person.followers, limit: 16}]`.
extension ProgrammeReader {
    mutating func nested(_ node: Node, scope: ScreenScope) -> Programme.Source? {
        guard
            let fields = fields(
                node, "a nested source",
                allowed: ["type", "id", "field", "fields", "sort", "key", "subject", "limit"]),
            let type = type(nil, in: fields)
        else { return nil }
        let before = mistakes.count
        let id = recordID(of: type, in: fields, scope: scope)
        let limit = fields["limit"].map { queryLimit($0) } ?? ProgrammeLimits.queryLimit
        let lists = nestedFields(fields, of: type)
        guard let first = lists.first, let shape = types?.shape(of: type).element(of: first.path) else { return nil }
        let key = fields["key"].flatMap { readable($0, in: shape) }
        let subject = fields["subject"].flatMap { self.subject($0, of: lists.map(\.path), in: type) }
        guard let id, let limit, mistakes.count == before else { return nil }
        return .nested(
            Programme.NestedQuery(
                type: type.alias, id: id, fields: lists, key: key, subject: subject, limit: limit))
    }

    /// The names available in templates of the messages.
    func scope(of query: Programme.NestedQuery) -> TemplateScope? {
        guard let type = types?.type(query.type), let first = query.fields.first,
            let shape = types?.shape(of: type).element(of: first.path)
        else { return nil }
        return TemplateScope(shape: shape, references: type.references(ofAll: query.fields.map(\.path)))
    }

    // MARK: - Fields

    private mutating func nestedFields(_ fields: Fields, of type: TypeDeclaration) -> [Programme.NestedQuery.Field] {
        guard let listNode = fields["fields"] else {
            guard let node = required("field", in: fields) else { return [] }
            return nestedField(node, sort: fields["sort"], limit: nil, of: type).map { [$0] } ?? []
        }
        for name in ["field", "sort"] {
            guard let node = fields[name] else { continue }
            report(node, "with 'fields', '\(name)' belongs in one of its entries")
        }
        guard let entries = list(listNode, "'fields'", atMost: ProgrammeLimits.nestedFields) else { return [] }
        if entries.isEmpty { report(listNode, "'fields' is empty") }
        var found: [Programme.NestedQuery.Field] = []
        for entry in entries {
            guard let field = nestedField(entry, of: type) else { continue }
            if found.contains(where: { $0.path == field.path }) {
                report(entry, "'fields' names '\(field.path.text)' twice")
            }
            if let first = found.first, first.path.target != field.path.target {
                report(
                    entry,
                    "'\(first.path.text)' and '\(field.path.text)' of \(type.alias) are lists of different messages, so "
                        + "no body serves both")
            }
            found.append(field)
        }
        return found
    }

    private mutating func nestedField(_ entry: Node, of type: TypeDeclaration) -> Programme.NestedQuery.Field? {
        guard case .mapping = entry else { return nestedField(entry, sort: nil, limit: nil, of: type) }
        guard let fields = fields(entry, "an entry of 'fields'", allowed: ["field", "sort", "limit"]),
            let node = required("field", in: fields)
        else { return nil }
        return nestedField(node, sort: fields["sort"], limit: fields["limit"], of: type)
    }

    private mutating func nestedField(
        _ node: Node, sort: Node?, limit: Node?, of type: TypeDeclaration
    ) -> Programme.NestedQuery.Field? {
        guard let path = path(node, in: type) else { return nil }
        guard let shape = types?.shape(of: type).element(of: path) else {
            report(node, "'\(path.text)' of \(type.alias) is not a repeated message, so there are no items in it")
            return nil
        }
        var field = Programme.NestedQuery.Field(path: path)
        if let sort {
            guard let sorts = nestedSorts(sort, in: shape, type.references(ofAll: [path])) else { return nil }
            field.sorts = sorts
        }
        if let limit {
            field.limit = queryLimit(limit)
            if field.limit == nil { return nil }
        }
        return field
    }

    /// Reads `role`, or `[-person.followers, role]`.
    private mutating func nestedSorts(
        _ node: Node, in shape: RecordShape, _ references: [TypeDeclaration.Reference]
    ) -> [NestedSort]? {
        guard let nodes = sortParts(node) else { return nil }
        var sorts: [NestedSort] = []
        for node in nodes {
            guard let sort = nestedSort(node, in: shape, references) else { continue }
            if sorts.contains(where: { $0.field == sort.field && $0.way == sort.way }) {
                report(node, "a sort names a field twice")
            }
            sorts.append(sort)
        }
        return sorts.count == nodes.count ? sorts : nil
    }

    /// Reads `start`, or `-person.followers` for the largest first.
    private mutating func nestedSort(
        _ node: Node, in shape: RecordShape, _ references: [TypeDeclaration.Reference]
    ) -> NestedSort? {
        guard let text = text(node, "a sort") else { return nil }
        let isDescending = text.hasPrefix("-")
        let scope = TemplateScope(shape: shape, references: references)
        guard let named = self.field(named: isDescending ? String(text.dropFirst()) : text, node, "the sort", scope),
            let field = readable(named: named.name, node, "the sort", in: named.shape)
        else { return nil }
        guard named.way.isSingle, field.isOrdered else {
            report(node, "'\(text)' isn't a single number, text or time, so nothing can be ordered by it")
            return nil
        }
        return NestedSort(field: field, way: named.way, isDescending: isDescending)
    }

    // MARK: - Subject

    private mutating func subject(
        _ node: Node, of lists: [FieldPath], in type: TypeDeclaration
    ) -> TypeDeclaration.Reference? {
        guard let name = text(node, "the subject") else { return nil }
        if let reference = type.references(ofAll: lists).first(where: { $0.path.text == name }) { return reference }
        let declared = type.nestedReferences.map(\.text)
        let missing = lists.map { "\($0.text).\(name)" }.filter { !declared.contains($0) }
        report(
            node,
            "'\(name)' isn't a declared reference of these messages; declare it with the type \(type.alias): "
                + "'references: {\(missing.map { "\($0): …" }.joined(separator: ", "))}'")
        return nil
    }
}

extension TypeDeclaration {
    /// The references that all of these lists' messages have in common.
    fileprivate func references(ofAll lists: [FieldPath]) -> [Reference] {
        let all = Set(nestedReferences)
        return nestedReferences.filter { $0.list == lists.first }.map(\.reference).filter { reference in
            lists.allSatisfy { all.contains(NestedReference(list: $0, reference: reference)) }
        }
    }
}
