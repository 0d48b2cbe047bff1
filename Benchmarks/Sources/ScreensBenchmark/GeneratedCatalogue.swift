@testable import MarqueeCatalogue
@testable import MarqueeModel

/// A catalogue of films, of any size, that is the same everywhere: each record follows from its number alone.
struct GeneratedCatalogue: Sendable {
    static let genres: [UInt64] = [
        28, 12, 16, 35, 80, 99, 18, 10751, 14, 36, 27, 10402, 9648, 10749, 878, 53, 10752, 37, 10770,
    ]
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

    let filmCount: Int

    /// Everything, one after the other.
    func forEach(_ receive: (Change) -> Void) {
        receive(.types(FilmCatalogue.types))
        for id in 1...UInt64(filmCount) { receive(FilmCatalogue.put(film(id))) }
    }

    /// Falls with the number, so that it is known who stands where.
    func popularity(of id: UInt64) -> Double { Double(filmCount) - Double(id) + 0.25 }

    func film(_ id: UInt64) -> Film {
        // The order of the fields is the order in which numbers are drawn.
        var random = Numbers(seed: id)
        return Film(
            id: id, title: Self.title(&random),
            titles: ["ko": "\(random.element(Self.syllables)) \(random.element(Self.syllables))"],
            originalLanguage: "en",
            releaseDate: CalendarDate(
                year: 1950 + random.below(75), month: 1 + random.below(12), day: 1 + random.below(28)),
            runtime: 80 + random.below(80),
            genres: (0..<1 + random.below(4)).map { _ in random.element(Self.genres) },
            countries: ["US"], popularity: popularity(of: id),
            revenue: random.below(10) < 6 ? UInt64(random.below(1_000_000_000)) : nil,
            voteAverage: Double(random.below(100)) / 10, voteCount: random.below(30_000),
            overview: (0..<6).reduce(into: "") { text, _ in
                text += random.element(Self.sentences)
                text += ". "
            },
            certifications: random.below(2) == 0 ? ["US": "PG-13"] : [:],
            poster: ImageReference(name: "/poster-of-generated-\(id).jpg", aspect: 0.667, color: "#1d2a3f"),
            backdrop: ImageReference(name: "/backdrop-of-generated-\(id).jpg", aspect: 1.778, color: "#3f2a1d"))
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
