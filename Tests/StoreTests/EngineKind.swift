import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore

/// The engines that the conformance suite runs over.
enum EngineKind: CaseIterable, CustomStringConvertible, Sendable {
    case memory, sqlite

    var description: String {
        switch self {
        case .memory: "memory"
        case .sqlite: "SQLite"
        }
    }

    /// Runs `body` with a new, empty store, which is closed and removed afterwards.
    func withStore(
        limits: StoreLimits = StoreLimits(), clock: WallClock? = nil, _ body: (any TransactionalStore) throws -> Void
    ) throws {
        switch self {
        case .memory: try body(MemoryStore(limits: limits, clock: clock))
        case .sqlite:
            try withFolder { folder in
                let store = try SQLiteStore(folder: folder, limits: limits, clock: clock)
                try body(store)
                try store.close()
            }
        }
    }
}

/// Runs `body` with the path of a folder that does not exist yet and is removed afterwards.
/// - Parameter place: where; `nil` for the usual place of temporary files.
func withFolder(in place: URL? = nil, _ body: (String) throws -> Void) throws {
    let place = place ?? FileManager.default.temporaryDirectory
    let folder = place.appending(path: "marquee-store-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
}

/// Changes a file of a data folder behind the store's back.
func tamper(_ folder: String, _ file: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: "\(folder)/\(file)")
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
}

extension StoreEngine {
    /// Writes one commit without a mutation.
    @discardableResult
    func commit(_ changes: Change..., key: String? = nil) throws -> StoreOutcome? {
        try commit(changes, key: key)
    }

    @discardableResult
    func commit(_ changes: [Change], key: String? = nil, mutation: MutationID? = nil) throws -> StoreOutcome? {
        try write([.catalogue(key: key, changes: changes, mutation: mutation)]).first
    }

    @discardableResult
    func setFavorite(
        _ subject: String, of user: String = "mina", on: Bool = true, _ mutation: MutationID
    ) throws -> StoreOutcome? {
        try write([.favorite(user: user, subject: subject, on: on, mutation: mutation)]).first
    }

    /// Movies alone.
    func search(_ query: String, offset: Int, limit: Int) throws -> SearchMatches {
        try search(query, in: .movies, offset: offset, limit: limit)
    }

    func snapshotChanges() throws -> [Change] {
        var changes: [Change] = []
        _ = try snapshot { changes.append($0) }
        return changes
    }

    func favoriteSubjects(of user: String = "mina") throws -> Set<String> {
        Set(try members(of: user).members.map(\.subject))
    }
}

extension SearchMatches {
    var movies: [Movie] { content.compactMap { if case .movie(let movie) = $0 { movie } else { nil } } }
    var genres: [Genre] { content.compactMap { if case .genre(let genre) = $0 { genre } else { nil } } }
}

extension MutationID {
    /// A mutation of a client whose id is one byte repeated.
    static func of(_ client: UInt8 = 1, _ number: UInt64, answeredThrough: UInt64 = 0) -> MutationID {
        MutationID(
            client: [UInt8](repeating: client, count: MutationID.clientLength), number: number,
            answeredThrough: answeredThrough)
    }
}

/// Records with every field set, and text that could trip up an encoding.
enum Sample {
    static let awkward = "tab\t newline\n return\r backslash \\N quote \" é 기생충 🎬"

    static func movie(_ id: UInt64, title: String = "Inception") -> Movie { Movie(id: id, title: title) }

    static var fullMovie: Movie {
        var movie = Movie(id: 27205, title: awkward)
        movie.originalTitle = "Inception"
        movie.originalLanguage = "en"
        movie.titles = ["ko": "인셉션", "en": "Inception"]
        movie.releaseDate = CalendarDate(year: 2010, month: 7, day: 15)
        movie.runtime = 148
        movie.genres = [28, 878]
        movie.countries = ["US", "GB"]
        movie.popularity = 0.1 + 0.2
        movie.revenue = 825_532_764
        movie.voteAverage = 8.1
        movie.voteCount = 13_752
        movie.tagline = ""
        movie.overview = awkward
        movie.certifications = ["US": "PG-13", "KR": "12"]
        movie.poster = ImageReference(name: "/poster.jpg", aspect: 2.0 / 3.0, color: "#102030")
        movie.backdrop = ImageReference(name: "/backdrop.jpg")
        return movie
    }

    static var emptyListsMovie: Movie {
        var movie = Movie(id: 5, title: "Lists that are there and empty")
        movie.titles = [:]
        movie.genres = []
        movie.countries = []
        movie.certifications = [:]
        return movie
    }

