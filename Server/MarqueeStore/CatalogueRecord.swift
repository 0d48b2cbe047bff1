import MarqueeCatalogue
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
    /// One item of a shelf, at its place.
    case shelfItem(shelf: String, item: String)
    case page(String)
    case programme
    case types
    /// A record of one of the operator's types.
    case typed(RecordID)
    /// A list, or an edition of it, with all its entries.
    case list(ListName)
    /// One entry of it, with its rank.
    case listEntry(ListName, key: String)
    /// The edition of a list that is in force.
    case shownEdition(list: String)
}

/// The content of one record. Writing a record equal to the stored one changes nothing.
enum CatalogueRecord: Hashable, Sendable {
    case genre(Genre)
    case person(Person)
    case movie(Movie)
    case credits(Credits)
    case chartDay(ChartDay)
    case shownDay(chart: String, step: ChartStep)
    case choice(pool: String, movie: UInt64)
    /// An item chosen from a pool of shelf items.
    case chosenItem(pool: String, item: String)
    case shelf(Shelf)
    case shelfItem(shelf: String, ShelfItem)
    case page(Page)
    case programme(String)
    case types(TypesDocument)
    /// Canonical bytes.
    case typed(RecordID, [UInt8])
    case list(RecordList)
    case listEntry(ListName, ListEntry)
    case shownEdition(list: String, edition: String)
    /// The same as `choice`, of a pool of records.
    case chosenRecord(pool: String, record: RecordID)

    /// The change that creates this record from nothing.
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
        case .types(let types): .types(types)
        case .typed(let id, let bytes): .put(id, .bytes(bytes))
        case .list(let list): .list(list)
        case .listEntry(let list, let entry): .listItem(EntryEdit(list, putting: entry))
        case .shownEdition(let list, let edition): .show(list: list, edition: edition)
        case .chosenRecord(let pool, let record): .chooseRecord(pool: pool, record: record)
        }
    }
}
