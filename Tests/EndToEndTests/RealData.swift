import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueeStore
import SeededRandom

extension RealData {
    /// All movies of TMDB-5000 with their credits and certificates, imported once for all tests.
    static let tmdb5000 = Result {
        let store = MemoryStore()
        _ = try Importer(store: store).tmdb5000(
            movies: path("tmdb5000/tmdb_5000_movies.csv.gz"),
            credits: path("tmdb5000/tmdb_5000_credits.rebuilt.csv.gz"),
            certification: path("tmdb5000/certification.csv"))
        var changes: [Change] = []
        _ = try store.snapshot { changes.append($0) }
        return changes
    }
}
