package import MarqueeCatalogue
import MarqueeModel

extension Change {
    /// The declared name of the lists that shelves become.
    static let shelf = "shelf"
    /// The same of charts.
    static let chart = "chart"

    /// What a change of the built-in kinds is as changes of records and lists; any other change as it is.
    package var asRecords: [Change] {
        switch self {
        case .movie(let movie): [.put(.movie(movie.id), .json(movie.record))]
        case .removeMovie(let id): [.remove(.movie(id))]
        case .movieUpdate(let update): [.merge(.movie(update.id), .json(update.record), clear: [])]
        case .person(let person): [.put(RecordID(type: "person", id: "\(person.id)"), .json(person.record))]
        case .removePerson(let id): [.remove(RecordID(type: "person", id: "\(id)"))]
        case .credits(let credits): [.put(RecordID(type: "credits", id: "\(credits.movie)"), .json(credits.record))]
        case .removeCredits(let movie): [.remove(RecordID(type: "credits", id: "\(movie)"))]
        case .genre(let genre): [.put(RecordID(type: "genre", id: "\(genre.id)"), .json(genre.record))]
        case .removeGenre(let id): [.remove(RecordID(type: "genre", id: "\(id)"))]
        case .chartDay(let day): [.list(day.list)]
        case .removeChartDay(let chart, let date, let time):
            [.removeList(ListName("\(Change.chart)/\(chart)", edition: ChartStep(date: date, time: time).description))]
        case .showChart(let chart, let date, let time):
            [.show(list: "\(Self.chart)/\(chart)", edition: ChartStep(date: date, time: time).description)]
        case .choose(let pool, let movie): [.chooseRecord(pool: pool, record: .movie(movie))]
        case .shelf(let shelf):
            shelf.items.flatMap { $0.puts(on: shelf.id) } + [
                .list(
                    RecordList(
                        ListName("\(Self.shelf)/\(shelf.id)"), entries: shelf.items.map { $0.listEntry(on: shelf.id) }))
            ]
        case .removeShelf(let id): [.removeList(ListName("\(Self.shelf)/\(id)"))]
        case .shelfItem(let shelf, let item):
            item.puts(on: shelf) + [
                .listItem(EntryEdit(ListName("\(Self.shelf)/\(shelf)"), putting: item.listEntry(on: shelf)))
            ]
        case .page(let page):
            [.page(Page(id: page.id, sections: page.sections.map(\.ofLists)))]
        default: [self]
        }
    }
}

extension Page.Section {
    /// With the list that its shelf becomes.
    fileprivate var ofLists: Page.Section {
        guard let shelf else { return self }
        return Page.Section(id: id, type: type, title: title, .list("\(Change.shelf)/\(shelf)"))
    }
}
