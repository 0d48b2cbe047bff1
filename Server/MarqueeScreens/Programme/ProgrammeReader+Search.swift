import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Yams

/// Reads the search: `search: {of: [show, episode], limit: 20, body: {episode: {card: …}}}`.
extension ProgrammeReader {
    mutating func search(_ node: Node) -> Programme.Search? {
        guard let fields = fields(node, "the search", allowed: ["of", "limit", "body"]) else { return nil }
        let limit = fields["limit"].map { integer($0, "limit", in: 1...ProgrammeLimits.searchPage) }
        guard let ofNode = required("of", in: fields),
            let entries = list(ofNode, "'of' of the search", atMost: ProgrammeLimits.searchTypes)
        else { return nil }
        if entries.isEmpty { report(ofNode, "'of' of the search is empty") }
        let before = mistakes.count
        var search = Programme.Search(types: [], pageSize: (limit ?? Programme.Search.none.pageSize) ?? 1)
        for entry in entries {
            guard let name = text(entry, "a type") else { continue }
            if search.types.contains(name) { report(entry, "the search names '\(name)' twice") }
            search.types.append(name)
            guard let type = types?.type(name) else {
                reportUnknown(entry, "type", of: "the declaration of types", aliases)
                continue
            }
            if !type.isSearched { reportUnsearched(entry, type) }
            search.facets[name] = type.searchFacets
        }
        let records = search.types.filter { types?.type($0) != nil }
        guard let bodies = bodies(fields["body"], "the body of a search", of: records, isFound: true) else {
            return nil
        }
        search.bodies = bodies.mapValues { shared($0) }
        return mistakes.count == before ? search : nil
    }

    /// Reports a type without search fields, naming the declaration that it lacks.
    private mutating func reportUnsearched(_ node: Node, _ type: TypeDeclaration) {
        let texts = type.message.fields.filter { field in
            switch (field.type, field.cardinality) {
            case (.scalar(.string), .single), (.scalar(.string), .repeated): field.name != type.id?.text
            default: type.localized.contains { $0.path.text == field.name }
            }
        }
        let names = ["title", "name", "headline", "label"]
        let example = texts.first { names.contains($0.name) } ?? texts.first
        report(
            node,
            "nothing of \(type.alias) is searched; declare it with the type: 'search: [\(example?.name ?? "…")]'")
    }
}
