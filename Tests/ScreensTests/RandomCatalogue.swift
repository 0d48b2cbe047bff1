import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import SeededRandom

@testable import MarqueeScreens

/// Random changes over few ids, so that they collide, and an independent record of their combined effect.
struct RandomCatalogue {
    private(set) var generator: SeededGenerator
    private var movies: [UInt64: Movie] = [:]
    private var shelves: [String: Shelf] = [:]
    private var others: [String: Change] = [:]

    static let movieIDs: ClosedRange<UInt64> = 1...14
    static let genreIDs: ClosedRange<UInt64> = 1...4
    static let dates = ["2014-01-01", "2014-01-02", "2014-01-03"].compactMap { CalendarDate($0) }
    private static let personIDs: ClosedRange<UInt64> = 1...6

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The catalogue as changes that build it, in random order.
    mutating func snapshot() -> [Change] {
        (movies.values.map { Change.movie($0) } + shelves.values.map { .shelf($0) } + others.values).shuffled(
            using: &generator)
    }

    /// The changes of one commit.
    mutating func commit() -> [Change] {
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            let change = change()
            note(change)
            return change
        }
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    mutating func element<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &generator) }
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] { elements.shuffled(using: &generator) }

    private mutating func note(_ change: Change) {
        switch change {
        case .movie(let movie): movies[movie.id] = movie
        case .removeMovie(let id): movies[id] = nil
        case .movieUpdate(let update):
            if let popularity = update.popularity { movies[update.id]?.popularity = popularity }
            if let revenue = update.revenue { movies[update.id]?.revenue = revenue }
            if let average = update.voteAverage { movies[update.id]?.voteAverage = average }
        case .shelf(let shelf): shelves[shelf.id] = shelf
        case .removeShelf(let id): shelves[id] = nil
        case .shelfItem(let id, let item): _ = shelves[id]?.replace(item)
        case .chartDay(let day): others["day \(day.chart) \(day.date)"] = change
        case .removeChartDay(let chart, let date, _):
            others["day \(chart) \(date)"] = nil
            if others["\(change.key)"] == .showChart(chart: chart, date: date) { others["\(change.key)"] = nil }
        case .removePerson, .removeCredits, .removeGenre, .removeChoice, .removePage: others["\(change.key)"] = nil
        default: others["\(change.key)"] = change
        }
    }

    private mutating func removal() -> Change {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: .removeMovie(id(RandomCatalogue.movieIDs))
        case 2: .removePerson(id(RandomCatalogue.personIDs))
        case 3: .removeCredits(movie: id(RandomCatalogue.movieIDs))
        case 4: .removeGenre(id(RandomCatalogue.genreIDs))
        case 5: .removeChartDay(chart: chart(), date: date())
        case 6: Bool.random(using: &generator) ? .removeShelf(shelf()) : .removePage(page().id)
        default: .removeChoice(pool: pool())
        }
    }

    private mutating func change() -> Change {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<4: return .movie(movie())
        case 4: return removal()
        case 5, 6:
            var update = MovieUpdate(id: id(RandomCatalogue.movieIDs))
            update.popularity = number()
            update.revenue = number().map { UInt64($0) }
            update.voteAverage = number()
            return .movieUpdate(update)
        case 7, 8:
            var person = Person(id: id(RandomCatalogue.personIDs), name: "Person")
            person.popularity = number()
            return .person(person)
        case 9: return .credits(credits())
        case 10:
            let genre = id(RandomCatalogue.genreIDs)
            return .genre(
                Genre(id: genre, names: Bool.random(using: &generator) ? ["en": "Genre \(number() ?? 0)"] : [:]))
        case 11, 12: return .chartDay(ChartDay(chart: chart(), date: date(), entries: entries()))
        case 13: return .showChart(chart: chart(), date: date())
        case 14, 15:
            return .choose(pool: pool(), movie: id(RandomCatalogue.movieIDs))
        case 16: return .chooseItem(pool: pool(), item: item().id)
        case 17: return .shelf(Shelf(id: shelf(), items: items()))
        case 18: return .shelfItem(shelf: shelf(), item: item())
        default: return .page(page())
        }
    }

    // MARK: - Shelves and pages

    private mutating func pool() -> String { element(of: ["pool", "other", "chosen"]) ?? "" }
    private mutating func shelf() -> String { element(of: ["s1", "s2"]) ?? "" }

    private mutating func item() -> ShelfItem {
        let id = element(of: ["a", "b", "c", "d/e"]) ?? ""
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return ShelfItem(id: id, content: .movie(self.id(RandomCatalogue.movieIDs)))
        case 1: return ShelfItem(id: id, content: .other(type: "new", value: "{}"))
        default: return ShelfItem(id: id, content: .banner(BannerContent(title: number().map { "Title \($0)" } ?? "")))
        }
    }

    private mutating func items() -> [ShelfItem] {
        var seen: Set<String> = []
        return (0..<Int.random(in: 0...5, using: &generator)).map { _ in item() }.filter { seen.insert($0.id).inserted }
    }

    private mutating func page() -> Page {
        let sections = (0..<Int.random(in: 0...3, using: &generator)).map { index in
            Page.Section(
                id: "p\(index)", type: element(of: ["row", "one", "unknown"]) ?? "",
                title: number().map { "\($0)" } ?? "",
                shelf: shelf())
        }
        return Page(id: "page", sections: sections)
    }

    private mutating func movie() -> Movie {
        let genres = RandomCatalogue.genreIDs.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
        var movie = Movie(
            id(RandomCatalogue.movieIDs), ["Alpha", "beta", "Gamma"].randomElement(using: &generator), genres: genres,
            popularity: number(), released: Bool.random(using: &generator) ? date().description : nil,
            revenue: number().map { UInt64($0) }, rating: number())
        if Bool.random(using: &generator) { movie.titles = ["ko": "제목"] }
        movie.backdrop = number().map { ImageReference(name: "backdrop \($0)") }
        return movie
    }

    private mutating func credits() -> Credits {
        let cast = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            Credits.Cast(
                person: id(RandomCatalogue.personIDs), name: "Person", character: number().map { "Role \($0)" })
        }
        let crew = [
            Credits.Crew(person: id(RandomCatalogue.personIDs), name: "Person", job: "Director", department: nil)
        ]
        return Credits(movie: id(RandomCatalogue.movieIDs), cast: cast, crew: crew)
    }

    private mutating func entries() -> [ChartDay.Entry] {
        ["a", "b", "c", "d"].shuffled(using: &generator).prefix(3).map { key in
            var entry = ChartDay.Entry(key: key, title: "Entry \(key)")
            entry.movie = Bool.random(using: &generator) ? id(RandomCatalogue.movieIDs) : nil
            return entry
        }
    }

    private mutating func id(_ ids: ClosedRange<UInt64>) -> UInt64 { UInt64.random(in: ids, using: &generator) }
    private mutating func chart() -> String { Bool.random(using: &generator) ? "c1" : "c2" }
    /// Only a few distinct values, or none.
    private mutating func number() -> Double? {
        let value = Int.random(in: 0...3, using: &generator)
        return value == 3 ? nil : Double(value)
    }
    private mutating func date() -> CalendarDate { RandomCatalogue.dates[Int.random(in: 0..<3, using: &generator)] }
}
