import MarqueeModel

/// The name of one record of the catalogue's state.
enum RecordName: Hashable, Sendable {
    case genre(UInt64)
    case person(UInt64)
    case movie(UInt64)
    case credits(UInt64)
    case chartDay(chart: String, date: CalendarDate)
    case shownDay(chart: String)
    case choice(pool: String)
    case programme
}

/// The content of one record. Two that are equal need no change.
enum CatalogueRecord: Hashable, Sendable {
    case genre(Genre)
    case person(Person)
    case movie(Movie)
    case credits(Credits)
    case chartDay(ChartDay)
    case shownDay(chart: String, date: CalendarDate)
    case choice(pool: String, movie: UInt64)
    case programme(String)

    /// The change that makes this record out of nothing.
    var change: Change {
        switch self {
        case .genre(let genre): .genre(genre)
        case .person(let person): .person(person)
        case .movie(let movie): .movie(movie)
        case .credits(let credits): .credits(credits)
        case .chartDay(let day): .chartDay(day)
        case .shownDay(let chart, let date): .showChart(chart: chart, date: date)
        case .choice(let pool, let movie): .choose(pool: pool, movie: movie)
        case .programme(let text): .programme(text)
        }
    }
}
