package import MarqueeModel

/// Works out what a list of changes does to the catalogue, before anything is written.
///
/// So a wrong change in the middle of a commit needs no undoing, and every engine means the same by a change. A change touches the record that
/// its key names and nothing else: removing a movie leaves its credits, charts and favorites as they are.
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
            return try stored(name)
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
        case .credits(let credits): (name, record) = (.credits(credits.movie), .credits(credits))
        case .genre(let genre): (name, record) = (.genre(genre.id), .genre(genre))
        case .chartDay(let day): (name, record) = (.chartDay(chart: day.chart, step: day.step), .chartDay(day))
        case .showChart(let chart, let date, let time):
            let step = ChartStep(date: date, time: time)
            guard try current(.chartDay(chart: chart, step: step)) != nil else {
                throw Refusal(reason: "the chart '\(chart)' has no \(step) to show")
            }
            (name, record) = (.shownDay(chart: chart), .shownDay(chart: chart, step: step))
        case .choose(let pool, let movie): (name, record) = (.choice(pool: pool), .choice(pool: pool, movie: movie))
        case .chooseItem(let pool, let item):
            (name, record) = (.choice(pool: pool), .chosenItem(pool: pool, item: item))
        case .shelf(let shelf): (name, record) = (.shelf(shelf.id), .shelf(shelf))
        case .shelfItem(let id, let item):
            guard case .shelf(var shelf) = try current(.shelf(id)), shelf.replace(item) else {
                throw Refusal(reason: "there is no item '\(item.id)' on a shelf '\(id)' to replace")
            }
            (name, record) = (.shelf(id), .shelf(shelf))
        case .page(let page): (name, record) = (.page(page.id), .page(page))
        case .programme(let text): (name, record) = (.programme, .programme(text))
        }
        guard try current(name) != record else { return }
        records.updateValue(record, forKey: name)
        changes.append(change)
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

extension CatalogueCommit {
    /// A commit that knows what it touched.
    init(revision: UInt64, key: String?, changes: [Change]) {
        var seen = Set<CatalogueKey>()
        let touched = changes.map(\.key).filter { seen.insert($0).inserted }
        self.init(revision: revision, key: key, changes: changes, touched: touched)
    }
}
