import MarqueeCatalogue
import MarqueeModel
import SeededRandom

/// Random changes over few ids, so that they collide.
enum RandomChanges {
    static let movies: ClosedRange<UInt64> = 1...12
    private static let genres: ClosedRange<UInt64> = 1...3
    private static let days = ["2014-01-01", "2014-01-02", "2014-01-03"].compactMap { CalendarDate($0) }

    /// An initial catalogue.
    static func first() -> [Change] {
        var random = SeededGenerator(seed: 0)
        return Collections.changes + genres.map { .genre(Genre(id: $0, names: ["en": "Genre \($0)"])) }
            + movies.map { movie($0, &random) }
            + days.map { chartDay($0, &random) } + [.showChart(chart: "c", date: days[0])]
    }

    static func programme(_ random: inout SeededGenerator) -> [Change] {
        [.programme(random.chance(50) ? Programmes.first : Programmes.second)]
    }

    static func commit(_ random: inout SeededGenerator) -> [Change] {
        (0..<random.int(1...3)).map { _ in change(&random) }
    }

    private static func change(_ random: inout SeededGenerator) -> Change {
        let id = UInt64.random(in: movies, using: &random)
        switch random.int(0...11) {
        case 0...2: return movie(id, &random)
        case 3: return .removeMovie(id)
        // Re-adds existing records, so that updates find something.
        case 4, 5: return movie(id, &random)
        // Few values, so that content returns to earlier states.
        case 6, 7: return .choose(pool: "main", movie: UInt64(random.int(1...2)))
        case 8: return .showChart(chart: "c", date: random.pick(days) ?? days[0])
        case 9: return .genre(Genre(id: UInt64(random.int(1...3)), names: ["en": text(&random)]))
        default:
            let cast = (1...random.int(1...6)).map {
                Credits.Cast(person: UInt64($0), name: "Person \($0)", character: text(&random))
            }
            return .credits(Credits(movie: id, cast: cast, crew: []))
        }
    }

    /// Changes one number of an existing movie.
    static func update(_ id: UInt64, _ random: inout SeededGenerator) -> Change {
        var update = MovieUpdate(id: id)
        update.popularity = Double(random.int(0...5))
        return .movieUpdate(update)
    }

    private static func movie(_ id: UInt64, _ random: inout SeededGenerator) -> Change {
        var movie = Movie(id: id, title: text(&random))
        movie.genres = genres.filter { _ in random.chance(50) }
        movie.popularity = Double(random.int(0...5))
        movie.releaseDate = random.pick(days)
        return .movie(movie)
    }

    private static func chartDay(_ day: CalendarDate, _ random: inout SeededGenerator) -> Change {
        let entries = movies.shuffled(using: &random).prefix(5).map { id in
            var entry = ChartDay.Entry(key: "\(id)", title: "Entry \(id)")
            entry.movie = id
            return entry
        }
        return .chartDay(ChartDay(chart: "c", date: day, entries: entries))
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let letter = random.pick(["a", "b", "c", "d"]) ?? "a"
        return String(repeating: letter, count: random.chance(25) ? random.int(100...900) : random.int(1...40))
    }
}
