import MarqueeCatalogue
import MarqueeModel

/// The catalogue at one revision, computed from the changes alone, in the simplest way.
struct CatalogueState {
    private struct DayKey: Hashable {
        var chart: String
        var date: CalendarDate
    }

    private(set) var movies: [UInt64: Movie] = [:]
    private(set) var credits: [UInt64: Credits] = [:]
    private(set) var genres: [UInt64: Genre] = [:]
    private var people: [UInt64: Person] = [:]
    private var days: [DayKey: ChartDay] = [:]
    private var dates: [String: CalendarDate] = [:]
    private(set) var choices: [String: UInt64] = [:]
    private(set) var programme: String?
    private var types: TypesDocument?
    private(set) var records: [RecordID: RecordContent] = [:]

    mutating func apply(_ change: Change) {
        switch change {
        case .movie(let movie): movies[movie.id] = movie
        case .removeMovie(let id): movies[id] = nil
        case .movieUpdate(let update):
            guard var movie = movies[update.id] else { return }
            if let popularity = update.popularity { movie.popularity = popularity }
            if let revenue = update.revenue { movie.revenue = revenue }
            if let average = update.voteAverage { movie.voteAverage = average }
            if let count = update.voteCount { movie.voteCount = count }
            movies[update.id] = movie
        case .person(let person): people[person.id] = person
        case .removePerson(let id): people[id] = nil
        case .credits(let list): credits[list.movie] = list
        case .removeCredits(let movie): credits[movie] = nil
        case .genre(let genre): genres[genre.id] = genre
        case .removeGenre(let id): genres[id] = nil
        case .chartDay(let day): days[DayKey(chart: day.chart, date: day.date)] = day
        case .removeChartDay(let chart, let date, _):
            days[DayKey(chart: chart, date: date)] = nil
            if dates[chart] == date { dates[chart] = nil }
        case .showChart(let chart, let date, _): dates[chart] = date
        case .choose(let pool, let movie): choices[pool] = movie
        case .removeChoice(let pool): choices[pool] = nil
        case .programme(let text): programme = text
        case .types(let document): types = document
        case .put(let id, let content): records[id] = content
        case .remove(let id): records[id] = nil
        // The simulation's screens show none of these.
        case .chooseItem, .chooseRecord, .shelf, .removeShelf, .shelfItem, .page, .removePage, .merge, .list, .listItem,
            .show, .removeList:
            break
        }
    }

    /// The day a chart shows.
    func day(of chart: String) -> ChartDay? { dates[chart].flatMap { days[DayKey(chart: chart, date: $0)] } }

    /// Changes that build this catalogue from scratch, except for the programme.
    var changes: [Change] {
        var changes: [Change] = []
        if let types { changes.append(.types(types)) }
        changes += records.keys.sorted { $0.id < $1.id }.compactMap { id in records[id].map { .put(id, $0) } }
        changes += genres.keys.sorted().compactMap { genres[$0].map { .genre($0) } }
        changes += people.keys.sorted().compactMap { people[$0].map { .person($0) } }
        changes += movies.keys.sorted().compactMap { movies[$0].map { .movie($0) } }
        changes += credits.keys.sorted().compactMap { credits[$0].map { .credits($0) } }
        for key in days.keys.sorted(by: { ($0.chart, $0.date) < ($1.chart, $1.date) }) {
            if let day = days[key] { changes.append(.chartDay(day)) }
        }
        for (chart, date) in dates.sorted(by: { $0.key < $1.key }) {
            changes.append(.showChart(chart: chart, date: date))
        }
        for (pool, movie) in choices.sorted(by: { $0.key < $1.key }) {
            changes.append(.choose(pool: pool, movie: movie))
        }
        return changes
    }
}
