import Measuring

@testable import MarqueeCatalogue
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

    /// Films that rise to the top in turn; their details are shown once each.
    private static let risers: UInt64 = 5

    let catalogue: GeneratedCatalogue
    let hub: Hub
    private let store: GeneratedStore
    private let library = VersionLibrary()
    private let publications: Publications
    /// The sum of the version published last for each variant, by handle: the one that clients hold.
    private var held: [UInt64: UInt64] = [:]
    private var changes = 0
    private var random = Numbers(seed: 7)
    private(set) var views = 0
    /// Windows on the list of all films, each at a place of its own.
    private(set) var windows = 0
    /// Films that have changed, as they are now.
    private var changed: [UInt64: Film] = [:]

    init(records: Int) throws {
        catalogue = GeneratedCatalogue(filmCount: records)
        store = GeneratedStore(catalogue)
        let publications = Publications()
        self.publications = publications
        hub = try Hub(
            store: store, library: library, programme: try Self.programme(), now: 0,
            publish: { publications.last = $0 }, report: { progress($0) })
    }

    static func programme() throws -> Programme {
        try Programme.parse(
            text: FilmCatalogue.programme(locales: locales), file: "bench",
            types: try TypeSet(FilmCatalogue.types, file: "bench"))
    }

    // MARK: - Views

    /// Opens views until there are so many, besides the home screen in two locales and the details of the films that
    /// rise.
    ///
    /// No other view shows a film that rises, and none shows one of the last quarter.
    func open(views count: Int) throws {
        if held.isEmpty {
            try open("home", locale: "en")
            try open("home", locale: "ko")
            for film in 1...Self.risers { try open("film/\(film)", locale: "en") }
        }
        let first = Int(Self.risers) + 1
        let span = lastQuarter - first
        precondition(count <= span * Self.locales.count, "too few films for so many views")
        for view in views..<max(views, count) {
            try open("film/\(first + view % span)", locale: Self.locales[view / span])
        }
        views = max(views, count)
    }

    private func open(_ screen: String, locale: String) throws {
        let request = OpenRequest(screen: screen, locale: locale, parameters: [], user: nil)
        let view = try hub.open(request).get()
        for member in [view.list] + view.sections { held[member.handle] = member.current.version.sum }
    }

    // MARK: - Windows

    /// The rows of a window: one before its anchor, the anchor, and those after it.
    static let windowRows: UInt32 = 30

    /// Opens windows on the list of all films until there are so many, each around another film, evenly spread.
    func open(windows count: Int) throws {
        for window in windows..<max(windows, count) {
            // A sequence with low discrepancy: the windows are spread, however many follow.
            let share = (Double(window) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            try openWindow(around: 1 + UInt64(share * Double(catalogue.filmCount - 1)))
        }
        windows = max(windows, count)
    }

    private func openWindow(around film: UInt64) throws {
        let view = try window(around: film)
        for member in [view.list] + view.sections { held[member.handle] = member.current.version.sum }
    }

    /// A reader shows a window and goes on.
    func pass(film: UInt64) throws { hub.release(try window(around: film).handles) }

    private func window(around film: UInt64) throws -> OpenedView {
        let place = WindowPlace(item: "film/\(film)", before: 1, after: Self.windowRows - 2)
        let request = OpenRequest(
            screen: "all", locale: "en", parameters: [SectionParameters(section: "all", place: place)], user: nil)
        return try hub.open(request).get()
    }

    // MARK: - Changes

    enum Change: String, CaseIterable {
        /// A film of the last quarter jumps to some place of that quarter: nobody shows it.
        case unseen
        /// The fifth film becomes the first.
        case first
    }

    /// The hub takes in what was committed.
    func catchUp() throws { try hub.follow(try store.commits(after: hub.catalogueRevision, limit: .max)) }

    /// Makes one commit, that the hub takes in with `catchUp`.
    func commit(_ kind: Change) {
        changes += 1
        var film: Film
        switch kind {
        case .unseen:
            film = current(unseenFilm())
            film.popularity = catalogue.popularity(of: lastQuarterFilm()) + Double(changes) * 1e-6
        case .first:
            film = current(Self.risers - UInt64(changes) % Self.risers)
            film.popularity = Double(catalogue.filmCount + changes)
        }
        changed[film.id] = film
        store.commit([FilmCatalogue.put(film)])
    }

    enum WindowChange: String, CaseIterable {
        /// The title of a film that somebody's window shows.
        case title = "title in a window"
        /// The last film becomes the first: the ranks of all the others change.
        case rise = "last becomes first"
        /// A film more, at the end: all windows have another total.
        case addition = "one more"
    }

    func commit(_ kind: WindowChange) {
        changes += 1
        var film: Film
        switch kind {
        case .title:
            // The first window is around the first film.
            film = current(1)
            film.title = "\(catalogue.film(1).title) \(changes)"
        case .rise:
            film = current(UInt64(catalogue.filmCount - changes % (catalogue.filmCount / 4)))
            film.popularity = Double(catalogue.filmCount + changes)
        case .addition:
            film = catalogue.film(UInt64(catalogue.filmCount + changes))
            film.popularity = -Double(changes)
        }
        changed[film.id] = film
        store.commit([FilmCatalogue.put(film)])
    }

    private func current(_ id: UInt64) -> Film { changed[id] ?? catalogue.film(id) }

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

    private var lastQuarter: Int { catalogue.filmCount / 4 * 3 }

    private func lastQuarterFilm() -> UInt64 {
        UInt64(lastQuarter + 1 + random.below(catalogue.filmCount - lastQuarter))
    }

    /// One that no section shows for its revenue or its rating either.
    private func unseenFilm() -> UInt64 {
        while true {
            let id = lastQuarterFilm()
            let film = catalogue.film(id)
            if film.revenue == nil, film.voteAverage < 5 { return id }
        }
    }
}

/// The hub's last publication.
private final class Publications {
    var last: Publication?
}
