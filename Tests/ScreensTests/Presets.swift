import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// The preset types and programme, and a small catalogue of them.
enum Presets {
    static func types() throws -> RecordTypes {
        let document = PresetCatalogue.types
        return try RecordTypes(document.declarations, descriptors: document.descriptors)
    }

    static let inception: UInt64 = 27205

    /// Eight of the twelve genres that the programme shows, and movies of these genres, one of them with every field.
    static var changes: [Change] {
        get throws {
            let genres: [Genre] = [
                Genre(id: 28, names: ["en": "Action", "ko": "액션"]), Genre(id: 18, names: ["en": "Drama"]),
                Genre(id: 35, names: ["en": "Comedy"]), Genre(id: 16, names: ["en": "Animation"]),
                Genre(id: 99, names: ["en": "Documentary"]), Genre(id: 36, names: ["en": "History"]),
                Genre(id: 14, names: ["en": "Fantasy"]), Genre(id: 37, names: ["en": "Western"]),
            ]
            let movies = (1...12 as ClosedRange<UInt64>).map { id in
                var movie = Movie(
                    id, genres: [genres[Int(id) % 4].id], popularity: Double(id), released: "20\(9 + id)-01-01",
                    revenue: id % 5 * 100, rating: Double(id % 7))
                movie.backdrop = ImageReference(name: "\(id).jpg")
                return movie
            }
            var inception = Movie(
                inception, "Inception", genres: [28, 18], popularity: 90, released: "2010-07-14", revenue: 150,
                rating: 8)
            inception.titles = ["ko": "인셉션"]
            inception.countries = ["US", "GB"]
            inception.runtime = 148
            let credits = Credits(
                movie: inception.id, cast: [Credits.Cast(person: 2, name: "Leo", character: "Cobb")],
                crew: [Credits.Crew(person: 1, name: "Christopher Nolan", job: "Director", department: nil)])
            var day = try ChartDay(
                chart: "boxoffice", date: #require(CalendarDate("2014-01-02")),
                entries: ["a", "b"].map { ChartDay.Entry(key: $0, title: $0) })
            day.entries[0].movie = inception.id
            return genres.map(\.change) + (movies + [inception]).map(\.change)
                + [credits.change, Person(id: 2, name: "Leo").change, day.change, .show(chart: day.chart, day.step)]
        }
    }
}

extension RecordTypes {
    /// The changes as the log holds them.
    func logged(_ changes: [Change]) throws -> [Change] {
        var journal = RecordJournal(self)
        return try changes.map { try journal.logged($0) }
    }
}

extension Screens {
    /// Screens of the preset types.
    init(presets changes: [Change], programme: String = PresetCatalogue.programme) throws {
        let types = try Presets.types()
        try self.init(types.logged(changes), types: types, programme: programme)
    }
}

extension Movie {
    init(
        _ id: UInt64, _ title: String? = nil, genres: [UInt64] = [], popularity: Double? = nil,
        released: String? = nil, revenue: UInt64? = nil, rating: Double? = nil
    ) {
        self.init(id: id, title: title ?? "Movie \(id)")
        self.genres = genres
        self.popularity = popularity
        self.releaseDate = released.flatMap { CalendarDate($0) }
        self.revenue = revenue
        self.voteAverage = rating
    }
}
