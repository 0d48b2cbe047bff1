import Foundation
import Logging
import MarqueeCatalogue
import MarqueeClient
import MarqueeImport
import MarqueeModel
import MarqueePresets
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeServer

/// The apps of the samples.
enum SampleName: String {
    case streaming = "a-streaming"
    case boxOffice = "b-box-office"
    case layoutStudy = "c-layout-study"
    case courses = "d-courses"
    case podcasts, conference, league

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Samples")

    func file(_ name: String) -> String { SampleName.folder.appending(path: "\(rawValue)/\(name)").path }

    /// The types of its records.
    func types() throws -> TypeSet {
        let (folder, descriptors) =
            switch self {
            case .podcasts: (rawValue, "podcast.desc")
            case .conference: (rawValue, "conference.desc")
            case .league: (rawValue, "league.desc")
            case .streaming, .boxOffice, .layoutStudy, .courses: ("catalogue", "movies.desc")
            }
        let files = SampleName.folder.appending(path: folder)
        return try TypeSet(
            TypesDocument(
                declarations: String(contentsOf: files.appending(path: "types.yaml"), encoding: .utf8),
                descriptors: [UInt8](Data(contentsOf: files.appending(path: descriptors)))), file: "types.yaml")
    }

    /// Puts the app's types into a store.
    func declare(_ store: any StoreEngine) throws {
        #expect(try Importer(store: store).change(.types(types().document), file: "types.yaml").bad == 0)
    }

    /// Brings the app's own data into a store, as `make run` does.
    func fill(_ store: any StoreEngine) throws {
        try declare(store)
        let importer = Importer(store: store)
        let reports =
            switch self {
            case .streaming: [try importer.plist(file: file("Content.plist"), page: "home")]
            case .boxOffice:
                try ["catalogue", "chart"].map {
                    try importer.ndjson(file: SampleName.folder.appending(path: "catalogue/\($0).ndjson").path)
                }
            case .layoutStudy: [try importer.ndjson(file: file("catalogue.ndjson"))]
            case .courses: [try importer.courses(file: file("home.json"), page: "home", currency: "USD")]
            case .podcasts, .conference, .league: [try importer.ndjson(file: file("catalogue.ndjson"))]
            }
        #expect(reports.allSatisfy { $0.bad == 0 })
    }
}

/// One of the sample apps: its programme and data, a real server on a real socket, and clients whose mirrors it fills.
final class SampleApp {
    let store: any StoreEngine
    let server: MarqueeServer
    let hub: HubSource

    /// - Parameter hasData: `false` for an app with its types and screens and nothing on them.
    init(_ name: SampleName, store: any StoreEngine = MemoryStore(), hasData: Bool = true) async throws {
        self.store = store
        try hasData ? name.fill(store) : name.declare(store)
        let text = try String(contentsOfFile: name.file("programme.yaml"), encoding: .utf8)
        let programme = try Programme.parse(text: text, file: "\(name.rawValue)/programme.yaml", types: name.types())
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = MarqueeServer.Configuration(host: "127.0.0.1", port: 0)
        // All tests share one process and its few threads: whatever they wait for may come late.
        configuration.adjustSettings = { $0.helloTimeoutMilliseconds = 300_000 }
        (server, hub) = try await MarqueeServer.start(
            configuration, store: store, programme: programme, logger: logger)
    }

    func client(user: String? = nil, locale: String = "en") throws -> MarqueeClient {
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: server.summary.port, user: user, locale: locale, mirror: .memory)
        configuration.callTimeout = .seconds(60)
        return MarqueeClient(configuration)
    }

    func commit(_ changes: Change...) async throws { try await commit(changes) }

    /// Returns when the server shows the commit; that it is durable is known earlier.
    func commit(_ changes: [Change]) async throws {
        let outcome = try await hub.committer.commit(.catalogue(key: nil, changes: changes, mutation: nil))
        guard case .done(let revision, _) = outcome else { throw AppTestError("\(outcome)") }
        while hub.revision < revision { try await Task.sleep(for: .milliseconds(1)) }
    }

    func stop() async { await server.drain(grace: .milliseconds(200)) }
}

struct AppTestError: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Runs `body` with an app and a client, then shuts both down.
func withApp(
    _ name: SampleName, user: String? = nil, locale: String = "en", hasData: Bool = true,
    _ body: (SampleApp, MarqueeClient) async throws -> Void
) async throws {
    let app = try await SampleApp(name, hasData: hasData)
    let client = try app.client(user: user, locale: locale)
    do {
        try await body(app, client)
    } catch {
        await client.close()
        await app.stop()
        throw error
    }
    await client.close()
    await app.stop()
}

extension ScreenUpdates.Iterator {
    /// Reads until a live state meets the condition.
    mutating func live(
        where condition: (ScreenUpdate) throws -> Bool = { _ in true }
    ) async throws -> ScreenUpdate {
        while let update = try await next() {
            if update.origin == .live, try condition(update) { return update }
        }
        throw AppTestError("the sequence ended")
    }
}

extension MarqueeClient {
    /// A screen as stored in the mirror once the server has confirmed it.
    ///
    /// - Parameter condition: what it has to meet. A client that comes right after a commit may be sent the state
    ///   before it, and then the one after.
    func shown(_ screen: ScreenID, where condition: (Screen) -> Bool = { _ in true }) async throws -> Screen {
        var updates = self.screen(screen).makeAsyncIterator()
        return try await updates.live { condition($0.screen) }.screen
    }
}

extension Screen {
    /// A section that must exist.
    func section(_ id: String) throws -> ScreenSection {
        guard let section = self[section: id] else {
            throw AppTestError("no section '\(id)' in \(sections.map(\.id))")
        }
        return section
    }
}

extension ScreenSection {
    var ids: [String] { items.map(\.id) }

    var cards: [CardContent] {
        items.compactMap { if case .card(let card) = $0.content { card } else { nil } }
    }

    var movies: [MovieContent] {
        items.compactMap { if case .movie(let movie) = $0.content.preset { movie } else { nil } }
    }

    var banners: [BannerContent] {
        items.compactMap { if case .banner(let banner) = $0.content.preset { banner } else { nil } }
    }

    var courses: [CourseContent] {
        items.compactMap { if case .course(let course) = $0.content.preset { course } else { nil } }
    }

    var places: [PlaceContent] {
        items.compactMap { if case .place(let place) = $0.content.preset { place } else { nil } }
    }

    var genres: [GenreContent] {
        items.compactMap { if case .genre(let genre) = $0.content.preset { genre } else { nil } }
    }

    var credits: [CreditContent] {
        items.compactMap { if case .credit(let credit) = $0.content.preset { credit } else { nil } }
    }
}

extension ScreenChanges {
    /// Whether nothing was inserted, deleted or moved.
    var isInPlace: Bool { batches.isEmpty }
    var movedItems: Int { batches.reduce(0) { $0 + $1.movedItems.count } }
    var insertedItems: Int { batches.reduce(0) { $0 + $1.insertedItems.count } }
    var deletedItems: Int { batches.reduce(0) { $0 + $1.deletedItems.count } }
}
