package import MarqueeCatalogue
import MarqueeModel

/// The catalogue in memory: the sum of its log's commits. A value with one owner.
///
/// The changes that build it from a snapshot may come in any order. Large records are packed; reading one unpacks it.
package struct Catalogue: Sendable {
    private var movies = MovieTable()
    private var orders = MovieOrders()
    private var movieCounts: [UInt64: Int] = [:]
    package private(set) var genres: [UInt64: Genre] = [:]
    private var persons: [UInt64: Packed<Person>] = [:]
    private var credits: [UInt64: Packed<Credits>] = [:]
    private var chartDays: [String: [ChartStep: ChartDay]] = [:]
    private var shownSteps: [String: ChartStep] = [:]
    private var choices: [String: UInt64] = [:]
    private var shelves = Shelves()
    private(set) var records = RecordCatalogue()
    private(set) var lists = ListCatalogue()
    /// Records chosen for pools.
    private var chosenRecords: [String: RecordID] = [:]
    /// The newest types of records of the log.
    package private(set) var types: TypesDocument?
    /// The newest programme file of the log.
    package private(set) var programmeText: String?

    package init() {}

    // MARK: - Changing

    /// Applies one change.
    ///
    /// - Parameter isWatched: orders in which the rank of a movie or record is wanted even when it did not change.
    /// - Returns: what became of a movie or record, if the change was one of these.
    mutating func apply(_ change: Change, isWatched: (OrderID) -> Bool = { _ in false }) -> CatalogueMove? {
        switch change {
        case .movie(let movie): return .movie(replace(movie.id, by: movie, isWatched))
        case .removeMovie(let id): return .movie(replace(id, by: nil, isWatched))
        case .movieUpdate(let update):
            return movies[update.id].map { .movie(replace(update.id, by: $0.merged(with: update), isWatched)) }
        case .person(let person): persons[person.id] = Packed(person)
        case .removePerson(let id): persons[id] = nil
        case .credits(let new): credits[new.movie] = Packed(new.shown)
        case .removeCredits(let movie): credits[movie] = nil
        case .genre(let genre): genres[genre.id] = genre
        case .removeGenre(let id): genres[id] = nil
        case .chartDay(let day): chartDays[day.chart, default: [:]][day.step] = day
        case .removeChartDay(let chart, let date, let time):
            let step = ChartStep(date: date, time: time)
            chartDays[chart]?[step] = nil
            if chartDays[chart]?.isEmpty == true { chartDays[chart] = nil }
            if shownSteps[chart] == step { shownSteps[chart] = nil }
        case .showChart(let chart, let date, let time): shownSteps[chart] = ChartStep(date: date, time: time)
        case .choose(let pool, let movie): choose(for: pool, movie: movie)
        case .chooseItem(let pool, let item): choose(for: pool, item: item)
        case .chooseRecord(let pool, let record): choose(for: pool, record: record)
        case .removeChoice(let pool): choose(for: pool)
        case .shelf, .removeShelf, .shelfItem, .page, .removePage: shelves.apply(change)
        case .programme(let text): programmeText = text
        case .types(let document): types = document
        case .put(let id, .bytes(let bytes)): return .record(replace(id, by: bytes, isWatched))
        case .remove(let id): return .record(replace(id, by: nil, isWatched))
        // The log holds neither: the store makes puts of canonical bytes of both.
        case .put(_, .json), .merge: break
        case .list, .listItem, .show, .removeList: return lists.apply(change).map { .list($0) }
        }
        return nil
    }

    private mutating func choose(for pool: String, movie: UInt64? = nil, item: String? = nil, record: RecordID? = nil) {
        choices[pool] = movie
        shelves.choose(item, for: pool)
        chosenRecords[pool] = record
    }

    private mutating func replace(
        _ id: RecordID, by new: [UInt8]?, _ isWatched: (OrderID) -> Bool
    ) -> RecordMove {
        records.replace(id, by: new) { isWatched(.records($0)) }
    }

    private mutating func replace(
        _ id: UInt64, by new: Movie?, _ isWatched: (OrderID) -> Bool
    ) -> MovieMove {
        let old = movies[id]
        var move = MovieMove(id: id, old: old, new: new)
        // Orders to leave are determined from the old table, orders to enter from the new one.
        var entering: [(order: OrderName, key: SortKey, from: Int?)] = []
        for order in orders.names(holding: old, new) {
            let oldKey = old.flatMap { $0.belongs(to: order.genre) ? order.sort.key(of: $0) : nil }
            let newKey = new.flatMap { $0.belongs(to: order.genre) ? order.sort.key(of: $0) : nil }
            if oldKey == newKey {
                guard let newKey, isWatched(.movies(order)) else { continue }
                let rank = orders.rank(of: newKey, in: order, movies)
                move.orders.append(OrderMove(order: order, from: rank, to: rank))
                continue
            }
            let from = oldKey.map { orders.remove($0, from: order, movies) }
            if let newKey {
                entering.append((order, newKey, from))
            } else {
                move.orders.append(OrderMove(order: order, from: from, to: nil))
            }
        }
        guard let new else {
            count(-1, of: old)
            movies.remove(id)
            return move
        }
        let slot = movies.set(new)
        if old?.genres != new.genres || old == nil {
            count(-1, of: old)
            count(1, of: new)
        }
        for (order, key, from) in entering {
            let to = orders.insert(slot, key, into: order, movies)
            move.orders.append(OrderMove(order: order, from: from, to: to))
        }
        return move
    }

    private mutating func count(_ step: Int, of movie: Movie?) {
        for genre in Set(movie?.genres ?? []) { movieCounts[genre, default: 0] += step }
    }

    // MARK: - Reading

    package var movieCount: Int { movies.count }

    package func movie(_ id: UInt64) -> Movie? { movies[id] }

    package func hasMovie(_ id: UInt64) -> Bool { movies.contains(id) }

    package func person(_ id: UInt64) -> Person? { persons[id]?.record }

    /// Only the directors of the crew.
    package func credits(of movie: UInt64) -> Credits? { credits[movie]?.record }

    /// The day a chart shows, if any.
    package func shownDay(of chart: String) -> ChartDay? {
        shownSteps[chart].flatMap { chartDays[chart]?[$0] }
    }

    /// The movie chosen for a pool; it may no longer exist.
    package func choice(of pool: String) -> UInt64? { choices[pool] }

    /// The id of the item chosen for a shelf's pool; it may no longer exist.
    package func chosenItem(of pool: String) -> String? { shelves.choice(of: pool) }

    /// The record chosen for a pool; it may no longer exist.
    package func chosenRecord(of pool: String) -> RecordID? { chosenRecords[pool] }

    package func shelf(_ id: String) -> Shelf? { shelves.shelf(id) }

    /// An item of a shelf; `nil` if it doesn't exist.
    func item(_ name: ItemName) -> ShelfItem? { shelf(name.shelf)?.items.first { $0.id == name.item } }

    /// An existing item; the same one for the same shelves.
    var exampleItem: ItemName? { shelves.exampleItem }

    package func page(_ id: String) -> Page? { shelves.page(id) }

    package func movieCount(of genre: UInt64) -> Int { movieCounts[genre] ?? 0 }

    /// Whether a genre deserves a screen: it has a name or a movie.
    package func hasGenre(_ genre: UInt64) -> Bool { genres[genre] != nil || movieCount(of: genre) > 0 }

    // MARK: - Orders

    /// Keys compared since the start, a measure of work.
    var comparisons: UInt64 { orders.comparisons + records.comparisons + lists.comparisons }

    /// Genres with a name or a movie.
    var knownGenres: Set<UInt64> { Set(genres.keys).union(movieCounts.filter { $0.value > 0 }.keys) }

    /// Builds these orders and drops all others. Reads each movie once.
    mutating func keepOrders(_ names: Set<OrderName>) {
        for name in Array(orders.names) where !names.contains(name) { orders.drop(name) }
        addOrders(names)
    }

    /// Makes the orders of these families of records and drops all others. Reads each record of a type once.
    ///
    /// - Parameter tallied: those whose values are to be counted.
    mutating func keepOrders(_ families: Set<RecordFamily>, tallied: Set<RecordFamily>) {
        records.keep(families, tallied: tallied)
    }

    /// Counts the values of a family where they are not counted yet.
    mutating func prepareTally(of family: RecordFamily) { records.prepareTally(of: family) }

    /// Makes the orders of a family where they are not there yet.
    mutating func prepare(_ family: RecordFamily) { records.prepare(family) }

    /// Makes the order where it is not there yet.
    mutating func prepare(_ name: OrderName) {
        if orders[name] == nil { addOrders([name]) }
    }

    private mutating func addOrders(_ names: Set<OrderName>) {
        let missing = names.filter { orders[$0] == nil }
        let wanted = Set(missing.compactMap(\.genre))
        var slots: [UInt64: [UInt32]] = [:]
        if !wanted.isEmpty {
            for slot in movies.slotsInUse {
                for genre in movies.genres(at: slot) where wanted.contains(genre) {
                    slots[genre, default: []].append(slot)
                }
            }
        }
        for name in missing {
            let found = name.genre.map { slots[$0] ?? [] } ?? Array(movies.slotsInUse)
            orders.add(name, slots: found, in: movies)
        }
    }

    /// The first movies in a prepared order.
    func movieIDs(in name: OrderName, first limit: Int) -> [UInt64] {
        (orders[name]?.prefix(limit) ?? []).map { movies.id(at: $0) }
    }

    /// The movie at a rank of a prepared order; `nil` past its end.
    func movieID(in name: OrderName, at rank: Int) -> UInt64? {
        guard let list = orders[name], rank < list.count else { return nil }
        return movies.id(at: list[rank])
    }

    /// A movie's position in an order, whether prepared or not.
    func key(of movie: UInt64, by sort: MovieSort) -> SortKey? {
        movies.slot(of: movie).map { movies.key(at: $0, by: sort) }
    }
}

/// What a change did to what orders hold.
enum CatalogueMove: Sendable {
    case movie(MovieMove)
    case record(RecordMove)
    case list(ListMove)
}

/// What a change did to one movie.
struct MovieMove: Sendable {
    var id: UInt64
    /// `nil` for a new movie.
    var old: Movie?
    /// `nil` for a removed movie.
    var new: Movie?
    /// The orders in which it moved, and the watched ones in which it stayed.
    var orders: [OrderMove] = []
}

extension Credits {
    /// Without the crew that no screen shows, which is most of a movie's credits.
    fileprivate var shown: Credits {
        Credits(movie: movie, cast: cast, crew: crew.filter { $0.job == Catalogue.directorJob })
    }
}
