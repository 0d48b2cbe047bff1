import Foundation
import HubSupport
import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresetRecords
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import Synchronization
import Testing

@testable import MarqueeServer

/// A hub over an in-memory store at revision 4, with its publications.
final class HubWorld {
    /// `message Movie { uint64 id = 1; string title = 2; repeated uint64 genres = 3; uint32 runtime = 4;
    /// string overview = 5; string tagline = 6; }` of the package `hub`: small, as tests make many hubs.
    private static let descriptors = """
        CrABCglodWIucHJvdG8SA2h1YiKVAQoFTW92aWUSDgoCaWQYASABKARSAmlkEhQKBXRpdGxlGAIgASgJUgV0aXRsZRIWCgZn\
        ZW5yZXMYAyADKARSBmdlbnJlcxIYCgdydW50aW1lGAQgASgNUgdydW50aW1lEhoKCG92ZXJ2aWV3GAUgASgJUghvdmVydmll\
        dxIYCgd0YWdsaW5lGAYgASgJUgd0YWdsaW5lYgZwcm90bzM=
        """

    private static let types = TypesDocument(
        declarations: """
            descriptors: hub.desc
            types:
              movie: {message: hub.Movie, id: id, sorts: [title], facets: [genres]}
            """, descriptors: Data(base64Encoded: descriptors).map { [UInt8]($0) } ?? [])

