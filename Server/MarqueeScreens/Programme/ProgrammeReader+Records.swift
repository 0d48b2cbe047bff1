import MarqueeModel
import MarqueeTypes
import Yams

/// Reads sources of records: `records: {type: episode, where: …, sort: -published}`, `record`.
extension ProgrammeReader {
    static let recordSources = ["records", "record", "nested", "list", "facet"]
    private static let defaultLimit = 20

    var aliases: [String] { types?.types.map(\.alias) ?? [] }

    /// Reads the name of a type.
    mutating func type(_ node: Node?, in fields: Fields) -> TypeDeclaration? {
        guard let node = node ?? required("type", in: fields), let name = identifier(node, "the name of a type") else {
            return nil
        }
        if let type = types?.type(name) { return type }
        if aliases.isEmpty {
            report(node, "there is no type '\(name)': no types of records are declared")
        } else {
            reportUnknown(node, "type", of: "the declaration of types", aliases)
        }
        return nil
    }

    mutating func records(_ node: Node, scope: ScreenScope) -> Programme.Source? {
        guard let fields = fields(node, "a query of records", allowed: ["type", "where", "sort", "limit"]),
            let type = type(nil, in: fields)
        else { return nil }
        let sort = fields["sort"].map { recordSort($0, of: type) }
        let limit = fields["limit"].map { queryLimit($0) } ?? ProgrammeReader.defaultLimit
        var query = Programme.RecordQuery(
            type: type.alias, conditions: [], group: nil, excluded: [], sort: nil, limit: limit ?? 1)
        let isRead = fields["where"].map { conditions($0, of: type, scope: scope, into: &query) } ?? true
        if let sort { query.sort = sort }
        guard limit != nil, isRead, sort.map({ $0 != nil }) ?? true else { return nil }
        return .records(query)
    }

    mutating func record(_ node: Node, scope: ScreenScope) -> Programme.Source? {
        guard let fields = fields(node, "a record", allowed: ["type", "id"]), let type = type(nil, in: fields) else {
            return nil
        }
        return recordID(of: type, in: fields, scope: scope).map { .record(type: type.alias, $0) }
    }

    mutating func recordID(
        of type: TypeDeclaration, in fields: Fields, scope: ScreenScope
    ) -> Programme.RecordReference? {
        required("id", in: fields).flatMap { reference($0, to: type, scope: scope) }
    }

    /// Reads `$id`, or the id of a record.
    private mutating func reference(
        _ node: Node, to type: TypeDeclaration, scope: ScreenScope
    ) -> Programme.RecordReference? {
        guard let text = text(node, "the id of a record", atMost: Subject.maximumLength) else { return nil }
        guard text.hasPrefix("$") else { return .fixed(text) }
        guard text == Programme.Argument.placeholder, scope.argument != nil else {
            report(node, "'\(text)' is not known here; '$id' needs a screen named like '\(type.alias)/$id'")
            return nil
        }
        return .argument
    }

    // MARK: - Orders

    /// Reads `published`, or `-published` for the largest first.
    mutating func recordSort(_ node: Node, of type: TypeDeclaration) -> RecordSort? {
        guard let text = text(node, "a sort") else { return nil }
        let isDescending = text.hasPrefix("-")
        let name = isDescending ? String(text.dropFirst()) : text
        return sortField(name, node, of: type).map { RecordSort(field: $0, isDescending: isDescending) }
    }

    /// Reports a field that doesn't exist, or that the type's declaration doesn't list.
    private mutating func reportUndeclared(_ name: String, _ node: Node, of type: TypeDeclaration, _ list: String) {
        guard path(named: name, node, in: type) != nil else { return }
        let known = list == "sorts" ? type.sorts.map(\.path.text) : type.facets.map(\.text)
        report(
            node,
            "'\(name)' of \(type.alias) isn't indexed for that; declare it with the type: "
                + "'\(list): [\((known + [name]).joined(separator: ", "))]'")
    }

