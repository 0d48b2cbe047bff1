import MarqueeModel
import MarqueeStore
import MarqueeTypes
import MarqueeWire

extension Programme.Search {
    /// The types that a request searches, with its filters and the fields to count.
    ///
    /// - Throws: `invalidArgument` for a field that is no facet of what is searched, and a value that it can't have.
    func scope(for request: SearchRequest, locale: String) throws(Status) -> SearchScope {
        let counts = fields(request.facets)
        for field in request.filters.map(\.field) + counts { try check(field) }
        var scope = SearchScope(types: types) { referred(by: $0, in: $1, locale: locale) }
        // Nothing of a type without the field can have the value.
        scope.types = types.filter { type in
            request.filters.allSatisfy { facet($0.field, of: type) != nil }
        }
        for filter in request.filters {
            for type in scope.types {
                guard let path = facet(filter.field, of: type) else { continue }
                guard let mark = path.value(written: filter.value).flatMap({ SearchMark($0, of: path) }) else {
                    throw .filterInvalid(
                        "'\(filter.value.prefix(64))' is not a value of '\(filter.field)', by which \(type) is filtered"
                    )
                }
                scope.filters[type, default: []].append(mark)
            }
        }
        for type in scope.types {
            let counted = (facets[type] ?? []).filter { counts.contains($0.text) }
            if !counted.isEmpty { scope.facets[type] = counted }
        }
        return scope
    }

    /// The fields to count, `*` replaced by those that the types declare, as far as an answer has room for them.
    private func fields(_ requested: [String]) -> [String] {
        guard requested.contains(SearchRequest.everyFacet) else { return requested }
        let named = requested.filter { $0 != SearchRequest.everyFacet }
        let declared = types.flatMap { facets[$0] ?? [] }.map(\.text)
        var known = Set(named)
        let more = declared.filter { known.insert($0).inserted }
        return named + more.prefix(max(0, Int(SearchRequest.maximumFilters) - Set(named).count))
    }

    private func facet(_ field: String, of type: String) -> FieldPath? { facets[type]?.first { $0.text == field } }

    private func check(_ field: String) throws(Status) {
        let known = Set(facets.values.joined().map(\.text)).sorted()
        if known.contains(field) { return }
        let words = known.isEmpty ? "none" : known.joined(separator: ", ")
        let declaration = field.utf8.count <= 64 ? field : "…"
        throw .filterInvalid(
            "what is searched has no facet '\(field.prefix(64))'"
                + (NearestName.suggestion(for: field, among: known).map { "; did you mean '\($0)'?" } ?? ".")
                + " It has \(words); one more is declared with its type: 'search: {fields: […], facets: [\(declaration)]}'"
        )
    }
}

extension Status {
    fileprivate static func filterInvalid(_ message: String) -> Status {
        Status(.invalidArgument, reason: "FILTER_INVALID", remedy: .fatal, message: message)
    }
}
