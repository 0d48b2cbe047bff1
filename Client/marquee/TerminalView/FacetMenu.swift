/// A value that the matches of a search have in a facet.
struct FacetValue: Hashable, Sendable {
    var field: String
    var value: String
    /// Of the counted matches; `nil` if nothing matches with it.
    var count: Int?

    /// As a person reads it: `topics: food 12`.
    var text: String { Sanitizer.line("\(field): \(value)\(count.map { " \($0)" } ?? "")") }
}

/// The values of facets to choose from. Those that are chosen already come first; choosing one again drops it.
struct FacetMenu: Hashable, Sendable {
    /// Maximum entries; rarer values have to be searched for.
    static let maximumEntries = 100

    struct Entry: Hashable, Sendable {
        var value: FacetValue
        var isChosen: Bool
    }

    let entries: [Entry]
    private(set) var selected = 0

    /// - Returns: `nil` if there is nothing to choose.
    init?(_ search: Browser.Search) {
        let chosen = search.filters.map { Entry(value: search.counted($0), isChosen: true) }
        let others = search.facets.filter { !search.isChosen($0) }.map { Entry(value: $0, isChosen: false) }
        entries = chosen + others.prefix(max(0, Self.maximumEntries - chosen.count))
        if entries.isEmpty { return nil }
    }

    mutating func move(by step: Int) { selected = (selected + step + entries.count) % entries.count }

    /// The first visible entry when `lines` fit.
    func top(lines: Int) -> Int { max(0, min(selected - lines / 2, entries.count - lines)) }
}

extension Browser.Search {
    /// One value for each field, so that a server that allows eight filters always has room.
    mutating func toggle(_ value: FacetValue) {
        let wasChosen = isChosen(value)
        filters.removeAll { $0.field == value.field }
        if !wasChosen { filters.append(FacetValue(field: value.field, value: value.value)) }
    }

    func isChosen(_ value: FacetValue) -> Bool {
        filters.contains { $0.field == value.field && $0.value == value.value }
    }

    /// A chosen value with its newest count.
    func counted(_ filter: FacetValue) -> FacetValue {
        facets.first { $0.field == filter.field && $0.value == filter.value } ?? filter
    }
}
