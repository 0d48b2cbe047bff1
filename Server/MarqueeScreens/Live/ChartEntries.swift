import MarqueeCatalogue
import MarqueeModel

/// The entries of the day a chart shows, in order.
struct ChartEntries: SectionQuery {
    private let chart: String
    private let limit: Int
    private let locale: String
    private var entries: [ChartDay.Entry] = []
    /// The list shown; `nil` if the chart shows none.
    private(set) var step: ChartStep?
    /// Indices of each movie's entries.
    private var places: [UInt64: [Int]] = [:]

    init(chart: String, limit: Int, locale: String) {
        self.chart = chart
        self.limit = limit
        self.locale = locale
    }

    var triggers: Set<Trigger> {
        Set(places.keys.map { .record(.movie($0)) }).union([.record(.chart(chart))])
    }
    var total: Int { entries.count }
    var fault: SectionFault? { step == nil ? .chartIsMissing : nil }

    func members(first limit: Int) -> [Member] { entries.indices.prefix(limit).map { .number(UInt64($0)) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        let day = catalogue.shownDay(of: chart)
        step = day?.step
        entries = Array((day?.entries ?? []).prefix(limit))
        places = [:]
        for (place, entry) in entries.enumerated() {
            if let movie = entry.movie { places[movie, default: []].append(place) }
        }
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .movie(let move):
            return .items(Set((places[move.id] ?? []).map { .number(UInt64($0)) }))
        case .trigger(.record(.chart(chart))): return .all
        default: return .none
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard let place = member.number, place < entries.count else { return nil }
        let entry = entries[Int(place)]
        let content = catalogue.content(of: entry, movie: entry.movie.flatMap(catalogue.movie), locale: locale)
        return maker.make(
            "release/\(entry.key.boundedKey)", subject: entry.movie.map { Subject.movie($0).name } ?? "",
            .chartEntry(content))
    }
}
