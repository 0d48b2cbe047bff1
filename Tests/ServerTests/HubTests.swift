import HubSupport
import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresetRecords
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct HubTests {
    @Test func `A commit publishes only those shown contents that it touches`() throws {
        let world = try HubWorld()
        let home = try world.open("home")
        let detail = try world.open("detail/1")
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.changed == [home["rank"], detail["detail"], detail[""]].sorted())
        #expect(world.last?.catalogueRevision == 5)
    }

    @Test func `Removing a movie ends the views of its screen`() throws {
        let world = try HubWorld()
        let home = try world.open("home")
        let detail = try world.open("detail/1")
        let other = try world.open("detail/2")
        try world.commit(.remove(.movie(1)))
        #expect(world.last?.gone == [detail[""]].compactMap(\.self))
        #expect(other[""] != nil && home[""] != nil)
        #expect(throws: (any Error).self) { try world.open("detail/1") }
    }

    @Test func `A commit evaluates only what it touches, however much is shown`() throws {
        let world = try HubWorld(movies: 500)
        _ = try world.open("home")
        for id in 1...500 { _ = try world.open("detail/\(id)") }
        let before = world.hub.counters
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.last?.changes.count == 3)
        // The row, the movie's view and its detail.
        #expect(world.hub.counters.renewals - before.renewals == 3)
        #expect(world.hub.counters.items - before.items == 2)
    }

    @Test func `A section that can't be shown leaves the others as they are`() throws {
        let world = try HubWorld(movies: 5)
        let home = try world.open("home")
        let detail = try world.open("detail/5")
        // The record alone could be sent, and so could the card without the record.
        let large = ["tagline": 1_000, "overview": 64_000].mapValues {
            JSONValue.text(String(repeating: "x", count: $0))
        }
        try world.write(.merge(.movie(5), .json(.object(large)), clear: []))
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.changed == [home["rank"], detail["detail"]].sorted())
        let shown = try #require(world.newest(detail["detail"]))
        #expect(shown.items.isEmpty)
        #expect(BodyCodec.decodeSectionHead(shown.head)?.error == "This section can't be shown.")
        // The section comes back once its content can be shown.
        try world.commit(world.movie(5, genre: 3))
        let again = try #require(world.newest(detail["detail"]))
        #expect(again.items.count == 1)
        #expect(BodyCodec.decodeSectionHead(again.head)?.error == nil)
    }

    @Test func `A section that the programme drops keeps its content until it returns`() throws {
        let world = try HubWorld()
        let home = try world.open("home")
        try world.commit(.programme(HubWorld.programme.replacing("id: basic", with: "id: other")))
        #expect(world.changed == [home[""]].sorted())
        try world.write(world.movie(3, genre: 2, title: "Other"))
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.changed == [home["rank"]].sorted())
        try world.commit(.programme(HubWorld.programme))
        #expect(world.changed == [home["basic"], home[""]].sorted())
        try world.commit(world.movie(3, genre: 2, title: "Once more"))
        #expect(world.changed == [home["basic"]].sorted())
    }

    /// Found by the simulation: a section that the programme lacked when the catalogue was reread came back with its
    /// old content.
    @Test func `A section that returns after the catalogue was reread is current`() throws {
        var limits = StoreLimits()
        limits.historyCommits = 1
        let world = try HubWorld(limits: limits)
        let home = try world.open("home")
        try world.write(.programme(HubWorld.programme.replacing("id: basic", with: "id: other")))
        try world.write(world.movie(3, genre: 2, title: "Other"))
        try world.hub.catchUp(from: world.reads)
        #expect(world.change(home["basic"]) == nil)
        try world.commit(.programme(HubWorld.programme))
        let basic = try #require(try world.view("home").sections.first { $0.section == "basic" })
        #expect(basic.handle == home["basic"])
        let fresh = try HubWorld()
        try fresh.commit(fresh.movie(3, genre: 2, title: "Other"))
        #expect(basic.current.version.sum == (try fresh.view("home").sections.last?.current.version.sum))
        try world.commit(world.movie(3, genre: 2, title: "Once more"))
        #expect(world.changed == [home["basic"]].sorted())
    }

    @Test func `Content that is touched but doesn't change isn't published`() throws {
        let world = try HubWorld()
        _ = try world.open("home")
        // Cards don't show the runtime.
        try world.commit(.merge(.movie(3), .json(.object(["runtime": .number("90")])), clear: []))
        #expect(world.last?.changes.isEmpty == true)
        #expect(world.last?.catalogueRevision == 5)
    }

    @Test func `A version names the revision since which it has been current`() throws {
        let world = try HubWorld()
        let home = try world.open("home")
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        try world.commit(world.movie(4, genre: 2, title: "Another"))
        let again = try world.view("home")
        #expect(again.sections.map(\.current.since.catalogueRevision) == [5, 6])
        #expect(home["rank"] == again.sections[0].handle)
    }

    @Test func `Several commits are published together`() throws {
        let world = try HubWorld()
        _ = try world.open("home")
        for title in ["a", "b", "c"] { try world.write(world.movie(1, genre: 1, title: title)) }
        let before = world.publications.count
        try world.hub.catchUp(from: world.reads)
        #expect(world.publications.count == before + 1)
        #expect(world.last?.catalogueRevision == 7)
    }

    @Test func `A variant has the same handle for everybody`() throws {
        let world = try HubWorld()
        #expect(try world.open("home", user: "ana") == world.open("home", user: "ben"))
        #expect(
            try world.open("favorites", user: "ana")["favorites"] != world.open("favorites", user: "ben")["favorites"])
    }

    @Test func `A variant has the same handle on every server`() throws {
        let (first, second) = (try HubWorld(), try HubWorld())
        _ = try second.open("detail/1")
        #expect(try first.open("home", user: "ana") == second.open("home", user: "ana"))
        #expect(try first.open("favorites", user: "ana") == second.open("favorites", user: "ana"))
        #expect(Set(try first.open("home").values).allSatisfy { $0 > 0 && $0 <= 1 << VariantTable.handleBits })
    }

    @Test func `A variant that nobody shows is evaluated when somebody shows it again`() throws {
        let world = try HubWorld()
        let home = try world.open("home")
        world.hub.release(Array(home.values))
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.last?.changes.isEmpty == true)
        let again = try world.view("home")
        #expect(again.sections[0].handle == home["rank"])
        #expect(again.sections[0].current.since.catalogueRevision == 5)
    }

    @Test func `A variant is kept current until its last subscriber leaves`() throws {
        let world = try HubWorld()
        let home = try world.open("home")
        _ = try world.open("home")
        world.hub.release(Array(home.values))
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.changed == [home["rank"]].sorted())
    }

    @Test(arguments: [true, false]) func `Idle variants are forgotten, oldest first`(isCounted: Bool) throws {
        var bounds = Hub.IdleBounds()
        if isCounted {
            bounds.variants = 6
        } else {
            let world = try HubWorld(movies: 9)
            let stay = try (6...8).map { try world.view("detail/\($0)") }.flatMap { [$0.list] + $0.sections }
            bounds.bytes = stay.reduce(0) { $0 + $1.current.version.storedSize }
        }
        let world = try HubWorld(movies: 9, idleBounds: bounds)
        let left = try (1...8).map { try world.view("detail/\($0)") }
        for view in left { world.hub.release(view.handles) }
        func isRemembered(_ view: OpenedView) -> Bool {
            world.library.version(view.list.current.version.sum, of: view.list.current.content) != nil
        }
        #expect(left.map(isRemembered) == (1...8).map { $0 > 5 })
        #expect(try world.view("detail/1").list.handle == left[0].list.handle)
        #expect(try world.view("detail/8").list.handle == left[7].list.handle)
    }

    @Test func `An idle variant is forgotten after a while`() throws {
        let world = try HubWorld()
        let (left, stays) = (try world.view("detail/1"), try world.view("detail/2"))
        world.hub.tick(now: 1_000)
        world.hub.release(left.handles)
        world.hub.tick(now: 1_000 + Hub.IdleBounds().milliseconds - 1)
        #expect(world.library.version(left.list.current.version.sum, of: left.list.current.content) != nil)
        world.hub.tick(now: 1_000 + Hub.IdleBounds().milliseconds)
        #expect(world.library.version(left.list.current.version.sum, of: left.list.current.content) == nil)
        #expect(try world.view("detail/1").list.handle == left.list.handle)
        #expect(try world.view("detail/2").list.handle == stays.list.handle)
    }

    @Test func `After a crowd has left, few variants are remembered for long`() throws {
        var bounds = Hub.IdleBounds()
        bounds.restingVariants = 4
        let world = try HubWorld(movies: 9, idleBounds: bounds)
        let left = try (1...8).map { try world.view("detail/\($0)") }
        for view in left { world.hub.release(view.handles) }
        func remembered() -> [Int] {
            (1...8).filter { number in
                let current = left[number - 1].list.current
                return world.library.version(current.version.sum, of: current.content) != nil
            }
        }
        world.hub.tick(now: bounds.burstMilliseconds - 1)
        #expect(remembered() == Array(1...8))
        world.hub.tick(now: bounds.burstMilliseconds)
        #expect(remembered() == [7, 8], "each is a list and a section")
        world.hub.tick(now: bounds.milliseconds - 1)
        #expect(remembered() == [7, 8])
        world.hub.tick(now: bounds.milliseconds)
        #expect(remembered().isEmpty)
    }

    /// On a machine that has been up for days, the clock is far from 0 when a server starts. It used to be taken for
    /// the age of everything before the first tick, so patches were encoded again and versions that clients held were
    /// lost.
    @Test func `What is recorded before the first tick is no older than the server`() throws {
        let began: UInt64 = 10 * 24 * 3_600_000
        let world = try HubWorld(now: began)
        let left = try world.view("detail/1").list
        world.hub.release([left.handle])
        let rank = try world.view("home").sections[0]
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        let renewed = try #require(world.change(rank.handle))
        func encodes() -> UInt64 {
            _ = world.library.route(
                to: renewed.version, of: rank.handle, from: (rank.current.version.sum, rank.current.content),
                since: renewed.since)
            return world.library.counters.encodes
        }
        #expect(encodes() == 1)
        world.hub.tick(now: began + 1_000)
        #expect(encodes() == 1)
        #expect(world.library.version(rank.current.version.sum, of: rank.current.content) != nil)
        #expect(world.library.version(left.current.version.sum, of: left.current.content) != nil)
    }

    @Test func `A favorite changes only contents of its user`() throws {
        let world = try HubWorld()
        let ana = try world.open("favorites", user: "ana")
        _ = try world.open("favorites", user: "ben")
        _ = try world.open("home", user: "ana")
        let set = try world.open("user-collections", user: "ana")
        try world.favorite("ana", "movie/1")
        #expect(world.changed == [ana["favorites"], set["favorites"]].sorted())
        #expect(world.last?.users == ["ana": 1])
        #expect(world.change(set["favorites"])?.since == CutChange(catalogueRevision: 4, userRevision: 1))
    }

    @Test func `A favorite costs what it touches, however large the set is`() throws {
        let size: UInt64 = 1_000
        let world = try HubWorld(movies: Int(size))
        for movie in 1...size { try world.favorite("ana", "movie/\(movie)") }
        let list = try world.open("favorites", user: "ana")
        let set = try world.open("user-collections", user: "ana")
        let (before, reads, publications) = (world.hub.counters, world.reads.count, world.publications.count)
        for movie in 1...UInt64(10) {
            try world.favorite("ana", "movie/\(movie * 100)", on: false)
            #expect(world.changed == [list["favorites"], set["favorites"]].sorted())
            try world.favorite("ana", "movie/\(movie * 100)")
        }
        let after = world.hub.counters
        #expect(world.reads.count == reads)
        #expect(world.publications.count == publications + 20)
        // Each move touches one member of each of the two sections.
        #expect(after.members - before.members == 2 * 20)
        // As both were evaluated beside the hub, it makes each item when it comes back.
        #expect(after.items - before.items == 2 * 10)
        #expect(after.comparisons - before.comparisons <= 2 * 20 * 11)
        for (screen, handle) in [("favorites", list["favorites"]), ("user-collections", set["favorites"])] {
            let fresh = try HubWorld(store: world.store).view(screen, user: "ana").sections[0].current.version
            #expect(world.newest(handle)?.sum == fresh.sum)
            #expect(fresh.items.count == Int(size))
        }
    }

    @Test func `Moves that waited together are published once`() throws {
        let world = try HubWorld()
        let set = try world.open("user-collections", user: "ana")
        let (reads, publications) = (world.reads.count, world.publications.count)
        let moves = try ["movie/1", "movie/2", "movie/1"].enumerated().map { index, subject in
            try world.move("ana", subject, on: index < 2)
        }
        try world.hub.userChanged("ana", moves: moves, reading: world.reads)
        #expect(world.publications.count == publications + 1)
        #expect(world.last?.users["ana"] == 3)
        #expect(world.newest(set["favorites"])?.items.map(\.id) == ["movie/2"])
        // A move that comes again changes nothing.
        try world.hub.userChanged("ana", moves: [moves[1]], reading: world.reads)
        #expect(world.last?.changes.isEmpty == true)
        #expect(world.last?.users["ana"] == 3)
        #expect(world.reads.count == reads)
    }

    @Test func `A set is read only if moves are missing and somebody shows it`() throws {
        let world = try HubWorld()
        let set = try world.open("user-collections", user: "ana")
        _ = try world.move("ana", "movie/1", on: true)
        let second = try world.move("ana", "movie/2", on: true)
        var reads = world.reads.count
        try world.hub.userChanged("ana", moves: [second], reading: world.reads)
        #expect(world.reads.count == reads + 1)
        #expect(world.newest(set["favorites"])?.items.map(\.id) == ["movie/2", "movie/1"])

        world.hub.release(Array(set.values))
        _ = try world.move("ana", "movie/3", on: true)
        reads = world.reads.count
        let fourth = try world.move("ana", "movie/4", on: true)
        try world.hub.userChanged("ana", moves: [fourth], reading: world.reads)
        #expect(world.reads.count == reads)
        #expect(world.last?.users["ana"] == 4)
        let again = try world.view("user-collections", user: "ana").sections[0]
        #expect(again.current.version.items.map(\.id) == ["movie/4", "movie/3", "movie/2", "movie/1"])
        #expect(world.reads.count == reads + 1)
    }

    @Test func `All waiting moves are taken by one visit to the hub`() {
        let moves = UserMoves()
        let (a, b) = (
            MemberMove(.favorite("movie/1", true), revision: 1),
            MemberMove(.favorite("movie/1", false), revision: 2)
        )
        #expect(moves.add(a, of: "ana"))
        #expect(!moves.add(b, of: "ana"))
        #expect(moves.add(a, of: "ben"))
        #expect(moves.take("ana") == [a, b])
        #expect(moves.take("ana").isEmpty)
        #expect(moves.add(b, of: "ana"))
    }

    @Test func `A move of a user whose contents nobody shows changes only the position`() throws {
        let world = try HubWorld()
        try world.favorite("ana", "movie/1")
        #expect(world.reads.count == 0)
        #expect(world.last?.changes.isEmpty == true)
        #expect(world.last?.users["ana"] == 1)
        #expect(world.position(of: "ana").userRevision == 1)
        #expect(world.position(of: nil).userEpoch == 0)
    }

    @Test func `If the log no longer reaches back, the catalogue is read again`() throws {
        var limits = StoreLimits()
        limits.historyBytes = 1
        let world = try HubWorld(limits: limits)
        let home = try world.open("home")
        try world.write(world.movie(1, genre: 1, title: "Other"))
        try world.write(world.movie(4, genre: 2, title: "Another"))
        try world.hub.catchUp(from: world.reads)
        #expect(world.last?.replans == .all)
        #expect(world.last?.catalogueRevision == 6)
        #expect(world.changed == [home["rank"], home["basic"]].sorted())
    }

    /// If history is cut exactly at the hub's position, nothing was missed; one commit further, the catalogue is read
    /// again. Either way every change arrives (etcd#19179).
    @Test(arguments: [(3, false), (2, false), (1, true)] as [(UInt64, Bool)])
    func `No commit is missed, wherever history is cut`(kept: UInt64, reloads: Bool) throws {
        var limits = StoreLimits()
        limits.historyCommits = kept
        let world = try HubWorld(limits: limits)
        let home = try world.open("home")
        try world.write(world.movie(1, genre: 1, title: "Other"))
        try world.write(world.movie(4, genre: 2, title: "Another"))
        try world.hub.catchUp(from: world.reads)
        #expect(world.last?.replans == (reloads ? .all : ChangedScreens.none))
        #expect(world.last?.catalogueRevision == 6)
        #expect(world.changed == [home["rank"], home["basic"]].sorted())
        let fresh = try world.view("home").sections.map(\.current.version.sum)
        #expect(fresh == [home["rank"], home["basic"]].map { world.change($0)?.version.sum })
    }

    @Test func `A new programme makes the hub replan the views of changed screens`() throws {
        let world = try HubWorld()
        let home = try world.open("home")
        try world.commit(.programme(HubWorld.programme.replacing("title: Home", with: "title: House")))
        #expect(world.last?.replans == .families(["home"]))
        #expect(world.changed == [home[""]].sorted())
    }

    @Test func `A programme that can't be read is reported and changes nothing`() throws {
        let world = try HubWorld()
        _ = try world.open("home")
        try world.commit(.programme("screens: nonsense"))
        #expect(world.last?.replans == ChangedScreens.none)
        #expect(world.last?.changes.isEmpty == true)
        #expect(world.reports.count == 1)
    }

    @Test func `A screen that doesn't exist is refused`() throws {
        let world = try HubWorld()
        #expect(throws: Status.self) { try world.open("nowhere") }
        #expect(throws: Status.self) { try world.open("detail/99") }
    }

    @Test func `Getting a screen once keeps nothing current`() throws {
        let world = try HubWorld()
        let answer = try world.hub.get(
            OpenRequest(screen: "home", locale: nil, parameters: [], user: nil), reading: world.reads
        ).get()
        #expect(answer.sections.map(\.id) == ["rank", "basic"])
        #expect(answer.sections.allSatisfy { Version(head: $0.head, items: $0.items).sum == $0.sum })
        try world.commit(world.movie(1, genre: 1, title: "Other"))
        #expect(world.last?.changes.isEmpty == true)
    }

    @Test func `Getting a screen again evaluates only what may have changed, and never shows old content`() throws {
        let world = try HubWorld()
        func get(_ screen: String) throws -> [[String]] {
            let request = OpenRequest(screen: screen, locale: nil, parameters: [], user: "ana")
            return try world.hub.get(request, reading: world.reads).get().sections.map { $0.items.map(\.id) }
        }
        try world.favorite("ana", "movie/1")
        let first = [try get("home"), try get("favorites")]
        #expect(first[1] == [["movie/1"]])
        let heads = world.hub.screens.counters.heads
        let again = [try get("home"), try get("favorites")]
        #expect(again == first)
        #expect(world.hub.screens.counters.heads == heads, "nothing is evaluated again")
        try world.favorite("ana", "movie/2")
        #expect(try get("favorites") == [["movie/2", "movie/1"]])
        try world.commit(.remove(.movie(2)))
        #expect(try get("favorites") == [["movie/1"]])
        #expect(try get("home") != first[0])
        #expect(world.hub.screens.counters.heads > heads)
    }
}

extension [UInt64?] {
    fileprivate func sorted() -> [UInt64] { compactMap { $0 }.sorted() }
}
