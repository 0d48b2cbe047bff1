import MarqueeModel
import MarqueeTypes
import Yams

/// Reads the conditions of a query: `where: {topics: food, minutes: {below: 60}}`.
extension ProgrammeReader {
    private static let tests = ["in", "not", "above", "from", "below", "to", "has"]

    /// Reads conditions that depend only on a record's fields, such as a facet's `where` and a badge's `when`.
    mutating func recordConditions(_ node: Node, _ what: String, of type: TypeDeclaration) -> [RecordCondition] {
        var query = Programme.RecordQuery(
            type: type.alias, conditions: [], group: nil, excluded: [], sort: nil, limit: 1)
        guard conditions(node, what, of: type, scope: ScreenScope(), into: &query) else { return [] }
        if query.group != nil || query.membership != nil || !query.excluded.isEmpty {
            report(node, "\(what) can't depend on the screen, on ids, nor on a user's collection")
        }
        return query.conditions
    }

    /// - Returns: whether all conditions were valid.
    mutating func conditions(
        _ node: Node, _ what: String = "'where'", of type: TypeDeclaration, scope: ScreenScope,
        into query: inout Programme.RecordQuery
    ) -> Bool {
        guard case .mapping(let mapping) = node, mapping.count <= ProgrammeLimits.conditions else {
            report(node, "\(what) must map at most \(ProgrammeLimits.conditions) fields to conditions")
            return false
        }
        let before = mistakes.count
        for (key, value) in mapping {
            guard let name = text(key, "the name of a field") else { continue }
            if isAny(name, of: type) {
                query.conditions += alternatives(value, of: type).map { [$0] } ?? []
            } else if name == "id" {
                readID(value, of: type, scope: scope, into: &query)
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
        if let group = query.group, case .record = group.value, query.membership?.isIn == true {
            report(node, "a query of records 'in' a collection can't depend on '$record'")
        }
        return mistakes.count == before
    }

    // MARK: - Alternatives

    /// Whether a key of conditions means alternatives rather than a field with that name.
    private func isAny(_ name: String, of type: TypeDeclaration) -> Bool {
        name == "any" && type.message.field(named: name) == nil
    }

    /// Reads `any: [{topics: food}, {topics: history, minutes: {below: 30}}]`.
    private mutating func alternatives(_ node: Node, of type: TypeDeclaration) -> RecordCondition? {
        guard let entries = list(node, "'any'", atMost: ProgrammeLimits.alternatives) else { return nil }
        let count = entries.reduce(0) { $0 + ($1.mapping?.count ?? 0) }
        guard count <= ProgrammeLimits.alternativeConditions else {
            report(
                node,
                "the alternatives of 'any' have \(count) conditions; at most \(ProgrammeLimits.alternativeConditions) "
                    + "are allowed")
            return nil
        }
        guard !entries.isEmpty else {
            report(node, "'any' is empty, so no record would meet it")
            return nil
        }
        return .isAnyOf(entries.map { alternative($0, of: type) })
    }

    private mutating func alternative(_ node: Node, of type: TypeDeclaration) -> [RecordCondition] {
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            report(node, "an alternative of 'any' must map fields to conditions")
            return []
        }
        var conditions: [RecordCondition] = []
        for (key, value) in mapping {
            guard let name = text(key, "the name of a field") else { continue }
            if isAny(name, of: type) || name == "id" {
                report(key, "'\(name)' can't be in an alternative of 'any', only beside 'any'")
            } else if let text = value.scalar?.string, text.hasPrefix("$") {
                report(value, "'\(text.prefix(64))' can't be in an alternative of 'any', only beside 'any'")
            } else {
                conditions += condition(name, key, value, of: type) ?? []
            }
        }
        return conditions
    }

    // MARK: - The screen

    /// Reads `id: {not: $id, in: favorites}`.
    private mutating func readID(
        _ node: Node, of type: TypeDeclaration, scope: ScreenScope, into query: inout Programme.RecordQuery
    ) {
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            report(
                node,
                "'id' can be 'not' a record or 'in' a collection: {not: $id}, {in: favorites}, {not-in: favorites}; one "
                    + "record is the source {record: …}")
            return
        }
        guard let tests = fields(node, "the condition on 'id'", allowed: ["not", "in", "not-in"]) else { return }
        query.excluded += tests["not"].map { excluded($0, of: type, scope: scope) } ?? []
        if tests["in"] != nil, tests["not-in"] != nil {
            report(node, "a query has one of 'in' and 'not-in'")
        }
        for (test, isIn) in [("in", true), ("not-in", false)] {
            guard let name = tests[test].flatMap({ collectionName($0, holding: type) }) else { continue }
            query.membership = Programme.RecordQuery.Membership(collection: name, isIn: isIn)
        }
    }