    static var person: Person {
        var person = Person(id: 525, name: awkward)
        person.popularity = 1.0 / 3.0
        person.portrait = ImageReference(name: "nolan.jpg", aspect: 1)
        return person
    }

    static var credits: Credits {
        Credits(
            movie: 27205,
            cast: [
                .init(person: 6193, name: "Leonardo DiCaprio", character: "Dom Cobb"),
                .init(person: 6193, name: "Leonardo DiCaprio", character: nil),
                .init(person: 24045, name: awkward, character: ""),
            ],
            crew: [
                .init(person: 525, name: "Christopher Nolan", job: "Director", department: "Directing"),
                .init(person: 525, name: "Christopher Nolan", job: awkward, department: nil),
            ])
    }

    static func chartDay(_ day: Int, chart: String = "us") -> ChartDay {
        var first = ChartDay.Entry(key: "rl1", title: awkward)
        first.movie = 27205
        first.gross = 8_718_939
        first.grossToDate = 271_811_587
        first.theaters = 3_335
        first.daysInRelease = UInt32(day)
        first.distributor = "Warner Bros."
        first.currency = "KRW"
        first.audience = 37_412
        first.audienceToDate = 6_398_660
        first.share = 12.5
        first.hours = 1_000
        first.views = 7
        first.weeks = 2
        first.rank = 3
        first.previousRank = 4
        first.isNew = false
        return ChartDay(chart: chart, date: date(day), entries: [first, ChartDay.Entry(key: "rl2", title: "Frozen")])
    }

    static func date(_ day: Int) -> CalendarDate {
        CalendarDate(year: 2014, month: 1, day: day) ?? CalendarDate.first
    }

    /// An item of every kind.
    static var shelf: Shelf {
        let image = ImageReference(name: "b.jpg", aspect: 1.5)
        var banner = BannerContent(title: awkward)
        banner.caption = "caption"
        banner.description = awkward
        banner.link = "https://example.com/"
        banner.image = image
        banner.actions = [ScreenAction(id: "play", title: "Play", target: "x"), ScreenAction(id: "info", title: "")]
        var course = CourseContent(title: "Swift")
        course.author = "Ada"
        course.rating = 4.7
        course.reviews = 113
        course.price = "19.90"
        course.tag = "New"
        course.image = image
        let items: [ShelfItem.Content] = [
            .banner(banner), .banner(BannerContent(title: "")), .course(course), .course(CourseContent(title: "C")),
            .text(TextContent(text: awkward, highlighted: "tab", action: ScreenAction(id: "open", title: "tab"))),
            .text(TextContent(text: "plain")), .categories(["a", awkward]), .categories([]),
            .place(PlaceContent(title: "Hill", distance: "2 km", image: image)), .movie(27205),
            .other(type: "timer", value: #"{"seconds":5}"#),
        ]
        return Shelf(
            id: "home.s", items: items.enumerated().map { ShelfItem(id: "item \($0.offset)", content: $0.element) })
    }

    /// One change of every kind, in the order of a snapshot.
    static var everything: [Change] {
        [
            .genre(Genre(id: 28, names: ["en": "Action", "ko": "액션"])), .genre(Genre(id: 99, names: [:])),
            .person(person), .person(Person(id: 526, name: "Nobody")),
            .movie(emptyListsMovie), .movie(fullMovie),
            .credits(Credits(movie: 5, cast: [], crew: [])), .credits(credits),
            .chartDay(ChartDay(chart: "empty", date: date(3), entries: [])),
            .chartDay(ChartDay(chart: "hourly", date: date(1), time: ClockTime(hour: 0, minute: 5), entries: [])),
            .chartDay(ChartDay(chart: "hourly", date: date(1), time: ClockTime(hour: 23, minute: 29), entries: [])),
            .chartDay(chartDay(1)), .chartDay(chartDay(2)),
            .showChart(chart: "hourly", date: date(1), time: ClockTime(hour: 23, minute: 29)),
            .showChart(chart: "us", date: date(2)),
            .choose(pool: "main", movie: 27205), .chooseItem(pool: "side", item: "b.jpg"),
            .shelf(Shelf(id: "empty", items: [])), .shelf(shelf),
            .page(Page(id: "home", sections: [.init(id: "s", type: "large", title: "", shelf: "home.s")])),
            .programme("sections:\n  - home\n"),
        ]
    }
}

extension CalendarDate {
    fileprivate static var first: CalendarDate {
        guard let date = CalendarDate(year: 2014, month: 1, day: 1) else { preconditionFailure("a valid date") }
        return date
    }
}
