@testable import MarqueeModel
@testable import MarqueeScreens
@testable import MarqueeServer
@testable import MarqueeStore

/// A hub over a generated catalogue, with views that somebody shows.
final class World {
    static let programme = """
        locales: [en, ko]
        screens:
          home:
            title: Home
            sections:
              - {id: main, kind: main, source: {pool: {}}}
              - {id: rank, kind: rank, sorts: [popularity, release-date], source: {movies: {limit: 10}}}
              - {id: action, kind: basic, source: {movies: {genre: 28, limit: 20}}}
              - {id: comedy, kind: basic, source: {movies: {genre: 35, limit: 20}}}
              - {id: drama, kind: basic, source: {movies: {genre: 18, limit: 20}}}
              - {id: acclaimed, kind: large, source: {movies: {sort: rating, limit: 20}}}
              - {id: tiles, kind: genres, source: {genres: [28, 99, 16, 35, 36, 10749, 14, 18, 10751, 37, 10752, 9648]}}
              - {id: long, kind: list, windows: [100, 1000], source: {movies: {limit: 1000}}}
          detail/<movie>:
            title: Movie
            sections:
              - {id: detail, kind: detail, source: detail}
              - {id: credits, kind: credits, source: credits}
          genre/<genre>:
            title: Genre
            sections: [{id: movies, kind: list, source: {movies: {genre: $argument, sort: revenue, limit: 100}}}]
        """

    let catalogue: GeneratedCatalogue
    let store: GeneratedStore
    let hub: Hub
    private var lifts = 0

    /// - Parameter views: live views of movies, beside the home screen in both locales.
    init(movies: Int, views: Int, hasCredits: Bool = true) throws {
        catalogue = GeneratedCatalogue(movieCount: movies, hasCredits: hasCredits)
        store = GeneratedStore(catalogue)
        hub = try Hub(
            store: store, library: VersionLibrary(), programme: Programme.parse(text: Self.programme, file: "bench"),
            publish: { _ in }, report: { print($0) })
        try open("home")
        try open("home", locale: "ko")
        for view in 0..<views { try open("detail/\(1 + view % movies)") }
    }

    func open(_ screen: String, locale: String = "en") throws {
        _ = try hub.open(OpenRequest(screen: screen, locale: locale, parameters: [], user: nil)).get()
    }

    enum Change: CaseIterable {
        /// A movie in the middle of all becomes as popular as its neighbour: it moves by a place that nobody shows.
        case outside
        /// The movie at place 5 becomes the first of all.
        case inside
    }

    /// One commit, taken in and published.
    func change(_ kind: Change, step: Int) throws {
        var update: MovieUpdate
        switch kind {
        case .outside:
            let id = UInt64(catalogue.movieCount / 2 + step % (catalogue.movieCount / 4))
            update = MovieUpdate(id: id)
            lifts += 1
            update.popularity = catalogue.popularity(of: id) + 1.5 + Double(lifts) * 1e-6
        case .inside:
            lifts += 1
            update = MovieUpdate(id: UInt64(1 + lifts % 5))
            update.popularity = Double(catalogue.movieCount + lifts)
        }
        store.commit([.movieUpdate(update)])
        try hub.catchUp()
    }
}
