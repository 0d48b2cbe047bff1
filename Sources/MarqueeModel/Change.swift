/// One change of the catalogue. A commit is a list of them.
///
/// Its JSON form is an object with one key, the change's name, and is what `publish` and the stores' logs hold:
/// `{"movie": {"id": 27205, "title": "Inception"}}`. Removing what isn't there changes nothing.
package enum Change: Hashable, Sendable {
    case movie(Movie)
    case removeMovie(UInt64)
    /// Changes the named fields of a movie that exists, and nothing else.
    case movieUpdate(MovieUpdate)
    case person(Person)
    case removePerson(UInt64)
    case credits(Credits)
    /// Removes the credits of a movie.
    case removeCredits(movie: UInt64)
    case genre(Genre)
    case removeGenre(UInt64)
    /// Stores a day of a chart; it is not shown by that.
    case chartDay(ChartDay)
    /// Removes a stored day; a chart that showed it shows nothing then.
    case removeChartDay(chart: String, date: CalendarDate, time: ClockTime? = nil)
    /// Makes a stored day the one that the chart shows.
    case showChart(chart: String, date: CalendarDate, time: ClockTime? = nil)
    /// Names the movie that a section with a pool of movies shows.
    case choose(pool: String, movie: UInt64)
    /// Names the item that a section with a pool of a shelf's items shows.
    case chooseItem(pool: String, item: String)
    /// Forgets what was chosen for a pool.
    case removeChoice(pool: String)
    /// Puts a list of items.
    case shelf(Shelf)
    case removeShelf(String)
    /// Replaces one item of a shelf where it stands, and nothing else.
    case shelfItem(shelf: String, item: ShelfItem)
    /// Puts a list of sections, each with its shelf.
    case page(Page)
    case removePage(String)
    /// Replaces the programme, as the text of its file.
    case programme(String)
}

/// Fields of a movie that change often; an absent one stays.
package struct MovieUpdate: Hashable, Sendable, Codable {
    package var id: UInt64
    package var popularity: Double?
    package var revenue: UInt64?
    package var voteAverage: Double?
    package var voteCount: UInt32?

    package init(id: UInt64) { self.id = id }
}

