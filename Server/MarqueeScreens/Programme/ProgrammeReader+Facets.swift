import MarqueeModel
import MarqueeTypes
import Yams

/// Reads facets and pools of records: `facet: {type: episode, field: topics, limit: 12}`, `pool: {records: {type:
/// episode}}`.
extension ProgrammeReader {
    private static let defaultTiles = 20

    mutating func facet(_ node: Node) -> Programme.Source? {
        guard let fields = fields(node, "a facet", allowed: ["type", "field", "values", "sort", "limit"]),
            let type = type(nil, in: fields)
        else { return nil }
        let sort = fields["sort"].map { recordSort($0, of: type) }
        let limit =
            fields["limit"].map { integer($0, "limit", in: 1...ProgrammeLimits.queryLimit) }
            ?? ProgrammeReader.defaultTiles
        guard let field = required("field", in: fields), let name = text(field, "the name of a field"),
            let path = facet(name, field, of: type), let limit, sort.map({ $0 != nil }) ?? true
        else { return nil }
        var query = Programme.FacetQuery(type: type.alias, path: path, sort: sort ?? nil, limit: limit)
        query.referred = type.references.first { $0.path == path }?.type
        if let node = fields["values"] {
            if fields["limit"] != nil {
                report(node, "a facet shows the given 'values', or its most frequent ones up to the 'limit'")
            }
            guard let values = facetValues(node, of: path) else { return nil }
            (query.values, query.limit) = (values, values.count)
        }
        refer(to: .records(type: type.alias), at: node)
        return .facet(query)
    }

    private mutating func facetValues(_ node: Node, of path: FieldPath) -> [FieldValue]? {
        guard let entries = list(node, "'values'", atMost: ProgrammeLimits.listItems) else { return nil }
        if entries.isEmpty { warn(node, "'values' is an empty list, so the section shows nothing") }
        let before = mistakes.count
        var values: [FieldValue] = []
        for entry in entries {
            guard let value = value(entry, of: path) else { continue }
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
