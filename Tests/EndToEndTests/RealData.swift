import Foundation
import MarqueeImport
import MarqueeModel
import MarqueeStore
import Testing

/// The folder of real input data, named by `MARQUEE_DATA`.
enum RealData {
    static let folder: String? = ProcessInfo.processInfo.environment["MARQUEE_DATA"].flatMap { $0.isEmpty ? nil : $0 }
    static let isThere = folder != nil
    static let howToSet: Comment = "skipped: MARQUEE_DATA does not name the folder of real data"

    static func path(_ name: String) throws -> String {
        let path = try #require(folder) + "/" + name
        try #require(
            FileManager.default.isReadableFile(atPath: path), "MARQUEE_DATA is set, but \(path) can't be read")
        return path
    }

    /// All movies of TMDB-5000 with their credits and certificates.
    static func importTMDB5000(into store: any StoreEngine) throws -> ImportReport {
        try Importer(store: store).tmdb5000(
            movies: path("tmdb5000/tmdb_5000_movies.csv.gz"),
            credits: path("tmdb5000/tmdb_5000_credits.rebuilt.csv.gz"),
            certification: path("tmdb5000/certification.csv"))
    }
}
