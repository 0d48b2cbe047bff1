import MarqueeModel
import MarqueeTypes
import Yams

/// Reads facets and pools of records: `facet: {type: episode, field: topics, limit: 12}`, `pool: {records: {type:
/// episode}}`.
extension ProgrammeReader {
    private static let defaultTiles = 20

    mutating func facet(_ node: Node) -> Programme.Source? {
        guard
            let fields = fields(
                node, "a facet",
                allowed: ["type", "field", "values", "where", "visible", "sort", "order", "missing", "limit"]),
            let type = type(nil, in: fields)
        else { return nil }
        let before = mistakes.count
        let sort = fields["sort"].map { recordSort($0, of: type) }
        let limit =
            fields["limit"].map { integer($0, "limit", in: 1...ProgrammeLimits.queryLimit) }
            ?? ProgrammeReader.defaultTiles
        guard let field = required("field", in: fields), let name = text(field, "the name of a field"),
            let path = facet(name, field, of: type), let limit, sort.map({ $0 != nil }) ?? true
        else { return nil }
        var query = Programme.FacetQuery(type: type.alias, path: path, sort: sort ?? nil, limit: limit)
        query.referred = type.references.first { $0.path == path }?.type
        query.conditions = fields["where"].map { recordConditions($0, "'where' of a facet", of: type) } ?? []
        query.conditions += fields["visible"].map { visibility($0, of: type) } ?? []
        query.order = fields["order"].flatMap { facetOrder($0, of: query) }
        query.leavesOutMissing = fields["missing"].map { leavesOutMissing($0, of: query) } ?? false
        if let node = fields["values"] {
            if fields["limit"] != nil {
                report(node, "a facet shows the given 'values', or its most frequent ones up to the 'limit'")
            }
            guard let values = facetValues(node, of: path, type) else { return nil }
            (query.values, query.limit) = (values, values.count)
        }
        guard mistakes.count == before else { return nil }
        refer(to: .records(type: type.alias), at: node)
        return .facet(query)
    }

    /// Reads `count`, `name`, or `-$value.followers`.
    private mutating func facetOrder(
        _ node: Node, of query: Programme.FacetQuery
    ) -> Programme.FacetQuery.Order? {
        guard let text = text(node, "'order' of a facet") else { return nil }
        let isDescending = text.hasPrefix("-")
        let name = isDescending ? text.dropFirst() : text[...]
        let prefix = "$value."
        if !isDescending, name == "name" { return .name }
        if !isDescending, name == "count", query.values == nil { return nil }
        guard name.hasPrefix(prefix) else {
            report(
                node,
                "tiles are ordered by 'name', by 'count', which frequent values are by default, or by a field of "
                    + "the value's record, such as '-$value.followers'; not by '\(text.prefix(64))'")
            return nil
        }
        guard let type = referredType(node, of: query, "'order: \(text.prefix(64))'") else { return nil }
        let rest = String(name.dropFirst(prefix.count))
        // The tile's value is the first reference.
        let end = end(of: rest, from: type.references, atMost: Self.hops - 1, node, "'order' of a facet")
        if case .some(nil) = end { return nil }
        let way = end.flatMap { $0?.way } ?? []
        guard way.isSingle else {
            report(node, "'\(text.prefix(64))' leads to several records, so nothing can be ordered by it")
            return nil
        }
        let sort = (isDescending ? "-" : "") + (end.flatMap { $0?.name } ?? rest)
        let ordered = end.flatMap { $0?.type } ?? type
        return recordSort(.scalar(Node.Scalar(sort, .implicit, .any, node.mark)), of: ordered).map {
            .record($0, by: way)
        }
    }

    /// Reads `leave-out` or `keep`.
    private mutating func leavesOutMissing(_ node: Node, of query: Programme.FacetQuery) -> Bool {
        switch text(node, "'missing' of a facet") {
        case nil: return false
        case "keep"? where query.values == nil: return false
        case "leave-out"?: return referredType(node, of: query, "'missing: leave-out'") != nil
        default:
            report(
                node,
                "'missing' is 'leave-out' or 'keep', which is for frequent values: tiles of values whose record "
                    + "doesn't exist")
            return false
        }
    }

    /// The type of the records that the values identify.
    private mutating func referredType(
        _ node: Node, of query: Programme.FacetQuery, _ what: String
    ) -> TypeDeclaration? {
        if let type = query.referred.flatMap({ types?.type($0) }) { return type }
        report(
            node,
            "\(what) is about the record that '\(query.path.text)' refers to; declare which: "
                + "'references: {\(query.path.text): …}'")
        return nil
    }

    private mutating func facetValues(
        _ node: Node, of path: FieldPath, _ type: TypeDeclaration
    ) -> [FieldValue]? {
        guard let entries = list(node, "'values'", atMost: ProgrammeLimits.listItems) else { return nil }
        if entries.isEmpty { warn(node, "'values' is an empty list, so the section shows nothing") }
        let before = mistakes.count
        var values: [FieldValue] = []
        for entry in entries {
            guard let value = value(entry, of: path, type) else { continue }
            if values.contains(value) { report(entry, "'values' names '\(value.plainText ?? "")' twice") }
            values.append(value)
        }
        return mistakes.count == before ? values : nil
    }

    /// The bodies of a facet's tiles. The default card shows the value, the number of its records, and the image of the
    /// first one.
    mutating func facetBodies(_ node: Node?, of query: Programme.FacetQuery) -> [String: RecordBody]? {
        guard let type = types?.type(query.type) else { return nil }
        var scope = scope(of: type)
        scope.facet = TemplateScope.Facet(path: query.path, referred: query.referred)
        if let node, case .scalar(let scalar) = node, scalar.string == "record" {
            report(node, "a tile of a facet stands for many records, so its body is a card")
            return nil
        }
        if let node, node.mapping != nil { return body(node, in: scope, type: nil).map { [query.type: $0] } }
        guard let body = body(node, in: scope, type: nil), case .card(let usual) = body.form else { return nil }
        var card = CardMapping()
        card.title = LocalizedTemplate(fallback: RecordTemplate(.facetValue))
        card.caption = LocalizedTemplate(fallback: RecordTemplate(.facetCount))
        card.image = usual.image
        return [query.type: RecordBody(form: .card(card), fallbackLocale: body.fallbackLocale)]
    }

    /// - Parameter node: the records to choose from, in the form of the source `records`.
    mutating func recordPool(_ node: Node, named name: String) -> Programme.Source? {
        guard case .records(let query)? = records(node, scope: ScreenScope()) else { return nil }
        if query.membership != nil {
            report(node, "a pool shows the same to everybody, so it can't depend on a user's collection")
            return nil
        }
        refer(to: .records(type: query.type), pool: name, at: node)
        return .recordPool(name: name, query)
    }
}

extension RecordTemplate {
    /// A template of a single value.
    init(_ value: RecordValue) { parts = [Part(separator: "", pieces: [.value(value)])] }
}
