import MarqueeModel

/// The name of one record of the catalogue's state.
enum RecordName: Hashable, Sendable {
    case genre(UInt64)
    case person(UInt64)
    case movie(UInt64)
    case credits(UInt64)
    case chartDay(chart: String, step: ChartStep)
    case shownDay(chart: String)
    case choice(pool: String)
    /// A shelf with all its items.
    case shelf(String)
    /// One item of it, where it stands.
    case shelfItem(shelf: String, item: String)
    case page(String)
    case programme
}

/// The content of one record. Two that are equal need no change.
enum CatalogueRecord: Hashable, Sendable {
    case genre(Genre)
    case person(Person)
    case movie(Movie)
    case credits(Credits)
    case chartDay(ChartDay)
    case shownDay(chart: String, step: ChartStep)
    case choice(pool: String, movie: UInt64)
    /// The same, of a pool of a shelf's items.
    case chosenItem(pool: String, item: String)
    case shelf(Shelf)
    case shelfItem(shelf: String, ShelfItem)
    case page(Page)
    case programme(String)

    /// The change that makes this record out of nothing.
    var change: Change {
        switch self {
        case .genre(let genre): .genre(genre)
        case .person(let person): .person(person)
        case .movie(let movie): .movie(movie)
        case .credits(let credits): .credits(credits)
        case .chartDay(let day): .chartDay(day)
        case .shownDay(let chart, let step): .showChart(chart: chart, date: step.date, time: step.time)
        case .choice(let pool, let movie): .choose(pool: pool, movie: movie)
        case .chosenItem(let pool, let item): .chooseItem(pool: pool, item: item)
        case .shelf(let shelf): .shelf(shelf)
        case .shelfItem(let shelf, let item): .shelfItem(shelf: shelf, item: item)
        case .page(let page): .page(page)
        case .programme(let text): .programme(text)
        }
    }
}