    static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: rank, kind: rank, source: {records: {type: movie, where: {genres: 1}, sort: title, limit: 5}}}
              - {id: basic, kind: basic, source: {records: {type: movie, where: {genres: 2}, sort: title, limit: 5}}}
          detail/$id:
            title: $title
            sections:
              - id: detail
                kind: detail
                source: {record: {type: movie, id: $id}}
                body: {card: {title: $title, subtitle: $tagline, record: true}}
          favorites:
            title: Favorites
            sections: [{id: favorites, kind: favorites, source: favorites}]
        """

    private let written: Programme
    let store: MemoryStore
    /// Counts the sets of favorites that the hub has read.
    let reads: CountingStore
    let library = VersionLibrary()
    let positions = Positions()
    private(set) var publications: [Publication] = []
    private(set) var reports: [String] = []
    private var opened: Hub?
    private var mutation: UInt64 = 0

    init(
        movies: Int = 4, programme: String = HubWorld.programme, limits: StoreLimits = StoreLimits(),
        idleBounds: Hub.IdleBounds = Hub.IdleBounds(), now: UInt64 = 0
    ) throws {
        written = try Self.parse(programme)
        store = MemoryStore(limits: limits)
        reads = CountingStore(store)
        let all = (1...UInt64(movies)).map { movie($0, genre: $0 <= 2 ? 1 : $0 <= 4 ? 2 : 3) }
        try write(.types(Self.types), all[0])
        for change in all[1..<3] { try write(change) }
        _ = try store.write([.catalogue(key: nil, changes: Array(all.dropFirst(3)), mutation: nil)])
        try open(idleBounds, now: now)
    }

    /// Another hub over a store.
    init(store: MemoryStore, programme: String = HubWorld.programme) throws {
        written = try Self.parse(programme)
        self.store = store
        reads = CountingStore(store)
        try open(Hub.IdleBounds(), now: 0)
    }

    static func parse(_ programme: String) throws -> Programme {
        try Programme.parse(
            text: programme, file: "test.yaml", types: TypeSet(types, file: "types.yaml"))
    }

    private func open(_ idleBounds: Hub.IdleBounds, now: UInt64) throws {
        opened = try Hub(
            store: reads, library: library, programme: written, idleBounds: idleBounds, positions: positions, now: now,
            publish: { [unowned self] in publications.append($0) }, report: { [unowned self] in reports.append($0) })
    }

    var hub: Hub {
        guard let opened else { preconditionFailure("the hub is made in init") }
        return opened
    }

    var last: Publication? { publications.last }

    /// Returns the position that a welcome would name.
    func position(of user: String?) -> Cut { (try? positions.cut(for: user, in: reads)) ?? Cut() }

    func movie(_ id: UInt64, genre: UInt64, title: String? = nil) -> Change {
        let record: [String: JSONValue] = [
            "id": .number("\(id)"), "title": .text(title ?? "Movie \(id)"), "genres": .list([.number("\(genre)")]),
        ]
        return .put(.movie(id), .json(.object(record)))
    }

    func write(_ changes: Change...) throws {
        _ = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
    }

    func commit(_ change: Change) throws {
        try write(change)
        try hub.catchUp(from: reads)
    }

    /// Makes one commit of many changes, which the hub applies itself.
    func commit(contentsOf changes: [Change]) throws {
        _ = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
        try hub.catchUp(from: reads)
    }

    func favorite(_ user: String, _ subject: String, on: Bool = true) throws {
        try hub.userChanged(user, moves: [try move(user, subject, on: on)], reading: reads)
    }

    /// Sets many favorites in one commit without telling the hub.
    func favor(_ user: String, _ subjects: [String]) throws {
        let writes = subjects.map { subject in
            mutation += 1
            let id = MutationID(client: [UInt8](repeating: 1, count: 16), number: mutation, answeredThrough: 0)
            return StoreWrite.favorite(user: user, subject: subject, on: true, mutation: id)
        }
        _ = try store.write(writes)
    }

    /// Sets or unsets a favorite without telling the hub.
    func move(_ user: String, _ subject: String, on: Bool) throws -> MemberMove {
        mutation += 1
        let id = MutationID(client: [UInt8](repeating: 1, count: 16), number: mutation, answeredThrough: 0)
        let write = StoreWrite.favorite(user: user, subject: subject, on: on, mutation: id)
        let outcome = try store.write([write])[0]
        return try #require(write.memberMove(outcome)).move
    }

    /// The handles of the variants that the last publication changed.
    var changed: [UInt64]? {
        last.map { last in
            hub.table.variants.filter { last.changes[$0.value.content] != nil }.keys.sorted()
        }
    }

    /// Returns the version of a variant in the last publication.
    func change(_ handle: UInt64?) -> CurrentVersion? { last?.changes[content(handle)] }

    private func content(_ handle: UInt64?) -> UInt64 { handle.flatMap { hub.table.variants[$0]?.content } ?? 0 }

    /// A variant's newest published version.
    func newest(_ handle: UInt64?) -> Version? {
        publications.reversed().lazy.compactMap { $0.changes[self.content(handle)]?.version }.first
    }

    func view(_ screen: String, user: String? = nil) throws -> OpenedView {
        try hub.open(OpenRequest(screen: screen, locale: nil, parameters: [], user: user), reading: reads).get()
    }

    /// Handles by section; that of the list under the empty name.
    func open(_ screen: String, user: String? = nil) throws -> [String: UInt64] {
        let view = try view(screen, user: user)
        return Dictionary(uniqueKeysWithValues: ([view.list] + view.sections).map { ($0.section, $0.handle) })
    }
}

extension Result where Failure == OpenFailure {
    /// Returns the reading that the hub asks for before it answers.
    @discardableResult
    func reading() throws -> UserReading {
        if case .failure(.unread(let reading)) = self { return reading }
        throw Answered(description: "\(self)")
    }
}

/// The hub has answered, or refused to.
struct Answered: Error, CustomStringConvertible { let description: String }

/// Counts how often sets of favorites are read, and fails when told to.
final class CountingStore: ForwardingStore {
    private let current: Mutex<MemoryStore>
    private let reads = Mutex(0)
    private let failure = Mutex<StoreError.Code?>(nil)

    init(_ store: MemoryStore) { current = Mutex(store) }

    var store: MemoryStore { current.withLock { $0 } }

    /// Another one takes its place, as after a failover.
    func replace(by store: MemoryStore) { current.withLock { $0 = store } }

    var count: Int { reads.withLock { $0 } }

    /// Sets the error that it answers with from now on when it is asked about users and clients; `nil` to answer.
    func fails(_ code: StoreError.Code?) { failure.withLock { $0 = code } }

    private func answering() throws(StoreError) -> MemoryStore {
        if let code = failure.withLock({ $0 }) { throw StoreError(code, "the test's store does not answer") }
        return store
    }

    func userHead(_ user: String) throws(StoreError) -> LogHead { try answering().userHead(user) }

    func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        reads.withLock { $0 += 1 }
        return try answering().members(of: user)
    }

    func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? { try answering().lastMutation(of: client) }
}
