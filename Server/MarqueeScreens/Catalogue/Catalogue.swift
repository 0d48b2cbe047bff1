package import MarqueeModel

/// The catalogue in memory: what the commits of its log add up to. A value with one owner.
///
/// The order of the changes that build it from a snapshot does not matter.
package struct Catalogue: Sendable {
    package private(set) var movies: [UInt64: Movie] = [:]
    package private(set) var genres: [UInt64: Genre] = [:]
    private var persons: [UInt64: Person] = [:]
    private var credits: [UInt64: Credits] = [:]
    private var chartDays: [String: [ChartStep: ChartDay]] = [:]
    private var shownSteps: [String: ChartStep] = [:]
    private var choices: [String: UInt64] = [:]
    private var shelves = Shelves()
    private var moviesByGenre: [UInt64: Set<UInt64>] = [:]
    private var orders = MovieOrders()
    private var foldedTitles = FoldedTitles()
    /// The newest programme file of the log.
    package private(set) var programmeText: String?

    package init() {}

    // MARK: - Changing

    /// Applies one change and notes in `effect` what it may have changed.
    package mutating func apply(_ change: Change, noting effect: inout CommitEffect) {
        effect.keys.insert(change.key)
        switch change {
        case .movie(let movie): replace(movie.id, by: movie, noting: &effect)
        case .removeMovie(let id): replace(id, by: nil, noting: &effect)
        case .movieUpdate(let update):
            guard let movie = movies[update.id]?.updated(by: update) else { return }
            replace(movie.id, by: movie, noting: &effect)
        case .person(let person): persons[person.id] = person
        case .credits(let new): credits[new.movie] = new
        case .genre(let genre): genres[genre.id] = genre
        case .chartDay(let day): chartDays[day.chart, default: [:]][day.step] = day
        case .showChart(let chart, let date, let time): shownSteps[chart] = ChartStep(date: date, time: time)
        case .choose(let pool, let movie):
            choices[pool] = movie
            shelves.choose(nil, for: pool)
        case .chooseItem(let pool, let item):
            choices[pool] = nil
            shelves.choose(item, for: pool)
        case .shelf, .shelfItem, .page: shelves.apply(change)
        case .programme(let text): programmeText = text
        }
    }

    private mutating func replace(_ id: UInt64, by new: Movie?, noting effect: inout CommitEffect) {
        let old = movies[id]
        effect.touchesMovies = true
        effect.genres.formUnion(old?.genres ?? [])
        effect.genres.formUnion(new?.genres ?? [])
        orders.replace(old, by: new, movies: movies)
        foldedTitles.forget(id)
        for genre in Set(old?.genres ?? []) { moviesByGenre[genre]?.remove(id) }
        for genre in Set(new?.genres ?? []) { moviesByGenre[genre, default: []].insert(id) }
        movies[id] = new
    }

    // MARK: - Reading

    package func person(_ id: UInt64) -> Person? { persons[id] }

    package func credits(of movie: UInt64) -> Credits? { credits[movie] }

    /// The day that a chart shows, if there is one.
    package func shownDay(of chart: String) -> ChartDay? {
        shownSteps[chart].flatMap { chartDays[chart]?[$0] }
    }

    /// The movie chosen for a pool; it may be gone.
    package func choice(of pool: String) -> UInt64? { choices[pool] }

    /// The id of the item chosen for a pool of a shelf's items; it may be gone.
    package func chosenItem(of pool: String) -> String? { shelves.choice(of: pool) }

    package func shelf(_ id: String) -> Shelf? { shelves.shelf(id) }

    /// An item that exists, the same one as long as there are the same shelves.
    var exampleItem: ItemName? { shelves.exampleItem }

    package func page(_ id: String) -> Page? { shelves.page(id) }

    package func movieCount(of genre: UInt64) -> Int { moviesByGenre[genre]?.count ?? 0 }

    /// Whether a genre is worth a screen: it has a name or a movie.
    package func hasGenre(_ genre: UInt64) -> Bool { genres[genre] != nil || movieCount(of: genre) > 0 }

    /// Ids of all movies, or of a genre's, in an order. Computed at the first use, kept up to date from then on.
    package mutating func movieIDs(of genre: UInt64?, by sort: MovieSort) -> [UInt64] {
        let order = MovieOrders.Name(genre: genre, sort: sort)
        if let ids = orders[order] { return ids }
        let keys: [MovieSort.Key]
        if let genre {
            keys = (moviesByGenre[genre] ?? []).compactMap { movies[$0].map(sort.key(of:)) }
        } else {
            keys = movies.values.map(sort.key(of:))
        }
        let ids = keys.sorted().map(\.id)
        orders[order] = ids
        return ids
    }

    /// Titles of a movie as a search compares them, see `FoldedTitles`.
    package mutating func foldedTitles(of movie: Movie, locale: String) -> [UInt8] {
        foldedTitles.titles(of: movie, locale: locale)
    }
}

extension Movie {
    fileprivate func updated(by update: MovieUpdate) -> Movie {
        var movie = self
        if let popularity = update.popularity { movie.popularity = popularity }
        if let revenue = update.revenue { movie.revenue = revenue }
        if let voteAverage = update.voteAverage { movie.voteAverage = voteAverage }
        if let voteCount = update.voteCount { movie.voteCount = voteCount }
        return movie
    }
}
