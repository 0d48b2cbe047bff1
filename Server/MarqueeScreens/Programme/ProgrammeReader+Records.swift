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
            // Once: each other name would be as unknown.
            let cure = "no types of records are declared; --types names their file, --data a folder that has them"
            if !mistakes.contains(where: { $0.reason.hasSuffix(cure) }) {
                report(node, "there is no type '\(name)': \(cure)")
            }
        } else {
            reportUnknown(node, "type", of: "the declaration of types", aliases)
        }
        return nil
    }

    mutating func records(_ node: Node, scope: ScreenScope) -> Programme.Source? {
        guard let fields = fields(node, "a query of records", allowed: ["type", "where", "visible", "sort", "limit"]),
            let type = type(nil, in: fields)
        else { return nil }
        let sort = fields["sort"].map { recordSort($0, of: type) }
        let limit = fields["limit"].map { queryLimit($0) } ?? ProgrammeReader.defaultLimit
        var query = Programme.RecordQuery(
            type: type.alias, conditions: [], group: nil, excluded: [], sort: nil, limit: limit ?? 1)
        let isRead = fields["where"].map { conditions($0, of: type, scope: scope, into: &query) } ?? true
        if let node = fields["visible"] { query.conditions += visibility(node, of: type) }
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
    mutating func reference(
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

    // MARK: - Declared fields

    /// Reports a field that doesn't exist, or that the type's declaration doesn't list.
    mutating func reportUndeclared(_ name: String, _ node: Node, of type: TypeDeclaration, _ list: String) {
        guard let path = path(named: name, node, in: type) else { return }
        if list == "facets", path.target == .timestamp || path.target == .duration {
            let example = path.target == .timestamp ? "{from: today, below: today + 1d}" : "{from: 60s, below: 120s}"
            report(
                node,
                "'\(name)' of \(type.alias) is compared by a range, such as \(name): \(example); declare it in "
                    + "the 'sorts' of the type for that")
            return
        }
        let known = list == "sorts" ? type.sorts.map(\.path.text) : type.facets.map(\.text)
        report(
            node,
            "'\(name)' of \(type.alias) isn't indexed for that; declare it with the type: "
                + "'\(list): [\((known + [name]).joined(separator: ", "))]'")
    }

    mutating func sortField(
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
}

/// The context of a screen while its sections are read.
struct ScreenScope {
    var argument: Programme.Argument?
}
