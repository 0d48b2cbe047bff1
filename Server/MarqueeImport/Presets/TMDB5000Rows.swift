import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore

/// The columns of the TMDB-5000 files, and how to read their rows.
enum TMDB5000Rows {
    static let movieColumns = [
        "id", "title", "original_title", "original_language", "release_date", "runtime", "genres",
        "production_countries", "popularity", "revenue", "vote_average", "vote_count", "tagline", "overview",
    ]
    static let creditsColumns = ["movie_id", "cast", "crew"]
    static let certificationColumns = ["movie_id", "certification"]

    struct NamedGenre: Decodable {
        var id: UInt64
        var name: String
    }
    private struct Country: Decodable { var iso_3166_1: String }
    private struct CastEntry: Decodable {
        var id: UInt64
        var name: String
        var character: String?
    }
    private struct CrewEntry: Decodable {
        var id: UInt64
        var name: String
        var job: String
        var department: String?
    }

    /// A movie and the genres it names, from the values of `movieColumns`.
    static func movie(_ values: [String]) throws(BadRow) -> (movie: Movie, genres: [NamedGenre]) {
        var movie = Movie(id: try Field.id(values[0], "id"), title: values[1])
        movie.originalTitle = Field.text(values[2])
        movie.originalLanguage = Field.text(values[3])
        movie.releaseDate = try Field.date(values[4], "release_date")
        movie.runtime = try runtime(values[5])
        let genres = try json([NamedGenre].self, values[6], "genres")
        movie.genres = genres.isEmpty ? nil : genres.map(\.id)
        let countries = try json([Country].self, values[7], "production_countries").map(\.iso_3166_1)
        movie.countries = countries.isEmpty ? nil : countries
        movie.popularity = try Field.decimal(values[8], "popularity")
        // The data set writes 0 for an unknown revenue.
        let revenue = try Field.number(values[9], "revenue") as UInt64?
        movie.revenue = revenue == 0 ? nil : revenue
        movie.voteAverage = try Field.decimal(values[10], "vote_average")
        movie.voteCount = try Field.number(values[11], "vote_count")
        movie.tagline = Field.text(values[12])
        movie.overview = Field.text(values[13])
        return (movie, genres)
    }

    /// A movie's credits, from the values of `creditsColumns`. The cast is in billing order.
    static func credits(_ values: [String]) throws(BadRow) -> Credits {
        let cast = try json([CastEntry].self, values[1], "cast")
        let crew = try json([CrewEntry].self, values[2], "crew")
        return Credits(
            movie: try Field.id(values[0], "movie_id"),
            cast: cast.map { Credits.Cast(person: $0.id, name: $0.name, character: $0.character.flatMap(Field.text)) },
            crew: crew.map {
                Credits.Crew(
                    person: $0.id, name: $0.name, job: $0.job, department: $0.department.flatMap(Field.text))
            })
    }

    /// Written as a decimal, such as `162.0`; 0 means unknown.
    private static func runtime(_ text: String) throws(BadRow) -> UInt32? {
        guard let minutes = try Field.decimal(text, "runtime") else { return nil }
        guard let whole = UInt32(exactly: minutes.rounded()) else { throw BadRow("runtime: '\(text)' is not a time") }
        return whole == 0 ? nil : whole
    }

    private static func json<Value: Decodable>(
        _ type: Value.Type, _ text: String, _ column: String
    ) throws(BadRow) -> Value {
        do throws(DocumentError) {
            // The data set's objects have fields that we don't need.
            return try JSONDocument.decode(type, from: Data(text.utf8), unknownFields: .ignored)
        } catch {
            throw BadRow("\(column): \(error)")
        }
    }
}