extension Change: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case movie, removeMovie, movieUpdate, person, removePerson, credits, removeCredits, genre, removeGenre
        case chartDay, removeChartDay, showChart, choose, removeChoice, shelf, removeShelf, shelfItem, page, removePage
        case programme
    }
    private struct Shown: Codable {
        var chart: String
        var date: CalendarDate
        var time: ClockTime?
    }
    private struct Chosen: Codable {
        var pool: String
        var movie: UInt64?
        var item: String?
    }
    private struct Replaced: Codable {
        var shelf: String
        var item: ShelfItem
    }
    private struct Identified: Codable { var id: UInt64 }
    private struct Named: Codable { var id: String }
    private struct OfMovie: Codable { var movie: UInt64 }
    private struct OfPool: Codable { var pool: String }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first else {
            let known = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a change is an object with exactly one of these keys: \(known)"))
        }
        switch key {
        case .movie: self = .movie(try container.decode(Movie.self, forKey: key))
        case .removeMovie: self = .removeMovie(try container.decode(Identified.self, forKey: key).id)
        case .movieUpdate: self = .movieUpdate(try container.decode(MovieUpdate.self, forKey: key))
        case .person: self = .person(try container.decode(Person.self, forKey: key))
        case .removePerson: self = .removePerson(try container.decode(Identified.self, forKey: key).id)
        case .credits: self = .credits(try container.decode(Credits.self, forKey: key))
        case .removeCredits: self = .removeCredits(movie: try container.decode(OfMovie.self, forKey: key).movie)
        case .genre: self = .genre(try container.decode(Genre.self, forKey: key))
        case .removeGenre: self = .removeGenre(try container.decode(Identified.self, forKey: key).id)
        case .chartDay: self = .chartDay(try container.decode(ChartDay.self, forKey: key))
        case .removeChartDay:
            let day = try container.decode(Shown.self, forKey: key)
            self = .removeChartDay(chart: day.chart, date: day.date, time: day.time)
        case .showChart:
            let shown = try container.decode(Shown.self, forKey: key)
            self = .showChart(chart: shown.chart, date: shown.date, time: shown.time)
        case .choose:
            let chosen = try container.decode(Chosen.self, forKey: key)
            switch (chosen.movie, chosen.item) {
            case (let movie?, nil): self = .choose(pool: chosen.pool, movie: movie)
            case (nil, let item?): self = .chooseItem(pool: chosen.pool, item: item)
            default:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [key],
                        debugDescription: "what is chosen is either a 'movie' or an 'item'"))
            }
        case .removeChoice: self = .removeChoice(pool: try container.decode(OfPool.self, forKey: key).pool)
        case .shelf: self = .shelf(try container.decode(Shelf.self, forKey: key))
        case .removeShelf: self = .removeShelf(try container.decode(Named.self, forKey: key).id)
        case .shelfItem:
            let replaced = try container.decode(Replaced.self, forKey: key)
            self = .shelfItem(shelf: replaced.shelf, item: replaced.item)
        case .page: self = .page(try container.decode(Page.self, forKey: key))
        case .removePage: self = .removePage(try container.decode(Named.self, forKey: key).id)
        case .programme: self = .programme(try container.decode(String.self, forKey: key))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .movie(let movie): try container.encode(movie, forKey: .movie)
        case .removeMovie(let id): try container.encode(Identified(id: id), forKey: .removeMovie)
        case .movieUpdate(let update): try container.encode(update, forKey: .movieUpdate)
        case .person(let person): try container.encode(person, forKey: .person)
        case .removePerson(let id): try container.encode(Identified(id: id), forKey: .removePerson)
        case .credits(let credits): try container.encode(credits, forKey: .credits)
        case .removeCredits(let movie): try container.encode(OfMovie(movie: movie), forKey: .removeCredits)
        case .genre(let genre): try container.encode(genre, forKey: .genre)
        case .removeGenre(let id): try container.encode(Identified(id: id), forKey: .removeGenre)
        case .chartDay(let day): try container.encode(day, forKey: .chartDay)
        case .removeChartDay(let chart, let date, let time):
            try container.encode(Shown(chart: chart, date: date, time: time), forKey: .removeChartDay)
        case .showChart(let chart, let date, let time):
            try container.encode(Shown(chart: chart, date: date, time: time), forKey: .showChart)
        case .choose(let pool, let movie): try container.encode(Chosen(pool: pool, movie: movie), forKey: .choose)
        case .chooseItem(let pool, let item): try container.encode(Chosen(pool: pool, item: item), forKey: .choose)
        case .removeChoice(let pool): try container.encode(OfPool(pool: pool), forKey: .removeChoice)
        case .shelf(let shelf): try container.encode(shelf, forKey: .shelf)
        case .removeShelf(let id): try container.encode(Named(id: id), forKey: .removeShelf)
        case .shelfItem(let shelf, let item):
            try container.encode(Replaced(shelf: shelf, item: item), forKey: .shelfItem)
        case .page(let page): try container.encode(page, forKey: .page)
        case .removePage(let id): try container.encode(Named(id: id), forKey: .removePage)
        case .programme(let text): try container.encode(text, forKey: .programme)
        }
    }
}

/// The name of a piece of the catalogue, as commits report what they touched.
package enum CatalogueKey: Hashable, Sendable {
    case movie(UInt64)
    case person(UInt64)
    /// The credits of a movie.
    case credits(UInt64)
    case genre(UInt64)
    /// What a chart shows, or its stored days.
    case chart(String)
    case pool(String)
    case shelf(String)
    case page(String)
    case programme
}

extension Change {
    /// What the change touches.
    package var key: CatalogueKey {
        switch self {
        case .movie(let movie): .movie(movie.id)
        case .removeMovie(let id): .movie(id)
        case .movieUpdate(let update): .movie(update.id)
        case .person(let person): .person(person.id)
        case .removePerson(let id): .person(id)
        case .credits(let credits): .credits(credits.movie)
        case .removeCredits(let movie): .credits(movie)
        case .genre(let genre): .genre(genre.id)
        case .removeGenre(let id): .genre(id)
        case .chartDay(let day): .chart(day.chart)
        case .removeChartDay(let chart, _, _), .showChart(let chart, _, _): .chart(chart)
        case .choose(let pool, _), .chooseItem(let pool, _), .removeChoice(let pool): .pool(pool)
        case .shelf(let shelf): .shelf(shelf.id)
        case .removeShelf(let id), .shelfItem(let id, _): .shelf(id)
        case .page(let page): .page(page.id)
        case .removePage(let id): .page(id)
        case .programme: .programme
        }
    }
}
