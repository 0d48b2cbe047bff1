import MarqueeCatalogue
@testable import MarqueeModel

/// A catalogue of any size that is the same everywhere: each record follows from its number alone.
struct GeneratedCatalogue: Sendable {
    static let genres: [UInt64] = [
        28, 12, 16, 35, 80, 99, 18, 10751, 14, 36, 27, 10402, 9648, 10749, 878, 53, 10752, 37, 10770,
    ]
    /// Cast of each movie.
    private static let cast = 4
    /// Movies for each person.
    private static let moviesPerPerson = 5
    private static let words = [
        "silent", "river", "winter", "crown", "letter", "garden", "shadow", "summer", "north", "mirror", "stone",
        "paper",
        "night", "harbour", "golden", "empty", "second", "last", "hidden", "road",
    ]
    // Joining words is slow: making a catalogue up should cost less than taking it in.
    private static let pairs = words.flatMap { first in words.map { "\(first) \($0)" } }
    private static let sentences = (0..<64).map { number in
        var random = Numbers(seed: UInt64(number) &+ 1 << 60)
        return title(&random) + " " + title(&random)
    }
    private static let syllables = ["바람", "하늘", "기억", "여름", "도시", "그림자", "편지", "강", "밤", "왕"]

    let movieCount: Int
    var content = Content.movies

    enum Content: String {
        /// With credits and people.
        case movies
        /// Without.
        case bare
        /// Each movie as a record of an operator's own type.
        case records
    }

    /// Everything, one after the other.
    func forEach(_ receive: (Change) -> Void) {
        if content == .records {
            receive(.types(FilmCatalogue.types))
            for id in 1...UInt64(movieCount) { receive(FilmCatalogue.put(movie(id))) }
            return
        }
        for genre in Self.genres {
            receive(.genre(Genre(id: genre, names: ["en": "Genre \(genre)", "ko": "장르 \(genre)"])))
        }
        for id in 1...UInt64(movieCount) { receive(.movie(movie(id))) }
        guard content == .movies else { return }
        for id in 1...UInt64(max(1, movieCount / Self.moviesPerPerson)) { receive(.person(person(id))) }
        for id in 1...UInt64(movieCount) { receive(.credits(credits(of: id))) }
    }

    /// Falls with the number, so that it is known who stands where.
    func popularity(of id: UInt64) -> Double { Double(movieCount) - Double(id) + 0.25 }

    func movie(_ id: UInt64) -> Movie {
        var random = Numbers(seed: id)
        var movie = Movie(id: id, title: Self.title(&random))
        movie.originalLanguage = "en"
        movie.titles = ["ko": "\(random.element(Self.syllables)) \(random.element(Self.syllables))"]
        movie.releaseDate = CalendarDate(
            year: 1950 + random.below(75), month: 1 + random.below(12), day: 1 + random.below(28))
        movie.runtime = UInt32(80 + random.below(80))
        movie.genres = (0..<1 + random.below(4)).map { _ in random.element(Self.genres) }
        movie.countries = ["US"]
        movie.popularity = popularity(of: id)
        movie.revenue = random.below(10) < 6 ? UInt64(random.below(1_000_000_000)) : nil
        movie.voteAverage = Double(random.below(100)) / 10
        movie.voteCount = UInt32(random.below(30_000))
        movie.overview = (0..<6).reduce(into: "") { text, _ in
            text += random.element(Self.sentences)
            text += ". "
        }
        movie.certifications = random.below(2) == 0 ? ["US": "PG-13"] : nil
        movie.poster = ImageReference(name: "/poster-of-generated-\(id).jpg", aspect: 0.667, color: "#1d2a3f")
        movie.backdrop = ImageReference(name: "/backdrop-of-generated-\(id).jpg", aspect: 1.778, color: "#3f2a1d")
        return movie
    }

    private func person(_ id: UInt64) -> Person {
        var random = Numbers(seed: id &+ 1 << 40)
        var person = Person(id: id, name: Self.title(&random))
        person.popularity = Double(random.below(10_000)) / 100
        person.portrait = ImageReference(name: "/portrait-of-generated-\(id).jpg", aspect: 0.667)
        return person
    }

    private func credits(of id: UInt64) -> Credits {
        var random = Numbers(seed: id &+ 1 << 50)
        func person() -> UInt64 { 1 + UInt64(random.below(max(1, movieCount / Self.moviesPerPerson))) }
        let cast = (0..<Self.cast).map { _ in
            Credits.Cast(person: person(), name: Self.title(&random), character: random.element(Self.words))
        }
        let crew = [
            Credits.Crew(person: person(), name: Self.title(&random), job: "Director", department: "Directing"),
            Credits.Crew(person: person(), name: Self.title(&random), job: "Editor", department: "Editing"),
        ]
        return Credits(movie: id, cast: cast, crew: crew)
    }

    private static func title(_ random: inout Numbers) -> String {
        var title = random.element(pairs)
        title += " "
        title += random.element(words)
        return title
    }
}

/// SplitMix64.
struct Numbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func element<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
