import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore

/// A folder with input files, removed when the test ends.
final class ImportFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "marquee-import-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) throws -> String { try file(name, Data(text.utf8)) }

    func file(_ name: String, _ data: Data) throws -> String {
        let file = "\(path)/\(name)"
        try data.write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// Rows in TMDB-5000's format.
enum TMDBText {
    static let movieHeader =
        "budget,genres,homepage,id,keywords,original_language,original_title,overview,popularity,"
        + "production_companies,production_countries,release_date,revenue,runtime,spoken_languages,status,tagline,"
        + "title,vote_average,vote_count\n"
    static let creditsHeader = "movie_id,title,cast,crew\n"
    static let certificationHeader = "movie_id,certification\n"

    /// One row of the movies file. Every value is quoted.
    static func movie(
        id: String = "27205", title: String = "Inception", genres: String = "[]", countries: String = "[]",
        date: String = "2010-07-14", runtime: String = "148.0", revenue: String = "825532764",
        popularity: String = "167.58371", overview: String = "Cobb, a skilled thief.", tagline: String = "",
        voteCount: String = "13752"
    ) -> String {
        row([
            "160000000", genres, "", id, "[]", "en", title, overview, popularity, "[]", countries, date, revenue,
            runtime, "[]", "Released", tagline, title, "8.1", voteCount,
        ])
    }

    static func credits(id: String = "27205", cast: String = "[]", crew: String = "[]") -> String {
        row([id, "Inception", cast, crew])
    }

    static func row(_ values: [String]) -> String {
        values.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
    }
}
