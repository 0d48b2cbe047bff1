package import MarqueeModel

/// One change to the catalogue. A commit is a list of them.
///
/// Its JSON form is an object with one key, the change's name, which is also what `publish` and the stores' logs
/// contain: `{"movie": {"id": 27205, "title": "Inception"}}`. Removing what isn't there changes nothing.
package enum Change: Hashable, Sendable {
    case movie(Movie)
    case removeMovie(UInt64)
    /// Changes only the named fields of an existing movie.
    case movieUpdate(MovieUpdate)
    case person(Person)
    case removePerson(UInt64)
    case credits(Credits)
    /// Removes the credits of a movie.
    case removeCredits(movie: UInt64)
    case genre(Genre)
    case removeGenre(UInt64)
    /// Stores a day of a chart without showing it.
    case chartDay(ChartDay)
    /// Removes a stored day; a chart that was showing it then shows nothing.
    case removeChartDay(chart: String, date: CalendarDate, time: ClockTime? = nil)
    /// Selects the stored day that the chart shows.
    case showChart(chart: String, date: CalendarDate, time: ClockTime? = nil)
    /// Chooses the movie shown by a section with a pool of movies.
    case choose(pool: String, movie: UInt64)
    /// Chooses the item or the entry, by its key, shown by a section whose pool is a shelf or a list.
    case chooseItem(pool: String, item: String)
    /// Chooses the record shown by a section with a pool of records.
    case chooseRecord(pool: String, record: RecordID)
    /// Clears the choice for a pool.
    case removeChoice(pool: String)
    /// Stores a list of items.
    case shelf(Shelf)
    case removeShelf(String)
    /// Replaces only one item of a shelf, in place.
    case shelfItem(shelf: String, item: ShelfItem)
    /// Stores a list of sections, each with its shelf.
    case page(Page)
    case removePage(String)
    /// Replaces the programme with the text of a programme file.
    case programme(String)
    /// Replaces the types of records.
    case types(TypesDocument)
    /// Puts a record, whole.
    case put(RecordID, RecordContent)
    /// Changes the fields of a record that are present in `content`, and removes those named by `clear`; the rest
    /// stays. A record that isn't there is made.
    case merge(RecordID, RecordContent, clear: [String])
    case remove(RecordID)
    /// Stores a list, or an edition of one, whole. An edition isn't shown by that.
    case list(RecordList)
    /// Puts, changes, moves or removes one entry of a list.
    case listItem(EntryEdit)
    /// Selects the edition of a list that is in force.
    case show(list: String, edition: String)
    /// Removes an edition of a list; without one, the list with all of them.
    case removeList(ListName)
}

/// Fields of a movie that change often; an absent one is unchanged.
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
        case programme, types, put, merge, remove
        case list, listItem, show, removeList
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
        /// The key of a list's entry; `item` in the log.
        var entry: String?
        var record: String?
    }
    private struct ShownEdition: Codable {
        var list: String
        var edition: String
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
            let items = [chosen.item, chosen.entry].compactMap { $0 }
            switch (chosen.movie, items.first, chosen.record.map { Subject($0).record }) {
            case (let movie?, nil, nil): self = .choose(pool: chosen.pool, movie: movie)
            case (nil, let item?, nil) where items.count == 1: self = .chooseItem(pool: chosen.pool, item: item)
            case (nil, nil, let record??): self = .chooseRecord(pool: chosen.pool, record: record)
            default:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [key],
                        debugDescription:
                            "a choice is either a 'movie', an 'item', an 'entry', or a 'record' by its type and id, such "
                            + "as episode/e1"))
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
        case .types: self = .types(try container.decode(TypesDocument.self, forKey: key))
        case .put:
            let document = try container.decode(RecordDocument.self, forKey: key)
            if document.clear != nil {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [key],
                        debugDescription: "'put' replaces a record whole; 'clear' is a field of 'merge'"))
            }
            self = .put(document.name, try document.content(at: decoder.codingPath + [key]))
        case .merge:
            let document = try container.decode(RecordDocument.self, forKey: key)
            let content: RecordContent =
                document.record == nil && document.bytes == nil
                ? .bytes([]) : try document.content(at: decoder.codingPath + [key])
            self = .merge(document.name, content, clear: document.clear ?? [])
        case .remove: self = .remove(try container.decode(RecordID.self, forKey: key))
        case .list: self = .list(try container.decode(RecordList.self, forKey: key))
        case .listItem: self = .listItem(try container.decode(EntryEdit.self, forKey: key))
        case .show:
            let shown = try container.decode(ShownEdition.self, forKey: key)
            self = .show(list: shown.list, edition: shown.edition)
        case .removeList: self = .removeList(try container.decode(ListName.self, forKey: key))
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
        case .chooseRecord(let pool, let record):
            try container.encode(Chosen(pool: pool, record: record.subject.name), forKey: .choose)
        case .removeChoice(let pool): try container.encode(OfPool(pool: pool), forKey: .removeChoice)
        case .shelf(let shelf): try container.encode(shelf, forKey: .shelf)
        case .removeShelf(let id): try container.encode(Named(id: id), forKey: .removeShelf)
        case .shelfItem(let shelf, let item):
            try container.encode(Replaced(shelf: shelf, item: item), forKey: .shelfItem)
        case .page(let page): try container.encode(page, forKey: .page)
        case .removePage(let id): try container.encode(Named(id: id), forKey: .removePage)
        case .programme(let text): try container.encode(text, forKey: .programme)
        case .types(let types): try container.encode(types, forKey: .types)
        case .put(let id, let content): try container.encode(RecordDocument(id, content), forKey: .put)
        case .merge(let id, let content, let clear):
            try container.encode(RecordDocument(id, content, clear: clear), forKey: .merge)
        case .remove(let id): try container.encode(id, forKey: .remove)
        case .list(let list): try container.encode(list, forKey: .list)
        case .listItem(let edit): try container.encode(edit, forKey: .listItem)
        case .show(let list, let edition):
            try container.encode(ShownEdition(list: list, edition: edition), forKey: .show)
        case .removeList(let name): try container.encode(name, forKey: .removeList)
        }
    }
}

/// Names a piece of the catalogue that a commit touched.
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
    case types
    /// A record of one of the operator's types.
    case typed(RecordID)
    /// A list with its editions.
    case list(String)
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
        case .choose(let pool, _), .chooseItem(let pool, _), .chooseRecord(let pool, _), .removeChoice(let pool):
            .pool(pool)
        case .shelf(let shelf): .shelf(shelf.id)
        case .removeShelf(let id), .shelfItem(let id, _): .shelf(id)
        case .page(let page): .page(page.id)
        case .removePage(let id): .page(id)
        case .programme: .programme
        case .types: .types
        case .put(let id, _), .merge(let id, _, _), .remove(let id): .typed(id)
        case .list(let list): .list(list.name.list)
        case .listItem(let edit): .list(edit.list.list)
        case .show(let list, _): .list(list)
        case .removeList(let name): .list(name.list)
        }
    }
}
