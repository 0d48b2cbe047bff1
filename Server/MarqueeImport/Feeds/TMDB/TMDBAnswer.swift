import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeTypes

/// A part of TMDB that one request asks for.
enum TMDBPart: Hashable, Sendable {
    /// Where images are.
    case configuration
    /// The names of genres.
    case genres(locale: String)
    case list(TMDBFeed.List, page: Int)
    /// The details of a movie; in the first locale with those who made it.
    case movie(UInt64, locale: String)

    var isMovie: Bool { if case .movie = self { true } else { false } }

    func address(in feed: TMDBFeed) throws(FeedAddress.Mistake) -> FeedAddress {
        func at(_ path: String, _ parameters: [(String, String?)]) throws(FeedAddress.Mistake) -> FeedAddress {
            var address = try FeedAddress(feed.address.text + path)
            for (name, value) in parameters {
                if let value { address = try address.with(name, value) }
            }
            return address
        }
        switch self {
        case .configuration: return try at("/configuration", [])
        case .genres(let locale): return try at("/genre/movie/list", [("language", locale)])
        case .list(let list, let page):
            return try at(
                "/movie/\(list.rawValue)",
                [("language", feed.locales.first), ("page", "\(page)"), ("region", feed.region)])
        case .movie(let id, let locale):
            let more = locale == feed.locales.first ? "credits,release_dates" : nil
            return try at("/movie/\(id)", [("language", locale), ("append_to_response", more)])
        }
    }
}

/// The content of an answer, as far as rows are made of it.
enum TMDBAnswer: Hashable, Sendable {
    case configuration(TMDBImages)
    case genres([UInt64: String])
    case page(movies: [TMDBMovie], total: Int)
    case movie(TMDBMovie)

    /// - Throws: when it isn't what was asked for, such as a document that was cut off.
    init(_ bytes: [UInt8], to part: TMDBPart) throws(BadRow) {
        let document: JSONValue
        do throws(RecordError) {
            document = try JSONValue(parsing: Array(bytes.withoutByteOrderMark), atMost: TMDBFeed.answerBytes).composed
        } catch {
            throw BadRow(error.reason)
        }
        switch part {
        case .configuration: self = .configuration(try TMDBImages(document))
        case .genres:
            guard let genres = try document.list("genres") else { throw BadRow("'genres' is missing") }
            var names: [UInt64: String] = [:]
            for genre in genres {
                guard let id: UInt64 = try genre.whole("id") else { throw BadRow("the id of a genre is missing") }
                if let name = try genre.text("name").flatMap(Field.text) { names[id] = name }
            }
            self = .genres(names)
        case .list:
            guard let results = try document.list("results") else { throw BadRow("'results' is missing") }
            var movies: [TMDBMovie] = []
            for result in results { movies.append(try TMDBMovie(result)) }
            self = .page(movies: movies, total: try document.whole("total_pages") ?? 1)
        case .movie(let id, _):
            let movie = try TMDBMovie(document)
            guard movie.id == id else { throw BadRow("it is about the movie \(movie.id)") }
            self = .movie(movie)
        }
    }
}

/// The addresses of images, which answers name by a path.
struct TMDBImages: Hashable, Sendable {
    private let base: String
    private let poster: String
    private let backdrop: String
    private let profile: String

    init(_ document: JSONValue) throws(BadRow) {
        guard let images = document.member("images"),
            let base = try images.text("secure_base_url").flatMap(Field.text)
        else { throw BadRow("'images.secure_base_url' is missing") }
        func size(_ name: String, _ wanted: String) throws(BadRow) -> String {
            let sizes = (try images.list(name) ?? []).compactMap { if case .text(let text) = $0 { text } else { nil } }
            return sizes.contains(wanted) ? wanted : "original"
        }
        self.base = base.hasSuffix("/") ? base : base + "/"
        poster = try size("poster_sizes", "w500")
        backdrop = try size("backdrop_sizes", "w780")
        profile = try size("profile_sizes", "w185")
    }

    func poster(_ path: String?) -> ImageReference? { image(path, poster, aspect: 2.0 / 3) }
    func backdrop(_ path: String?) -> ImageReference? { image(path, backdrop, aspect: 16.0 / 9) }
    func profile(_ path: String?) -> ImageReference? { image(path, profile, aspect: 2.0 / 3) }

    private func image(_ path: String?, _ size: String, aspect: Double) -> ImageReference? {
        path.map { ImageReference(name: base + size + ($0.hasPrefix("/") ? $0 : "/" + $0), aspect: aspect) }
    }
}

/// The fields of a movie in an answer. In a list's page there are fewer than in the details.
struct TMDBMovie: Hashable, Sendable {
    struct Person: Hashable, Sendable {
        var id: UInt64
        var name: String
        var popularity: Double?
        var profile: String?
    }

    /// The most members of a cast, in billing order, and of a crew's directors.
    static let people = 200

