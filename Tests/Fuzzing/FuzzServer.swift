import Foundation
import HubSupport
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTypes
import MarqueeWire

/// A server without sockets, threads and a clock: a hub over a small catalogue of podcasts, and one loop of sessions.
/// Jobs and publications that would be passed between threads wait here until they are asked for.
///
/// Unchecked because one thread uses it.
final class FuzzServer: @unchecked Sendable {
    /// The user of everybody who names none.
    static let user = "ana"

    let store: MemoryStore
    let library = VersionLibrary()
    private let positions = Positions()
    let loop: LoopSessions
    let settings: SessionSettings
    private(set) var now: UInt64 = 0
    private var opened: Hub?
    private var hubJobs: [() -> Void] = []
    private var publications: [Publication] = []

    init() {
        store = PodcastWorld.copy()
        settings = SessionSettings(cluster: store.cluster, node: "n", agent: "fuzz", locales: ["en"])
        loop = LoopSessions(library: library, settings: settings)
        opened = Hub(
            screens: PodcastWorld.read, library: library, positions: positions, now: now,
            publish: { [unowned self] in publications.append($0) }, report: { _ in })
        loop.published(Publication(catalogueRevision: hub.catalogueRevision, changes: [:]))
        deliver()
    }

    var hub: Hub {
        guard let opened else { fatalError("the hub is made in init") }
        return opened
    }

    /// Returns the position that a welcome names.
    func position(of user: String?) -> Cut {
        Self.reading { () throws(StoreError) in try positions.cut(for: user, in: store) }
    }

    // MARK: - Work

    func onHub(_ job: @escaping () -> Void) { hubJobs.append(job) }

    /// The hub's thread does one thing.
    func runHubJob() { if !hubJobs.isEmpty { hubJobs.removeFirst()() } }

    /// Everything that was published arrives.
    func deliver() {
        for publication in publications { loop.published(publication) }
        publications.removeAll()
        while !loop.deliver(while: { true }) {}
    }

    func settle() {
        while !hubJobs.isEmpty { runHubJob() }
        deliver()
    }

    func advance(by milliseconds: UInt64) {
        now += milliseconds
        hub.tick(now: now)
    }

    // MARK: - Writes

    /// Commits changes, of which the hub learns later.
    func commit(_ changes: [Change], mutation: MutationID? = nil) -> Result<StoreOutcome, StoreError> {
        let write = StoreWrite.catalogue(key: nil, changes: changes, mutation: mutation)
        let outcome = Self.reading { () throws(StoreError) in try store.write([write])[0] }
        onHub { [unowned self] in Self.reading { () throws(StoreError) in try hub.catchUp(from: store) } }
        return .success(outcome)
    }

    func write(_ change: MemberChange, user: String, mutation: MutationID) -> Result<StoreOutcome, StoreError> {
        let write = StoreWrite.member(user: user, change, mutation: mutation)
        let outcome = Self.reading { () throws(StoreError) in try store.write([write])[0] }
        if let (user, move) = write.memberMove(outcome) {
            onHub { [unowned self] in
                Self.reading { () throws(StoreError) in try hub.userChanged(user, moves: [move], reading: store) }
            }
        }
        return .success(outcome)
    }

    /// The store is in memory, so nothing can keep it from answering.
    static func reading<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> Value {
        do { return try body() } catch { fatalError("\(error)") }
    }
}

/// The catalogue that fuzzed servers begin with.
enum PodcastWorld {
    static let types = TypesDocument(
        declarations: FuzzServer.reading { try RepositoryFiles.text("Samples/podcasts/types.yaml") },
        descriptors: FuzzServer.reading { try RepositoryFiles.bytes("Samples/podcasts/podcast.desc") })

    static let typeSet = FuzzServer.reading { () throws(FileMistakes) in try TypeSet(types, file: "types.yaml") }

    static let programme = FuzzServer.reading { () throws(FileMistakes) in
        try Programme.parse(text: programmeText, file: "programme.yaml", types: typeSet)
    }

    static let programmeText = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - id: new
                kind: list
                windows: [2, 20]
                sorts: [{id: -published, title: Newest}, {id: title, title: By title}]
                source: {records: {type: episode, where: {minutes: {below: 60}}, limit: 20}}
                body: {card: {title: $title, subtitle: "$plays plays"}}
              - id: shows
                kind: list
                source: {records: {type: show, sort: -followers, limit: 3}}
                body: {card: {title: $title}}
              - id: favorites
                kind: favorites
                source: favorites
          show/$id:
            title: $title
            sections:
              - {id: show, kind: detail, source: {record: {type: show, id: $id}}, body: {card: {title: $title}}}
              - id: episodes
                kind: list
                source: {records: {type: episode, where: {show: $id}, sort: -plays, limit: 5}}
                body: {card: {title: $title}}
        """

    static let store: MemoryStore = {
        let store = MemoryStore(seed: 1, clock: { 0 })
        let records = (0..<3).map(show) + (0..<6).map { episode($0, plays: $0 * 100) }
        let outcome = FuzzServer.reading { () throws(StoreError) in
            try store.write([.catalogue(key: nil, changes: [.types(types)] + records, mutation: nil)])
        }
        guard case .done? = outcome.first else { fatalError("\(outcome)") }
        return store
    }()

    /// A store with the same content and the same epochs each time.
    static func copy() -> MemoryStore {
        FuzzServer.reading { () throws(StoreError) in try MemoryStore(restoring: store, seed: 2) }
    }

    /// The screens that a hub reads of a copy. Types and programme take far longer to read than most inputs to run.
    static let read = FuzzServer.reading { () throws(StoreError) in
        try Screens(store: copy(), programmeFallback: programme)
    }

    static func show(_ number: Int) -> Change {
        .put(
            RecordID(type: "show", id: "s\(number)"),
            .json(
                .object([
                    "slug": .text("s\(number)"), "title": .object(["en": .text("Show \(number)")]),
                    "followers": .number("\(number * 10)"),
                ])))
    }

    static func episode(_ number: Int, plays: Int) -> Change {
        .put(
            RecordID(type: "episode", id: "e\(number)"),
            .json(
                .object([
                    "guid": .text("e\(number)"), "show": .text("s\(number % 3)"),
                    "title": .object(["en": .text("Episode \(number)")]), "plays": .number("\(plays)"),
                    "minutes": .number("\(30 + number)"), "published": .text("2026-01-1\(number)T06:00:00Z"),
                ])))
    }

    /// A change that an editor might make.
    /// - Parameter choice: which one.
    static func change(_ choice: UInt8) -> Change {
        let number = Int(choice >> 3) % 8
        switch choice & 7 {
        case 0, 1, 2: return episode(number, plays: Int(choice))
        case 3: return show(number % 4)
        case 4: return .remove(RecordID(type: "episode", id: "e\(number)"))
        case 5: return .remove(RecordID(type: "show", id: "s\(number % 3)"))
        case 6: return .programme(programmeText.replacing("limit: 20", with: "limit: \(number + 1)"))
        default: return .programme(programmeText)
        }
    }

    static let screens = [
        "home", "show/s0", "show/s1", "show/none", ScreenID.collectionSet.name, "home/x", "",
    ]
}