    private mutating func sortField(
        _ name: String, _ node: Node, of type: TypeDeclaration
    ) -> TypeDeclaration.SortField? {
        if let field = type.sorts.first(where: { $0.path.text == name }) { return field }
        reportUndeclared(name, node, of: type, "sorts")
        return nil
    }

    mutating func facet(_ name: String, _ node: Node, of type: TypeDeclaration) -> FieldPath? {
        if let path = type.facets.first(where: { $0.text == name }) { return path }
        reportUndeclared(name, node, of: type, "facets")
        return nil
    }

    // MARK: - Fields

    mutating func path(named name: String, _ node: Node, in type: TypeDeclaration) -> FieldPath? {
        do throws(RecordError) {
            return try types?.shape(of: type).path(name)
        } catch {
            report(node, error.description)
            return nil
        }
    }

    mutating func path(_ node: Node, in type: TypeDeclaration) -> FieldPath? {
        text(node, "the name of a field").flatMap { path(named: $0, node, in: type) }
    }

    /// Reads the name of a field that can be printed.
    mutating func readable(_ node: Node, in shape: RecordShape) -> RecordField? {
        text(node, "the name of a field").flatMap { readable(named: $0, node, "the field", in: shape) }
    }

    mutating func readable(
        named name: String, _ node: Node, _ what: String, in shape: RecordShape
    ) -> RecordField? {
        do throws(RecordError) {
            return try shape.readable(name)
        } catch {
            report(node, "\(what): \(error)")
            return nil
        }
    }

    mutating func queryLimit(_ node: Node) -> Int? {
        integer(node, "limit", in: 1...ProgrammeLimits.queryLimit)
    }

    // MARK: - Conditions

    private static let tests = ["in", "not", "above", "from", "below", "to"]

    /// - Returns: whether all conditions were valid.
    private mutating func conditions(
        _ node: Node, of type: TypeDeclaration, scope: ScreenScope, into query: inout Programme.RecordQuery
    ) -> Bool {
        guard case .mapping(let mapping) = node, mapping.count <= ProgrammeLimits.conditions else {
            report(
                node, "'where' must map at most \(ProgrammeLimits.conditions) fields to conditions")
            return false
        }
        let before = mistakes.count
        for (key, value) in mapping {
            guard let name = text(key, "the name of a field") else { continue }
            if name == "id" {
                query.excluded += excluded(value, of: type, scope: scope)
            } else if let text = value.scalar?.string, text.hasPrefix("$") {
                guard let group = group(name, key, text, value, of: type, scope: scope) else { continue }
                if query.group != nil {
                    report(key, "only one condition can depend on the screen, and another one already does")
                }
                query.group = group
            } else if let condition = condition(name, key, value, of: type) {
                query.conditions += condition
            }
        }
        return mistakes.count == before
    }

    /// Reads `id: {not: $id}`.
    private mutating func excluded(
        _ node: Node, of type: TypeDeclaration, scope: ScreenScope
    ) -> [Programme.RecordReference] {
        guard case .mapping(let mapping) = node, mapping.count == 1, let value = mapping["not"] else {
            report(node, "'id' can only be 'not': {not: $id}; one record is the source {record: …}")
            return []
        }
        guard case .sequence = value else { return reference(value, to: type, scope: scope).map { [$0] } ?? [] }
        let entries = list(value, "'not'", atMost: ProgrammeLimits.values) ?? []
        return entries.compactMap { reference($0, to: type, scope: scope) }
    }