    var id: UInt64
    var title: String?
    var originalTitle: String?
    var originalLanguage: String?
    var date: CalendarDate?
    var runtime: UInt32?
    var genres: [UInt64]?
    var countries: [String]?
    var popularity: Double?
    var revenue: UInt64?
    var voteAverage: Double?
    var voteCount: UInt32?
    var tagline: String?
    var overview: String?
    var poster: String?
    var backdrop: String?
    /// Of the United States.
    var certificate: String?
    /// `nil` if it isn't said.
    var credits: Credits?
    var people: [Person] = []

    /// Empty texts, and numbers that TMDB writes for what it doesn't know, are absent.
    init(_ document: JSONValue) throws(BadRow) {
        guard let id: UInt64 = try document.whole("id"), id > 0 else { throw BadRow("the id of a movie is missing") }
        self.id = id
        do throws(BadRow) { try read(document) } catch { throw BadRow("movie \(id): \(error.reason)") }
    }

    private mutating func read(_ document: JSONValue) throws(BadRow) {
        func text(_ name: String) throws(BadRow) -> String? { try document.text(name).flatMap(Field.text) }
        (title, originalTitle) = (try text("title"), try text("original_title"))
        (originalLanguage, tagline, overview) = (
            try text("original_language"), try text("tagline"), try text("overview")
        )
        (poster, backdrop) = (try text("poster_path"), try text("backdrop_path"))
        date = try text("release_date").flatMap { CalendarDate($0) }
        let minutes: UInt32? = try document.whole("runtime")
        let dollars: UInt64? = try document.whole("revenue")
        (runtime, revenue) = (minutes == 0 ? nil : minutes, dollars == 0 ? nil : dollars)
        popularity = try document.real("popularity")
        (voteAverage, voteCount) = (try document.real("vote_average"), try document.whole("vote_count"))
        if let ids = try document.list("genre_ids") {
            genres = try Self.elements(ids) { (value) throws(BadRow) in
                try JSONValue.object(["id": value]).whole("id")
            }
        } else if let list = try document.list("genres") {
            genres = try Self.elements(list) { (genre) throws(BadRow) in try genre.whole("id") }
        }
        countries = try document.list("production_countries").map { (list) throws(BadRow) in
            try Self.elements(list) { (country) throws(BadRow) in try country.text("iso_3166_1").flatMap(Field.text) }
        }
        if let dates = document.member("release_dates") { certificate = try Self.certificate(dates) }
        if let credits = document.member("credits") { try read(credits: credits) }
    }

    private static func elements<Element>(
        _ list: [JSONValue], _ read: (JSONValue) throws(BadRow) -> Element?
    ) throws(BadRow) -> [Element] {
        var elements: [Element] = []
        for value in list { if let element = try read(value) { elements.append(element) } }
        return elements
    }

    private static func certificate(_ dates: JSONValue) throws(BadRow) -> String? {
        for country in try dates.list("results") ?? [] where try country.text("iso_3166_1") == "US" {
            for date in try country.list("release_dates") ?? [] {
                if let code = try date.text("certification").flatMap(Field.text) { return code }
            }
        }
        return nil
    }

    private mutating func read(credits: JSONValue) throws(BadRow) {
        var seen: Set<UInt64> = []
        var people: [Person] = []
        func person(_ entry: JSONValue) throws(BadRow) -> Person? {
            guard let id: UInt64 = try entry.whole("id"), id > 0, let name = try entry.text("name").flatMap(Field.text)
            else { return nil }
            let person = Person(
                id: id, name: name, popularity: try entry.real("popularity"),
                profile: try entry.text("profile_path").flatMap(Field.text))
            if seen.insert(id).inserted { people.append(person) }
            return person
        }
        var billed: [(order: Int, member: JSONValue)] = []
        for (index, member) in (try credits.list("cast") ?? []).enumerated() {
            billed.append((try member.whole("order") ?? index, member))
        }
        billed.sort { $0.order < $1.order }
        var cast: [Credits.Cast] = []
        for (_, member) in billed.prefix(Self.people) {
            guard let person = try person(member) else { continue }
            cast.append(
                Credits.Cast(
                    person: person.id, name: person.name, character: try member.text("character").flatMap(Field.text)))
        }
        var directors: [Credits.Crew] = []
        for member in try credits.list("crew") ?? [] where try member.text("job") == "Director" {
            guard directors.count < Self.people, let person = try person(member) else { continue }
            directors.append(
                Credits.Crew(
                    person: person.id, name: person.name, job: "Director", department: try member.text("department")))
        }
        self.credits = Credits(movie: id, cast: cast, crew: directors)
        self.people = people
    }

    /// The same movie, with what this doesn't say as another has it.
    func completed(by other: TMDBMovie?) -> TMDBMovie {
        guard let other else { return self }
        var movie = self
        movie.title = title ?? other.title
        movie.originalTitle = originalTitle ?? other.originalTitle
        movie.originalLanguage = originalLanguage ?? other.originalLanguage
        movie.date = date ?? other.date
        movie.genres = genres ?? other.genres
        movie.popularity = popularity ?? other.popularity
        movie.voteAverage = voteAverage ?? other.voteAverage
        movie.voteCount = voteCount ?? other.voteCount
        movie.overview = overview ?? other.overview
        movie.poster = poster ?? other.poster
        movie.backdrop = backdrop ?? other.backdrop
        return movie
    }
}
