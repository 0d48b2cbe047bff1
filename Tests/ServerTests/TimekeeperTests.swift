import Logging
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import NIOPosix
import Synchronization
import Testing

@testable import MarqueeServer

/// When a server commits the catalogue's time.
@Suite struct TimekeeperTests {
    private func at(_ milliseconds: Int64) -> Moment { Moment(milliseconds: 1_000_000 + milliseconds) }

    @Test func `A boundary is committed at its moment, and late ones in steps`() {
        var keeper = Timekeeper()
        #expect(keeper.next(at: at(0)) == .rest)
        keeper.expect(at(500))
        #expect(keeper.next(at: at(470)) == .wait(milliseconds: 30))
        #expect(keeper.next(at: at(503)) == .commit(at(500)), "another server commits the same, whatever its clock")
        #expect(keeper.next(at: at(510)) == .rest, "it is under way")
        keeper.resume(after: true)
        #expect(keeper.next(at: at(620)) == .rest, "the screens don't know of it yet")
        keeper.expect(at(600))
        #expect(keeper.next(at: at(987)) == .commit(at(900)))
    }

    @Test func `A failed commit is tried again`() {
        var keeper = Timekeeper()
        keeper.expect(at(0))
        #expect(keeper.next(at: at(0)) == .commit(at(0)))
        keeper.resume(after: false)
        #expect(keeper.next(at: at(1_000)) == .commit(at(1_000)))
        #expect(Timekeeper.pause(after: false) > Timekeeper.pause(after: true))
    }

    @Test func `A far boundary is waited for in parts, because the clock may be set meanwhile`() {
        var keeper = Timekeeper()
        keeper.expect(at(86_400_000))
        #expect(keeper.next(at: at(0)) == .wait(milliseconds: Timekeeper.longestWait))
        #expect(keeper.next(at: at(90_000_000)) == .commit(at(90_000_000)), "it was set")
    }

    @Test func `A clock that jumps while the server runs isn't followed either way until it is right again`() {
        var clock = BelievedClock()
        let start: Int64 = 1_000_000_000
        func read(_ wall: Int64, _ steady: UInt64) -> BelievedClock.Reading {
            clock.read(wall: Moment(milliseconds: start + wall), steady: steady)
        }
        func believed(_ wall: Int64) -> BelievedClock.Reading { .believed(Moment(milliseconds: start + wall)) }
        #expect(read(0, 50) == believed(0), "nobody knows how long the server was off")
        #expect(read(BelievedClock.tolerance + 10, 60) == believed(BelievedClock.tolerance + 10))
        let base = BelievedClock.tolerance + 10
        for leap: Int64 in [366 * 86_400_000, -BelievedClock.tolerance - 1] {
            for passed: Int64 in [0, 5, 90_000_000] {
                let reading = read(base + passed + leap, 60 + UInt64(passed))
                #expect(reading == .leapt(Moment(milliseconds: start + base + passed), by: leap))
            }
        }
        #expect(read(base + 90_000_005, 90_000_065) == believed(base + 90_000_005), "it was set")
    }

    @Test func `A step that sets a clock right is followed, and passes each boundary once`() {
        var (clock, keeper) = (BelievedClock(), Timekeeper())
        var boundaries = (1...6).map { at($0 * 1_000) }[...]
        var commits: [Moment] = []
        // By half a second forward, and twice that back.
        for (wall, steady) in [(0, 0), (1_000, 1_000), (2_000, 1_500), (1_000, 2_500), (2_000, 3_500), (7_000, 8_500)] {
            keeper.expect(boundaries.first)
            let now = clock.read(wall: at(Int64(wall)), steady: UInt64(steady)).moment
            guard case .commit(let moment) = keeper.next(at: now) else { continue }
            commits.append(moment)
            boundaries = boundaries.drop { $0 <= moment }
            keeper.resume(after: true)
        }
        #expect(commits == [1_000, 2_000, 7_000].map { at($0) })
    }