    /// Reads `show: $id` or `show: $record.show`.
    private mutating func group(
        _ name: String, _ key: Node, _ text: String, _ node: Node, of type: TypeDeclaration, scope: ScreenScope
    ) -> Programme.RecordQuery.Group? {
        guard let path = facet(name, key, of: type) else { return nil }
        if text == Programme.Argument.placeholder {
            if scope.argument != nil { return Programme.RecordQuery.Group(path: path, value: .argument) }
            report(node, "'$id' needs a screen named like 'show/$id', which this one isn't")
            return nil
        }
        let prefix = "$record."
        guard text.hasPrefix(prefix) else {
            report(node, "'\(text.prefix(64))' is not known here; a condition may be on '$id' or '$record.<field>'")
            return nil
        }
        guard case .record(let other)? = scope.argument, let shown = types?.type(other) else {
            report(node, "'$record' needs a screen with a section {record: {type: …, id: $id}}")
            return nil
        }
        guard let value = self.path(named: String(text.dropFirst(prefix.count)), node, in: shown) else { return nil }
        guard value.field.isSingle, value.isPlain else {
            report(node, "'\(text)' is not one value, so nothing can be equal to it")
            return nil
        }
        return Programme.RecordQuery.Group(path: path, value: .record(value))
    }

    /// Reads a value, a list of values, or a mapping of tests.
    private mutating func condition(
        _ name: String, _ key: Node, _ node: Node, of type: TypeDeclaration
    ) -> [RecordCondition]? {
        guard case .mapping = node else {
            guard let path = facet(name, key, of: type) else { return nil }
            return values(node, of: path).map { [.isAny(path, $0)] }
        }
        guard let tests = fields(node, "the condition on '\(name)'", allowed: ProgrammeReader.tests) else { return nil }
        var conditions: [RecordCondition] = []
        for test in ["in", "not"] {
            guard let value = tests[test] else { continue }
            guard let path = facet(name, key, of: type), let values = values(value, of: path) else { return nil }
            conditions.append(test == "in" ? .isAny(path, values) : .isNone(path, values))
        }
        guard ["above", "from", "below", "to"].contains(where: { tests[$0] != nil }) else { return conditions }
        guard let field = sortField(name, key, of: type) else { return nil }
        let lower = bound(tests["above"], tests["from"], of: field, type)
        let upper = bound(tests["below"], tests["to"], of: field, type)
        return conditions + [.isWithin(field, lower: lower, upper: upper)]
    }

    private mutating func bound(
        _ excluded: Node?, _ included: Node?, of field: TypeDeclaration.SortField, _ type: TypeDeclaration
    ) -> RecordCondition.Bound? {
        if let excluded, included != nil { report(excluded, "a range has one bound on each side") }
        guard let node = excluded ?? included, let text = constant(node, field.path) else { return nil }
        guard let key = type.key(of: field, written: text) else {
            report(node, "'\(text.prefix(64))' is not a value of '\(field.path.text)'")
            return nil
        }
        return RecordCondition.Bound(key: key, isIncluded: excluded == nil)
    }

    private mutating func values(_ node: Node, of path: FieldPath) -> Set<FieldValue>? {
        guard case .sequence = node else { return value(node, of: path).map { [$0] } }
        guard let entries = list(node, "the values of '\(path.text)'", atMost: ProgrammeLimits.values) else {
            return nil
        }
        let values = entries.map { value($0, of: path) }
        return values.allSatisfy { $0 != nil } ? Set(values.compactMap { $0 }) : nil
    }

    mutating func value(_ node: Node, of path: FieldPath) -> FieldValue? {
        guard let text = constant(node, path) else { return nil }
        if let value = path.value(written: text) { return value }
        let hint: String
        if case .enumeration(let type) = path.target {
            hint = NearestName.hint(for: text, among: type.values.map(\.name))
        } else {
            hint = ""
        }
        report(node, "'\(text.prefix(64))' is not a value of '\(path.text)'\(hint)")
        return nil
    }

    private mutating func constant(_ node: Node, _ path: FieldPath) -> String? {
        guard let text = text(node, "a value of '\(path.text)'") else { return nil }
        guard text.hasPrefix("$") else { return text }
        report(node, "'\(text.prefix(64))': only equality can depend on the screen, such as {\(path.text): $id}")
        return nil
    }
}

/// The context of a screen while its sections are read.
struct ScreenScope {
    var argument: Programme.Argument?
}
