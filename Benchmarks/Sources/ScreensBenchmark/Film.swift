import MarqueeModel

/// A made-up film, the content of one record.
struct Film {
    let id: UInt64
    var title: String
    /// By locale.
    var titles: [String: String]
    var originalLanguage: String
    var releaseDate: CalendarDate?
    /// Minutes.
    var runtime: Int
    var genres: [UInt64]
    var countries: [String]
    var popularity: Double
    /// US dollars; `nil` if unknown.
    var revenue: UInt64?
    var voteAverage: Double
    var voteCount: Int
    var overview: String
    /// By country.
    var certifications: [String: String]
    var poster: ImageReference
    var backdrop: ImageReference

    /// The record's bytes; for their fields see `FilmCatalogue.types`.
    var bytes: [UInt8] {
        var film = FilmBytes()
        film.text(1, "\(id)")
        film.text(2, title)
        film.map(3, titles)
        film.text(4, originalLanguage)
        film.text(5, releaseDate?.description ?? "")
        film.number(6, UInt64(runtime))
        film.numbers(7, genres)
        for country in countries { film.text(8, country) }
        film.double(9, popularity)
        film.number(10, revenue ?? 0)
        film.double(11, voteAverage)
        film.number(12, UInt64(voteCount))
        film.text(13, overview)
        film.map(14, certifications)
        for (field, image) in [(15, poster), (16, backdrop)] as [(UInt64, ImageReference)] {
            film.message(field) { message in
                message.text(1, image.name)
                message.double(2, image.aspect ?? 0)
                message.text(3, image.color ?? "")
            }
        }
        // Without spare capacity, as what a store reads has none.
        return film.bytes.withUnsafeBufferPointer { Array($0) }
    }
}
