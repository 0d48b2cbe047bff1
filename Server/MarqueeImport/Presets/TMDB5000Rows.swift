import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeTypes

/// The columns of the TMDB-5000 files, and how to read their rows.
enum TMDB5000Rows {
    static let movieColumns = [
        "id", "title", "original_title", "original_language", "release_date", "runtime", "genres",
        "production_countries", "popularity", "revenue", "vote_average", "vote_count", "tagline", "overview",
    ]
    static let creditsColumns = ["movie_id", "cast", "crew"]
    static let certificationColumns = ["movie_id", "certification"]

    struct NamedGenre {
        var id: UInt64
        var name: String
    }

    /// A movie and the genres it names, from the values of `movieColumns`.
    static func movie(_ values: [String]) throws(BadRow) -> (movie: Movie, genres: [NamedGenre]) {
        var movie = Movie(id: try Field.id(values[0], "id"), title: values[1])
        movie.originalTitle = Field.text(values[2])
        movie.originalLanguage = Field.text(values[3])
        movie.releaseDate = try Field.date(values[4], "release_date")
        movie.runtime = try runtime(values[5])
        let genres = try elements(values[6], "genres") { (genre) throws(BadRow) in
            NamedGenre(id: try id(of: genre), name: try genre.requiredText("name"))
        }
        movie.genres = genres.isEmpty ? nil : genres.map(\.id)
        let countries = try elements(values[7], "production_countries") { (country) throws(BadRow) in
            try country.requiredText("iso_3166_1")
        }
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
        let cast = try elements(values[1], "cast") { (entry) throws(BadRow) in
            Credits.Cast(
                person: try id(of: entry), name: try entry.requiredText("name"),
                character: try entry.text("character").flatMap(Field.text))
        }
        let crew = try elements(values[2], "crew") { (entry) throws(BadRow) in
            Credits.Crew(
                person: try id(of: entry), name: try entry.requiredText("name"), job: try entry.requiredText("job"),
                department: try entry.text("department").flatMap(Field.text))
        }
        return Credits(movie: try Field.id(values[0], "movie_id"), cast: cast, crew: crew)
    }

    /// Written as a decimal, such as `162.0`; 0 means unknown.
    private static func runtime(_ text: String) throws(BadRow) -> UInt32? {
        guard let minutes = try Field.decimal(text, "runtime") else { return nil }
        guard let whole = UInt32(exactly: minutes.rounded()) else { throw BadRow("runtime: '\(text)' is not a time") }
        return whole == 0 ? nil : whole
    }

    private static func id(of object: JSONValue) throws(BadRow) -> UInt64 {
        guard let id: UInt64 = try object.whole("id") else { throw BadRow("'id' is missing") }
        return id
    }

    /// The elements of a column that is a JSON list of objects, of which we don't need all members.
    private static func elements<Element>(
        _ text: String, _ column: String, _ read: (JSONValue) throws(BadRow) -> Element
    ) throws(BadRow) -> [Element] {
        do throws(RecordError) {
            guard case .list(let values) = try JSONValue(parsing: Array(text.utf8)) else {
                throw RecordError("a list is expected")
            }
            var elements: [Element] = []
            for (index, value) in values.enumerated() {
                do throws(BadRow) { elements.append(try read(value)) } catch {
                    throw RecordError(path: "[\(index)]", error.reason)
                }
            }
            return elements
        } catch {
            throw BadRow("\(column): \(error)")
        }
    }
}