    @Test func `A clock that says why it isn't believed is believed again once it is set`() throws {
        let wall = Mutex(at(0))
        let steady = Mutex<UInt64>(0)
        let clock = ServerClock(
            ServerClock.Sources(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } }),
            logger: Logger(label: "test"))
        #expect(try clock.now() == at(0) && clock.trouble == nil)
        let hours: Int64 = 7_200_000
        for leap in [hours, -hours] {
            wall.withLock { $0 = at(leap) }
            #expect(try clock.now() == at(0))
            steady.withLock { $0 += 1_000 }
            #expect(clock.trouble?.aheadMilliseconds == leap && clock.trouble?.ageMilliseconds == 1_000)
            #expect(clock.trouble?.reason.contains("leapt \(leap < 0 ? "back" : "ahead") by 7200 s") == true)
            steady.withLock { $0 += UInt64(3 * Timekeeper.longestWait) }
            #expect(clock.trouble == nil, "nothing asks for the time")
            steady.withLock { $0 = 0 }
            wall.withLock { $0 = at(0) }
            #expect(try clock.now() == at(0) && clock.trouble == nil)
        }
        // It starts behind what an earlier run has committed: nothing passes, and that is said.
        clock.reached(at(hours))
        #expect(try clock.now() == at(0))
        #expect(clock.trouble?.aheadMilliseconds == -hours && clock.trouble?.reason.contains("before") == true)
    }

    @Test func `The boundaries of a second are committed in a dozen commits, in order, however many there are`() {
        var keeper = Timekeeper()
        var boundaries = (0..<100_000).map { at(Int64($0) / 100) }[...]
        var (wall, commits): (Int64, [Moment]) = (0, [])
        while let next = boundaries.first {
            keeper.expect(next)
            switch keeper.next(at: at(wall)) {
            case .commit(let moment):
                commits.append(moment)
                boundaries = boundaries.drop { $0 <= moment }
                // Others' commits have this long.
                wall += Timekeeper.pause(after: true)
                keeper.resume(after: true)
            case .wait(let milliseconds): wall += milliseconds
            case .rest:
                Issue.record("nothing more would happen")
                return
            }
        }
        #expect(commits.count <= 12 && wall < 1_500)
        #expect(commits == commits.sorted() && Set(commits).count == commits.count)
    }

    @Test func `After a day of rest one commit catches up`() {
        var keeper = Timekeeper()
        keeper.expect(at(0))
        #expect(keeper.next(at: at(86_400_050)) == .commit(at(86_400_000)))
    }

    @Test func `A programme without time waits for nothing, and one with it begins at once`() throws {
        let world = try HubWorld()
        #expect(world.hub.nextBoundary == nil)
        try world.commit(
            .programme(
                """
                screens:
                  home:
                    title: H
                    sections: [{id: a, kind: list, visible: {from: 2030-01-01T00:00:00Z}, source: favorites}]
                """))
        #expect(world.hub.nextBoundary == Moment("2030-01-01T00:00:00Z"))
    }

    @Test(.timeLimit(.minutes(5)))
    func `A server commits the time that a section waits for`() async throws {
        let store = MemoryStore()
        let programme = """
            screens:
              home:
                title: H
                sections:
                  - id: a
                    kind: text
                    visible: {from: 2026-01-01T00:00:00Z}
                    source: {items: [{id: hello, text: {text: Hello}}]}
            """
        _ = try store.write([.catalogue(key: nil, changes: [.programme(programme)], mutation: nil)])
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let logger = Logger(label: "test")
        let source = HubSource(
            store: store, programme: try HubWorld.parse(HubWorld.programme),
            logger: logger, hits: LimitHits(logger: logger), hubLoop: group.next(), clock: { 0 },
            wall: { Moment("2026-01-01T00:00:00.010Z") ?? Moment(milliseconds: 0) })
        let (revisions, published) = AsyncStream.makeStream(of: UInt64.self)
        _ = try await source.begin(
            VersionLibrary(), variantLimit: 64,
            for: Audience(publish: { published.yield($0.catalogueRevision) }, users: { [] }))
        for await revision in revisions where revision == 2 { break }
        let changes = try store.commits(after: 1, limit: 9).map(\.changes)
        #expect(changes == [[.time(try #require(Moment("2026-01-01T00:00:00Z")))]])
        await source.finish()
        source.stop()
        try await group.shutdownGracefully()
    }
}
