import HubSupport
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeServer

/// The parts of users' logs that the hub has to know are read by others, and given to it later.
@Suite struct UserReadingTests {
    private static let favorites = OpenRequest(screen: "favorites", locale: nil, parameters: [], user: "ana")

    private func subjects(_ view: OpenedView) -> [String] { view.sections[0].current.version.items.map(\.id) }

    @Test func `A screen with collections opens once they have been read, and others wait for nothing`() throws {
        let world = try HubWorld()
        _ = try world.move("ana", "movie/1", on: true)
        let reading = try world.hub.open(Self.favorites).reading()
        #expect(world.reads.count == 0, "the hub reads nothing itself")
        // Meanwhile it does other work.
        let home = OpenRequest(screen: "home", locale: nil, parameters: [], user: "ana")
        let other = try world.hub.open(home).get()
        #expect(other.cut.userEpoch == 0 && other.sections.count == 2)
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.last?.catalogueRevision == 5)

        let view = try world.hub.open(Self.favorites, with: try reading.read(from: world.reads)).get()
        #expect(subjects(view) == ["movie/1"])
        #expect(view.cut.userRevision == 1 && view.cut.catalogueRevision == 5)
        #expect(world.reads.count == 1)
        // They are known now.
        #expect(throws: Never.self) { try world.hub.get(Self.favorites).get() }
        #expect(throws: Never.self) { try world.hub.plan(Self.favorites).get() }
    }

    @Test func `A reading from before a published move is repeated`() throws {
        let world = try HubWorld()
        let old = try world.hub.open(Self.favorites).reading().read(from: world.reads)
        try world.favorite("ana", "movie/1")
        #expect(world.last?.users["ana"] == 1)
        let again = try world.hub.open(Self.favorites, with: old).reading()
        let view = try world.hub.open(Self.favorites, with: try again.read(from: world.reads)).get()
        #expect(subjects(view) == ["movie/1"])
    }

    @Test func `A reading from before a welcome's newer position is repeated`() throws {
        let world = try HubWorld()
        let old = try world.hub.open(Self.favorites).reading().read(from: world.reads)
        _ = try world.move("ana", "movie/1", on: true)
        #expect(world.position(of: "ana").userRevision == 1, "another device is told what the hub hasn't heard of")
        let again = try world.hub.open(Self.favorites, with: old).reading()
        let view = try world.hub.open(Self.favorites, with: try again.read(from: world.reads)).get()
        #expect(view.cut.userRevision == 1)
    }

    @Test func `A welcome names what the hub shows, not what it has yet to hear of`() throws {
        let world = try HubWorld()
        let view = try world.view("favorites", user: "ana")
        _ = try world.move("ana", "movie/1", on: true)
        #expect(world.position(of: "ana").userRevision == 0)
        world.hub.release(view.handles)
        #expect(world.position(of: "ana").userRevision == 0, "it is remembered for a while")
    }

    @Test func `Moves that were missed are read, unless the log has moved on meanwhile`() throws {
        let world = try HubWorld()
        let set = try world.open("favorites", user: "ana")
        let first = try world.move("ana", "movie/1", on: true)
        let second = try world.move("ana", "movie/2", on: true)
        let log = try #require(world.hub.userChanged("ana", moves: [second])).read(from: world.reads)
        // Until then it shows what it has.
        #expect(world.newest(set["favorites"]) == nil)
        // The one that was missed comes after all, and a third.
        let third = try world.move("ana", "movie/3", on: true)
        #expect(world.hub.userChanged("ana", moves: [first, second, third]) == nil)
        #expect(world.newest(set["favorites"])?.items.map(\.id) == ["movie/3", "movie/2", "movie/1"])
        let newer = try #require(try world.hub.userRead(log), "what was read is older than what is shown by now")
        #expect(try world.hub.userRead(newer.read(from: world.reads)) == nil)
        #expect(world.newest(set["favorites"])?.items.map(\.id) == ["movie/3", "movie/2", "movie/1"])
        #expect(world.last?.users["ana"] == 3)
    }

    @Test func `Whoever opens the screen while only the position is read is given the members`() throws {
        let world = try HubWorld()
        let view = try world.view("favorites", user: "ana")
        world.hub.release(view.handles)
        // Nobody shows them, and it is known that something may have been missed.
        let head = try #require(world.hub.userChanged("ana"))
        _ = try world.move("ana", "movie/1", on: true)
        let again = try world.view("favorites", user: "ana")
        #expect(subjects(again).isEmpty, "what the hub knows by now")
        let members = try #require(try world.hub.userRead(head.read(from: world.reads)))
        #expect(try world.hub.userRead(members.read(from: world.reads)) == nil)
        #expect(world.newest(again.sections[0].handle)?.items.map(\.id) == ["movie/1"])
    }

    @Test func `A user whose screen is refused after all is not remembered`() throws {
        let world = try HubWorld()
        let parameters = [SectionParameters(section: "nothing", sort: nil, window: nil)]
        let request = OpenRequest(screen: "favorites", locale: nil, parameters: parameters, user: "ana")
        let log = try world.hub.open(request).reading().read(from: world.reads)
        let answer = world.hub.open(request, with: log)
        guard case .failure(.refused(let status)) = answer else { throw Answered(description: "\(answer)") }
        #expect(status.reason == "UNKNOWN_SECTION")
        #expect(world.hub.knownUsers.isEmpty)
    }

    // MARK: - Large sets

    private static let sets = OpenRequest(screen: "user-collections", locale: nil, parameters: [], user: "ana")

    private func world(members: Int, subject: (Int) -> String = { "movie/\($0)" }) throws -> HubWorld {
        let world = try HubWorld()
        try world.favor("ana", (1...members).map(subject))
        return world
    }

    @Test func `A large set is evaluated by the thread that reads its members, and kept current by the hub`() throws {
        let world = try world(members: Hub.membersAtOnce + 1)
        let before = world.hub.counters
        let log = try world.hub.open(Self.sets).reading().read(from: world.reads)
        let view = try world.hub.open(Self.sets, with: log).get()
        #expect(view.sections[0].current.version.items.count == Hub.membersAtOnce + 1)
        #expect(subjects(view).first == "movie/\(Hub.membersAtOnce + 1)", "the newest comes first")
        #expect(world.hub.counters.members == before.members)
        #expect(world.hub.counters.items == before.items)

        try world.favorite("ana", "movie/1", on: false)
        #expect(world.newest(view.sections[0].handle)?.items.count == Hub.membersAtOnce)
        #expect(world.hub.counters.members == before.members + 1)
    }

    @Test func `A large set that has to be made again is evaluated by the thread that reads its members`() throws {
        let world = try world(members: Hub.membersAtOnce + 2)
        // Somebody shows other private content, so that the members are known.
        _ = try world.view("favorites", user: "ana")
        let before = world.hub.counters.members
        let log = try world.hub.open(Self.sets).reading().read(from: world.reads)
        let view = try world.hub.open(Self.sets, with: log).get()
        #expect(subjects(view).count == Hub.membersAtOnce + 2)
        world.hub.release(view.handles)
        world.hub.tick(now: Hub.IdleBounds().keptMilliseconds)
        try world.favorite("ana", "movie/1", on: false)
        let again = try world.hub.open(Self.sets).reading().read(from: world.reads)
        #expect(try subjects(world.hub.open(Self.sets, with: again).get()).count == Hub.membersAtOnce + 1)
        // The other content's one edit.
        #expect(world.hub.counters.members <= before + 1)
    }

    @Test func `A set evaluated at a position other than the hub's isn't shown`() throws {
        let world = try world(members: Hub.membersAtOnce + 1)
        _ = try world.view("favorites", user: "ana")
        let log = try world.hub.open(Self.sets).reading().read(from: world.reads)
        try world.favorite("ana", "movie/1", on: false)
        #expect(try subjects(world.hub.open(Self.sets, with: log).get()).count == Hub.membersAtOnce)
    }

    @Test func `An answer with a set that can't fit is refused before any of it is evaluated`() throws {
        let long = String(repeating: "m", count: 200)
        let world = try world(members: 6_000) { "movie/\(long)\($0)" }
        let before = world.hub.counters
        let log = try world.hub.get(Self.sets).reading().read(from: world.reads)
        let answer = world.hub.get(Self.sets, with: log)
        guard case .failure(.refused(let status)) = answer else { throw Answered(description: "answered") }
        #expect(status.reason == "ANSWER_TOO_LARGE")
        #expect(world.hub.counters == before)
        #expect(world.hub.table.variants.isEmpty)
    }

    @Test func `A set that nobody shows stays current whatever happens in the catalogue`() throws {
        let world = try world(members: Hub.membersAtOnce + 1)
        let log = try world.hub.open(Self.sets).reading().read(from: world.reads)
        world.hub.release(try world.hub.open(Self.sets, with: log).get().handles)
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        let answer = try world.hub.get(Self.sets).get()
        #expect(answer.sections[0].items.count == Hub.membersAtOnce + 1)
    }

    // MARK: - Large collections of records

    /// Everybody's favorites are all the movies there are.
    private func worldOfRecords(
        _ count: Int = Hub.membersAtOnce + 1, programme: String = HubWorld.programme,
        idleBounds: Hub.IdleBounds = Hub.IdleBounds()
    ) throws -> HubWorld {
        let world = try HubWorld(movies: count, programme: programme, idleBounds: idleBounds)
        try world.favor("ana", (1...count).map { "movie/\($0)" })
        return world
    }

    /// Asks until nothing has to be read any more.
    private func openFavorites(
        _ world: HubWorld, meanwhile: () throws -> Void = {}
    ) throws -> (view: OpenedView, readings: Int) {
        var (log, readings) = (UserSnapshot?.none, 0)
        while true {
            switch world.hub.open(Self.favorites, with: log) {
            case .success(let view): return (view, readings)
            case .failure(.refused(let status)): throw status
            case .failure(.unread(let reading)):
                readings += 1
                log = try reading.read(from: world.reads)
                if reading.hasRecords { try meanwhile() }
            }
        }
    }

    @Test func `The records of many members are evaluated by the reading thread, and then kept current`() throws {
        let world = try worldOfRecords()
        let before = world.hub.counters
        let (view, readings) = try openFavorites(world)
        #expect(readings == 2, "how many there are, and then their records")
        #expect(subjects(view).count == Hub.membersAtOnce + 1)
        #expect(world.hub.counters.items == before.items && world.hub.counters.members == before.members)
        let handle = view.sections[0].handle
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.change(handle) != nil)
        try world.favorite("ana", "movie/1", on: false)
        #expect(world.newest(handle)?.items.count == Hub.membersAtOnce)
        let fresh = try openFavorites(try HubWorld(store: world.store)).view
        #expect(world.newest(handle)?.sum == fresh.sections[0].current.version.sum)
    }

    @Test func `The records of few members are evaluated by the hub, from one reading`() throws {
        let world = try worldOfRecords(4)
        let before = world.hub.counters
        #expect(try openFavorites(world).readings == 1)
        #expect(world.hub.counters.members - before.members == 4)
    }

    @Test(arguments: [1, RecentEvents.maximumCount + 1])
    func `Changes to the catalogue since the records were evaluated are shown`(commits: Int) throws {
        let world = try worldOfRecords()
        let view = try openFavorites(world) {
            for number in 1...commits { try world.commit(world.movie(1, genre: 1, title: "Title \(number)")) }
            try world.commit(.remove(.movie(2)))
        }.view
        #expect(subjects(view).count == Hub.membersAtOnce)
        let fresh = try openFavorites(try HubWorld(store: world.store)).view
        #expect(view.sections[0].current.version.sum == fresh.sections[0].current.version.sum)
        let isKnown = commits < RecentEvents.maximumCount
        #expect((world.hub.counters.items < 9) == isKnown, "the hub evaluates what it doesn't know the changes of")
    }

    @Test func `Records that can't fit into an answer are not evaluated`() throws {
        let whole = "source: favorites, body: {movie: record}}"
        let world = try worldOfRecords(
            programme: HubWorld.programme.replacing("source: favorites}", with: whole))
        let long = String(repeating: "m", count: 8_000)
        try world.commit(contentsOf: (1...Hub.membersAtOnce).map { world.movie(UInt64($0), genre: 1, title: long) })
        var log: UserSnapshot?
        var refusal: Status?
        while refusal == nil {
            switch world.hub.get(Self.favorites, with: log) {
            case .success: throw Answered(description: "answered")
            case .failure(.refused(let status)): refusal = status
            case .failure(.unread(let reading)): log = try reading.read(from: world.reads)
            }
        }
        #expect(refusal?.reason == "ANSWER_TOO_LARGE")
        #expect(world.hub.table.variants.isEmpty)
    }

    @Test func `A large collection that nobody shows is kept current for a while`() throws {
        let world = try worldOfRecords(Hub.membersAtOnce + 2)
        let first = try openFavorites(world).view
        let before = world.hub.counters
        world.hub.release(first.handles)
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        try world.favorite("ana", "movie/2", on: false)
        let (again, readings) = try openFavorites(world)
        #expect(readings == 0 && subjects(again).count == Hub.membersAtOnce + 1)
        #expect(world.hub.counters.items - before.items == 1)
        let fresh = try openFavorites(try HubWorld(store: world.store)).view
        #expect(again.sections[0].current.version.sum == fresh.sections[0].current.version.sum)
        world.hub.release(again.handles)
        world.hub.tick(now: Hub.IdleBounds().keptMilliseconds)
        #expect(try openFavorites(world).readings == 1)
    }

    @Test func `A set that nobody shows is read again once moves of its user were missed`() throws {
        let world = try worldOfRecords()
        world.hub.release(try openFavorites(world).view.handles)
        _ = try world.move("ana", "movie/1", on: false)
        let second = try world.move("ana", "movie/2", on: false)
        #expect(world.hub.userChanged("ana", moves: [second]) == nil, "nobody shows it")
        #expect(subjects(try openFavorites(world).view).count == Hub.membersAtOnce - 1)
    }

    @Test func `The sets that nobody shows but that are kept current are bounded`() throws {
        let count = Hub.membersAtOnce + 1
        var bounds = Hub.IdleBounds()
        bounds.keptItems = 2 * count
        let world = try worldOfRecords(count, idleBounds: bounds)
        let users = ["ben", "cleo", "dan"]
        for user in users {
            try world.favor(user, (1...count).map { "movie/\($0)" })
            world.hub.release(try world.view("favorites", user: user).handles)
        }
        let kept = world.hub.table.contents.values.filter(\.isKept).compactMap(\.key.user)
        #expect(kept.sorted() == ["cleo", "dan"])
    }

    @Test func `A large screen that was fetched is kept current for the next request`() throws {
        let programme = """
            screens:
              large:
                title: Large
                sections: [{id: all, kind: list, source: {records: {type: movie, limit: 1000}}, body: record}]
            """
        let count = Hub.membersAtOnce + 1
        let world = try HubWorld(movies: count, programme: programme)
        func get() throws -> [String] {
            let request = OpenRequest(screen: "large", locale: nil, parameters: [], user: nil)
            return try world.hub.get(request, reading: world.reads).get().sections[0].items.map(\.id)
        }
        #expect(try get().count == count)
        let made = world.hub.screens.counters.items
        try world.commit(.remove(RecordID(type: "movie", id: "7")))
        #expect(try get().count == count - 1)
        #expect(world.hub.screens.counters.items - made < 10, "only what changed is made again")
    }
}