    /// Reads `$id`, the id of a record, or a list of them.
    private mutating func excluded(
        _ value: Node, of type: TypeDeclaration, scope: ScreenScope
    ) -> [Programme.RecordReference] {
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

    // MARK: - Tests

    /// Reads a value, a list of values, or a mapping of tests.
    private mutating func condition(
        _ name: String, _ key: Node, _ node: Node, of type: TypeDeclaration
    ) -> [RecordCondition]? {
        guard case .mapping = node else {
            guard let path = facet(name, key, of: type) else { return nil }
            return equality(node, of: path, type, isWanted: true)
        }
        guard let tests = fields(node, "the condition on '\(name)'", allowed: ProgrammeReader.tests) else { return nil }
        var conditions: [RecordCondition] = []
        if let value = tests["has"] {
            guard let presence = presence(name, key, value, of: type) else { return nil }
            conditions.append(presence)
        }
        for test in ["in", "not"] {
            guard let value = tests[test] else { continue }
            guard let path = facet(name, key, of: type),
                let read = equality(value, of: path, type, isWanted: test == "in")
            else { return nil }
            conditions += read
        }
        if ["above", "from", "below", "to"].contains(where: { tests[$0] != nil }) {
            guard let field = sortField(name, key, of: type) else { return nil }
            let lower = bound(tests["above"], tests["from"], of: field, type)
            let upper = bound(tests["below"], tests["to"], of: field, type)
            conditions.append(.isWithin(field, lower: lower, upper: upper))
        }
        if conditions.isContradictory { report(node, "no value of '\(name)' meets these conditions") }
        return conditions
    }

    /// Reads the values that a field has to equal, or must not equal. For a day, terms such as `today` are values too.
    private mutating func equality(
        _ node: Node, of path: FieldPath, _ type: TypeDeclaration, isWanted: Bool
    ) -> [RecordCondition]? {
        var entries = [node]
        if case .sequence = node {
            guard let listed = list(node, "the values of '\(path.text)'", atMost: ProgrammeLimits.values) else {
                return nil
            }
            if listed.isEmpty, isWanted {
                report(node, "the list is empty, so no record would meet it")
                return nil
            }
            entries = listed
        }
        var (values, terms, isRead) = (Set<FieldValue>(), Set<TimeTerm>(), true)
        for entry in entries {
            let text = entry.scalar?.string ?? ""
            if type.days.contains(path), path.field.isSingle, TimeText.isRelative(text) {
                let term = timeTerm(text, entry, of: .day(path))
                if let term { terms.insert(term) } else { isRead = false }
            } else if let value = value(entry, of: path, type) {
                values.insert(value)
            } else {
                isRead = false
            }
        }
        guard isRead else { return nil }
        return isWanted ? [.isAny(path, values, orDays: terms)] : .isNone(path, values, norDays: terms)
    }

    /// Reads `image: {has: true}`.
    private mutating func presence(
        _ name: String, _ key: Node, _ node: Node, of type: TypeDeclaration
    ) -> RecordCondition? {
        guard let isWanted = flag(node, "value of 'has'"), let field = declared(name, key, of: type) else { return nil }
        return .has(field, isWanted)
    }

    /// A field that the type declares for conditions or sorts.
    private mutating func declared(
        _ name: String, _ node: Node, of type: TypeDeclaration
    ) -> RecordCondition.Declared? {
        if let path = type.facets.first(where: { $0.text == name }) { return .facet(path) }
        if let field = type.sorts.first(where: { $0.path.text == name }) { return .sort(field) }
        guard let shape = types?.shape(of: type),
            let field = readable(named: name, node, "the condition on '\(name)'", in: shape)
        else { return nil }
        reportUndeclared(name, node, of: type, field.isFacet ? "facets" : "sorts")
        return nil
    }

    private mutating func bound(
        _ excluded: Node?, _ included: Node?, of field: TypeDeclaration.SortField, _ type: TypeDeclaration
    ) -> RecordCondition.Bound? {
        if let excluded, included != nil { report(excluded, "a range has one bound on each side") }
        guard let node = excluded ?? included, let text = constant(node, field.path) else { return nil }
        if field.isTime, TimeText.isRelative(text) {
            return timeTerm(text, node, of: field).map { .init(limit: .moving($0), isIncluded: excluded == nil) }
        }
        guard let key = type.key(of: field, written: text, zone: zone) else {
            let form = field.isDate ? ", a day written YYYY-MM-DD" : ""
            report(node, "'\(text.prefix(64))' is not a value of '\(field.path.text)'\(form)")
            return nil
        }
        return RecordCondition.Bound(limit: .fixed(key), isIncluded: excluded == nil)
    }

    mutating func value(_ node: Node, of path: FieldPath, _ type: TypeDeclaration) -> FieldValue? {
        guard let text = constant(node, path) else { return nil }
        let isDay = type.days.contains(path)
        if let value = path.value(written: text), !isDay || CalendarDate(text) != nil { return value }
        var hint = isDay ? ", a day written YYYY-MM-DD" : ""
        if case .enumeration(let type) = path.target {
            hint = NearestName.hint(for: text, among: type.values.map(\.name))
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

extension RecordField {
    /// Whether a type can declare it for conditions.
    fileprivate var isFacet: Bool {
        guard case .plain(let path) = self, !path.isEntry else { return false }
        return path.target != .timestamp && path.target != .duration
    }
}
