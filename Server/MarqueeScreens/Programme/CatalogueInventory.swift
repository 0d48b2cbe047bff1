package import MarqueeCatalogue
import MarqueeModel
package import MarqueeTypes

/// The things in a catalogue that a programme can name.
package struct CatalogueInventory: Sendable {
    private var movies: Set<UInt64> = []
    private var genres: Set<UInt64> = []
    /// Genres named by a movie.
    private var genresOfMovies: Set<UInt64> = []
    /// The stored days of charts, by whether there is an entry in them.
    private var days: [String: [ChartStep: Bool]] = [:]
    private var shownDays: [String: ChartStep] = [:]
    /// Whether there is an item on them.
    private var shelves: [String: Bool] = [:]
    /// Whether there is a section on them.
    private var pages: [String: Bool] = [:]
    /// Whether there is an entry in them.
    private var lists: [ListName: Bool] = [:]
    private var shownEditions: [String: String] = [:]
    /// Types that have records.
    private var types: Set<String> = []

    package init() {}

    /// Takes in a part of a catalogue's snapshot.
    package mutating func add(_ change: Change) {
        switch change {
        case .movie(let movie):
            movies.insert(movie.id)
            genresOfMovies.formUnion(movie.genres ?? [])
        case .genre(let genre): genres.insert(genre.id)
        case .chartDay(let day): days[day.chart, default: [:]][day.step] = !day.entries.isEmpty
        case .showChart(let chart, let date, let time): shownDays[chart] = ChartStep(date: date, time: time)
        case .shelf(let shelf): shelves[shelf.id] = !shelf.items.isEmpty
        case .page(let page): pages[page.id] = !page.sections.isEmpty
        case .list(let list): lists[list.name] = !list.entries.isEmpty
        case .put(let id, _): types.insert(id.type)
        case .show(let list, let edition): shownEditions[list] = edition
        default: break
        }
    }

    /// Warns about things that a programme names and this catalogue doesn't have.
    package func warnings(of references: [ProgrammeReference]) -> [FileMistake] {
        references.compactMap { reference in
            guard var reason = fault(of: reference.target) else { return nil }
            if let pool = reference.pool { reason = "the pool '\(pool)' can't be filled: \(reason)" }
            return FileMistake(file: reference.file, line: reference.line, reason: reason)
        }
    }

    private func fault(of target: ProgrammeReference.Target) -> String? {
        switch target {
        case .movie(let id): return movies.contains(id) ? nil : "the catalogue has no movie \(id)"
        case .genre(let id): return genres.contains(id) ? nil : "the catalogue has no genre \(id)"
        case .movies(nil): return movies.isEmpty ? "the catalogue has no movies" : nil
        case .movies(let genre?):
            return genresOfMovies.contains(genre) ? nil : "no movie of the catalogue has the genre \(genre)"
        case .chart(let id):
            guard let days = days[id] else { return "the catalogue has no chart '\(id)'\(hint(id, days.keys))" }
            guard let shown = shownDays[id] else { return "the chart '\(id)' shows none of its days" }
            return days[shown] == true ? nil : "the day that the chart '\(id)' shows is empty"
        case .shelf(let id):
            guard let hasItems = shelves[id] else {
                return "the catalogue has no shelf '\(id)'\(hint(id, shelves.keys))"
            }
            return hasItems ? nil : "the shelf '\(id)' is empty"
        case .page(let id):
            guard let hasSections = pages[id] else {
                return "the catalogue has no page '\(id)'\(hint(id, pages.keys))"
            }
            return hasSections ? nil : "the page '\(id)' is empty"
        case .list(let name):
            guard let hasEntries = lists[name] else {
                return lists.keys.contains { $0.list == name.list }
                    ? "the list '\(name.list)' has no edition '\(name.edition ?? "")'"
                        + hint(name.edition ?? "", lists.keys.filter { $0.list == name.list }.compactMap(\.edition))
                    : "the catalogue has no list '\(name.list)'\(hint(name.list, lists.keys.map(\.list)))"
            }
            return hasEntries ? nil : "the list '\(name)' is empty"
        case .records(let type): return types.contains(type) ? nil : "the catalogue has no records of '\(type)'"
        case .shownEdition(let list):
            guard lists.keys.contains(where: { $0.list == list }) else {
                return "the catalogue has no list '\(list)'\(hint(list, lists.keys.map(\.list)))"
            }
            guard let edition = shownEditions[list] else { return "the list '\(list)' shows none of its editions" }
            return fault(of: .list(ListName(list, edition: edition)))
        }
    }

    private func hint(_ name: String, _ known: some Sequence<String>) -> String {
        NearestName.hint(for: name, among: known.sorted())
    }
}
