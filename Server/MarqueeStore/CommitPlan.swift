package import MarqueeModel

/// Works out what a list of changes does to the catalogue, before anything is written.
///
/// So a wrong change in the middle of a commit needs no undoing, and every engine means the same by a change. A change
/// touches the record that its key names and nothing else: removing a movie leaves its credits, charts and favorites as
/// they are. One exception: a chart doesn't show a day that is removed.
struct CommitPlan {
    /// Why a change is refused.
    struct Refusal: Error {
        var reason: String
    }

    /// The changes that take effect, in order.
    private(set) var changes: [Change] = []
    /// The records to write; `nil` removes.
    private(set) var records: [RecordName: CatalogueRecord?] = [:]

    /// Adds the effect of one change.
    /// - Parameter stored: gives the record that is stored under a name.
    /// - Throws: `Refusal`, or what `stored` throws.
    mutating func add(_ change: Change, stored: (RecordName) throws -> CatalogueRecord?) throws {
        if let reason = CatalogueBounds.refusal(of: change) { throw Refusal(reason: reason) }
        func current(_ name: RecordName) throws -> CatalogueRecord? {
            if let planned = records[name] { return planned }
            switch name {
            case .shelf(let id): return try shelf(id, stored)
            case .shelfItem(let id, let item):
                guard let planned = records[.shelf(id)] else { return try stored(name) }
                guard case .shelf(let shelf)? = planned else { return nil }
                return shelf.items.first { $0.id == item }.map { .shelfItem(shelf: id, $0) }
            default: return try stored(name)
            }
        }

        let name: RecordName
        let record: CatalogueRecord?
        switch change {
        case .movie(let movie): (name, record) = (.movie(movie.id), .movie(movie))
        case .removeMovie(let id): (name, record) = (.movie(id), nil)
        case .movieUpdate(let update):
            guard case .movie(let movie) = try current(.movie(update.id)) else {
                throw Refusal(reason: "there is no movie \(update.id) to update")
            }
            (name, record) = (.movie(update.id), .movie(movie.merged(with: update)))
        case .person(let person): (name, record) = (.person(person.id), .person(person))
        case .removePerson(let id): (name, record) = (.person(id), nil)
        case .credits(let credits): (name, record) = (.credits(credits.movie), .credits(credits))
        case .removeCredits(let movie): (name, record) = (.credits(movie), nil)
        case .genre(let genre): (name, record) = (.genre(genre.id), .genre(genre))
        case .removeGenre(let id): (name, record) = (.genre(id), nil)
        case .chartDay(let day): (name, record) = (.chartDay(chart: day.chart, step: day.step), .chartDay(day))
        case .removeChartDay(let chart, let date, let time):
            let step = ChartStep(date: date, time: time)
            (name, record) = (.chartDay(chart: chart, step: step), nil)
            if try current(.shownDay(chart: chart)) == .shownDay(chart: chart, step: step) {
                records.updateValue(nil, forKey: .shownDay(chart: chart))
            }
        case .showChart(let chart, let date, let time):
            let step = ChartStep(date: date, time: time)
            guard try current(.chartDay(chart: chart, step: step)) != nil else {
                throw Refusal(reason: "the chart '\(chart)' has no \(step) to show")
            }
            (name, record) = (.shownDay(chart: chart), .shownDay(chart: chart, step: step))
        case .choose(let pool, let movie): (name, record) = (.choice(pool: pool), .choice(pool: pool, movie: movie))
        case .chooseItem(let pool, let item):
            (name, record) = (.choice(pool: pool), .chosenItem(pool: pool, item: item))
        case .removeChoice(let pool): (name, record) = (.choice(pool: pool), nil)
        case .shelf(let shelf): (name, record) = (.shelf(shelf.id), .shelf(shelf))
        case .removeShelf(let id): (name, record) = (.shelf(id), nil)
        case .shelfItem(let id, let item):
            let place = RecordName.shelfItem(shelf: id, item: item.id)
            guard let known = try current(place) else {
                throw Refusal(reason: "there is no item '\(item.id)' on a shelf '\(id)' to replace")
            }
            guard known != .shelfItem(shelf: id, item) else { return }
            if case .shelf(var shelf)?? = records[.shelf(id)], shelf.replace(item) {
                (name, record) = (.shelf(id), .shelf(shelf))
            } else {
                (name, record) = (place, .shelfItem(shelf: id, item))
            }
        case .page(let page): (name, record) = (.page(page.id), .page(page))
        case .removePage(let id): (name, record) = (.page(id), nil)
        case .programme(let text): (name, record) = (.programme, .programme(text))
        }
        guard try current(name) != record else { return }
        records.updateValue(record, forKey: name)
        if case .shelf(let id) = name { forgetItems(of: id) }
        changes.append(change)
    }

    /// The charts that get a day.
    var chartsOfDays: Set<String> {
        Set(changes.compactMap { if case .chartDay(let day) = $0 { day.chart } else { nil } })
    }

    /// Removes the oldest days of charts, as changes of the same commit.
    ///
    /// - Parameters:
    ///   - limit: days that stay, beside the one shown.
    ///   - days: gives the stored days of a chart.
    mutating func dropDays(
        beyond limit: Int, of charts: Set<String>, stored: (RecordName) throws -> CatalogueRecord?,
        days: (String) throws -> [ChartStep]
    ) throws {
        for chart in charts.sorted() {
            var steps = Set(try days(chart))
            for (name, record) in records {
                guard case .chartDay(chart, let step) = name else { continue }
                if record == nil { steps.remove(step) } else { steps.insert(step) }
            }
            let shownName = RecordName.shownDay(chart: chart)
            let shown = try records[shownName] ?? stored(shownName)
            for step in steps.sorted().dropLast(max(1, limit)) where shown != .shownDay(chart: chart, step: step) {
                try add(.removeChartDay(chart: chart, date: step.date, time: step.time), stored: stored)
            }
        }
    }

    /// The stored shelf with the items that were planned since.
    private func shelf(_ id: String, _ stored: (RecordName) throws -> CatalogueRecord?) throws -> CatalogueRecord? {
        guard case .shelf(var shelf)? = try stored(.shelf(id)) else { return nil }
        for case .shelfItem(let owner, let item)? in records.values where owner == id { _ = shelf.replace(item) }
        return .shelf(shelf)
    }

    /// A shelf that is written whole holds its items.
    private mutating func forgetItems(of shelf: String) {
        for case .shelfItem(shelf, let item) in Array(records.keys) {
            records[.shelfItem(shelf: shelf, item: item)] = nil
        }
    }
}

extension Movie {
    /// The movie after an update.
    package func merged(with update: MovieUpdate) -> Movie {
        var movie = self
        movie.popularity = update.popularity ?? popularity
        movie.revenue = update.revenue ?? revenue
        movie.voteAverage = update.voteAverage ?? voteAverage
        movie.voteCount = update.voteCount ?? voteCount
        return movie
    }
}

extension Shelf {
    /// Puts an item in the place of the one with its id.
    /// - Returns: whether there is one.
    package mutating func replace(_ item: ShelfItem) -> Bool {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return false }
        items[index] = item
        return true
    }
}
