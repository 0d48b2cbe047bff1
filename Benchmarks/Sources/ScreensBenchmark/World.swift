import MarqueeCatalogue
import Measuring

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeScreens
@testable import MarqueeServer
@testable import MarqueeStore
@testable import MarqueeTypes
@testable import MarqueeWire

/// A hub over a generated catalogue, with views that somebody shows.
final class World {
    /// As many as a programme may have, so that a small catalogue gives many different views.
    private static let locales = [
        "en", "ko", "de", "fr", "es", "it", "ja", "nl", "pl", "pt", "ru", "sv", "th", "tr", "vi", "zh",
    ]

    static func programme(of content: GeneratedCatalogue.Content) -> String {
        content == .records ? FilmCatalogue.programme(locales: locales) : programme
    }

    private static let programme = """
        locales: [\(locales.joined(separator: ", "))]
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
              - {id: long, kind: list, windows: [100, 400], source: {movies: {limit: 400}}}
          detail/<movie>:
            title: Movie
            sections:
              - {id: detail, kind: detail, source: detail}
              - {id: credits, kind: credits, source: credits}
          genre/<genre>:
            title: Genre
            sections: [{id: movies, kind: list, source: {movies: {genre: $argument, sort: revenue, limit: 100}}}]
        """

    /// Movies that rise to the top in turn; their details are shown once each.
    private static let risers: UInt64 = 5
    /// The screen of one movie or record.
    private var detail: String { catalogue.content == .records ? FilmCatalogue.type : "detail" }

    let catalogue: GeneratedCatalogue
    let hub: Hub
    private let store: GeneratedStore
    private let library = VersionLibrary()
    private let publications: Publications
    /// What was published last for each variant: what clients hold.
    private var held: [UInt64: UInt64] = [:]
    private var changes = 0
    private var random = Numbers(seed: 7)
    private(set) var views = 0
    /// Of records that have changed: what they are now.
    private var changed: [UInt64: Movie] = [:]

    init(movies: Int, content: GeneratedCatalogue.Content = .movies) throws {
        catalogue = GeneratedCatalogue(movieCount: movies, content: content)
        store = GeneratedStore(catalogue)
        let publications = Publications()
        self.publications = publications
        let types = content == .records ? try TypeSet(FilmCatalogue.types, file: "bench") : nil
        let programme = try Programme.parse(text: Self.programme(of: content), file: "bench", types: types)
        hub = try Hub(
            store: store, library: library, programme: programme, now: 0,
            publish: { publications.last = $0 }, report: { progress($0) })
    }

    // MARK: - Views

    /// Opens views until there are so many, besides the home screen in two locales and the details of the movies that
    /// rise.
    ///
    /// No other view shows a movie that rises, and none shows one of the last quarter.
    func open(views count: Int) throws {
        if held.isEmpty {
            try open("home", locale: "en")
            try open("home", locale: "ko")
            for movie in 1...Self.risers { try open("\(detail)/\(movie)", locale: "en") }
        }
        let first = Int(Self.risers) + 1
        let span = lastQuarter - first
        precondition(count <= span * Self.locales.count, "too few movies for so many views")
        for view in views..<max(views, count) {
            try open("\(detail)/\(first + view % span)", locale: Self.locales[view / span])
        }
        views = max(views, count)
    }

    private func open(_ screen: String, locale: String) throws {
        let request = OpenRequest(screen: screen, locale: locale, parameters: [], user: nil)
        let view = try hub.open(request).get()
        for member in [view.list] + view.sections { held[member.handle] = member.current.version.sum }
    }

    // MARK: - Changes

    enum Change: String, CaseIterable {
        /// A movie of the last quarter jumps to some place of that quarter: nobody shows it.
        case unseen
        /// The fifth movie becomes the first.
        case first
    }

    /// Makes one commit, that the hub takes in with `catchUp`.
    func commit(_ kind: Change) {
        changes += 1
        var update: MovieUpdate
        switch kind {
        case .unseen:
            update = MovieUpdate(id: unseenMovie())
            update.popularity = catalogue.popularity(of: lastQuarterMovie()) + Double(changes) * 1e-6
        case .first:
            update = MovieUpdate(id: Self.risers - UInt64(changes) % Self.risers)
            update.popularity = Double(catalogue.movieCount + changes)
        }
        guard catalogue.content == .records else { return store.commit([.movieUpdate(update)]) }
        let movie = (changed[update.id] ?? catalogue.movie(update.id)).merged(with: update)
        changed[update.id] = movie
        store.commit([FilmCatalogue.put(movie)])
    }

    /// Makes the patches of what was published last, as the first session does that sends them.
    ///
    /// - Returns: how many, and their bytes.
    func makePatches() -> (count: Int, bytes: Int) {
        var made = (count: 0, bytes: 0)
        for (handle, current) in publications.last?.changes ?? [:] {
            guard let base = held.updateValue(current.version.sum, forKey: handle) else { continue }
            let route = library.route(to: current.version, of: handle, from: (base, handle), since: current.since)
            switch route {
            case .patch(let shared), .whole(let shared):
                made.count += 1
                made.bytes += shared.encoded.bytes
            case .lost, .stage: break
            }
        }
        publications.last = nil
        return made
    }

    private var lastQuarter: Int { catalogue.movieCount / 4 * 3 }

    private func lastQuarterMovie() -> UInt64 {
        UInt64(lastQuarter + 1 + random.below(catalogue.movieCount - lastQuarter))
    }

    /// One that no section shows for its revenue or its rating either.
    private func unseenMovie() -> UInt64 {
        while true {
            let id = lastQuarterMovie()
            let movie = catalogue.movie(id)
            if movie.revenue == nil, movie.voteAverage ?? 0 < 5 { return id }
        }
    }
}

/// What the hub published last.
private final class Publications {
    var last: Publication?
}
