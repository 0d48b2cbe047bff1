import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Synchronization
import Testing

@testable import MarqueeClient

@Suite("What can't be stored")
struct EngineStoringTests {
    private static let detail = ViewID(screen: "detail/1", locale: "en")

    private func disk() throws -> FullDisk {
        FullDisk(try Mirror(location: .memory) { [UInt8](repeating: 1, count: 16) })
    }

    private func stored(_ disk: FullDisk, _ id: ViewID) throws -> [UInt64] {
        try disk.view(id).map { view in view.list.items.compactMap { view.sections[$0.id]?.sum } } ?? []
    }

    @Test func `On a full disk live content is shown from memory, marked so, and the connection stays`() throws {
        let disk = try disk()
        let test = try TestEngine(mirror: disk)
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        #expect(watcher.last?.status.isStored == true)
        disk.isFull = true
        for movie in 2...5 as ClosedRange<UInt64> {
            test.patch(
                TestEngine.home, from: TestEngine.movies([movie - 1]), to: TestEngine.movies([movie]),
                at: TestEngine.cut(10 + movie, 3))
            #expect(watcher.last?.screen.sections[0].items.map(\.id) == ["movie/\(movie)"])
            #expect(watcher.last?.status.isStored == false && watcher.last?.origin == .live)
        }
        #expect(test.events.filter { $0 == "mirror: full" }.count == 1, "a reason is reported once")
        #expect(test.world.attempts == 1)
        #expect(try stored(disk, TestEngine.home) == [TestEngine.movies([1]).sum])
        #expect(disk.seen == TestEngine.cut(10, 3))
        test.world.end()
    }

    @Test func `A reader is told of a cut once the mirror has stored it, and not before (G3)`() throws {
        let disk = try disk()
        let test = try TestEngine(mirror: disk)
        let witness = StoredWitness(disk)
        test.engine.observe(TestEngine.home, options: [], witness)
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        test.patch(
            TestEngine.home, from: TestEngine.movies([1]), to: TestEngine.movies([2]), at: TestEngine.cut(11, 3))
        #expect(witness.told.map(\.shown).last == TestEngine.cut(11, 3))
        for (shown, stored) in witness.told where shown.catalogueRevision > 0 { #expect(stored == shown) }
        test.world.end()
    }

    @Test func `Once there is room, everything live is stored in one step, from the mirror's copy on`() throws {
        let disk = try disk()
        let test = try TestEngine(mirror: disk)
        let watcher = test.watch()
        _ = test.watch(Self.detail)
        test.connect()
        test.join(
            TestEngine.home, [("rank", TestEngine.movies([1])), ("old", TestEngine.movies([9]))],
            at: TestEngine.cut(10, 3))
        disk.isFull = true
        // One section comes and another goes, and a second screen joins for the first time.
        test.join(
            TestEngine.home, [("rank", TestEngine.movies([2])), ("new", TestEngine.movies([3]))],
            at: TestEngine.cut(11, 3))
        test.join(Self.detail, [("detail", TestEngine.movies([4]))], at: TestEngine.cut(12, 3))
        disk.isFull = false
        test.say(.progress(CutChange(TestEngine.cut(13, 3))))
        #expect(disk.seen == TestEngine.cut(13, 3))
        #expect(try stored(disk, TestEngine.home) == [TestEngine.movies([2]).sum, TestEngine.movies([3]).sum])
        #expect(try disk.view(TestEngine.home)?.sections.keys.sorted() == ["new", "rank"])
        #expect(try stored(disk, Self.detail) == [TestEngine.movies([4]).sum])
        #expect(watcher.last?.status.isStored == true && watcher.last?.lastError == nil)
        test.world.end()
    }

    @Test func `A new mirror without room still shows live content, and learns its owner later`() throws {
        let disk = try disk()
        disk.isFull = true
        let test = try TestEngine(mirror: disk)
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        #expect(watcher.last?.origin == .live)
        #expect(disk.identity.cluster == nil)
        #expect(throws: ClientError.self) { try test.favorite(1) }
        #expect(watcher.mark(1) == .no)
        disk.isFull = false
        test.say(.progress(CutChange(TestEngine.cut(10, 3))))
        #expect(disk.identity.cluster == "c")
        #expect(try stored(disk, TestEngine.home) == [TestEngine.movies([1]).sum])
        test.world.end()
    }

    @Test func `A screen left while the disk was full never goes back when shown again (G1)`() throws {
        let disk = try disk()
        let test = try TestEngine(mirror: disk)
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        disk.isFull = true
        test.patch(
            TestEngine.home, from: TestEngine.movies([1]), to: TestEngine.movies([2]), at: TestEngine.cut(11, 3))
        test.engine.unobserve(TestEngine.home, watcher)
        let again = test.watch()
        #expect(again.last?.screen.sections[0].items.map(\.id) == ["movie/2"])
        #expect(again.last?.cut == TestEngine.cut(11, 3))
        test.world.end()
    }

    @Test func `A screen refused while the disk was full never goes back when shown again (G1)`() throws {
        let disk = try disk()
        let test = try TestEngine(mirror: disk)
        _ = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        disk.isFull = true
        test.patch(
            TestEngine.home, from: TestEngine.movies([1]), to: TestEngine.movies([2]), at: TestEngine.cut(11, 3))
        let gone = Status(.notFound, reason: "UNKNOWN_SCREEN", remedy: .fatal, message: "it is gone")
        test.say(
            .subscriptionError(
                SubscriptionError(
                    subscription: try #require(test.subscription(to: TestEngine.home)), generation: 0, status: gone)))
        #expect(test.engine.state(of: TestEngine.home) == nil)
        let again = test.watch()
        #expect(again.last?.screen.sections[0].items.map(\.id) == ["movie/2"])
        #expect(again.last?.cut == TestEngine.cut(11, 3))
        test.world.end()
    }

    @Test func `The number of screens left unstored is bounded`() throws {
        let disk = try disk()
        let test = try TestEngine(mirror: disk)
        _ = test.watch()
        test.connect()
        disk.isFull = true
        for movie in 0..<(UnstoredContent.maximumViews + 10) {
            let id = ViewID(screen: "detail/\(movie)", locale: "en")
            let watcher = test.watch(id)
            test.join(id, [("detail", TestEngine.movies([4]))], at: TestEngine.cut(11, 3))
            test.engine.unobserve(id, watcher)
        }
        #expect(test.engine.unstored.views.count == UnstoredContent.maximumViews)
        test.world.end()
    }

    @Test func `An outbox whose numbers can't be written waits, and is settled once there is room`() throws {
        let disk = try disk()
        let test = try TestEngine(mirror: disk)
        let watcher = test.watch()
        try test.favorite(1)
        disk.isFull = true
        // The server has seen more of this client than the mirror knows: new numbers are needed.
        test.accept()
        test.welcome(last: 40)
        test.join(TestEngine.set, [("favorites", TestEngine.favorites([]))], at: TestEngine.cut(10, 3))
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        #expect(watcher.last?.origin == .live)
        #expect(test.sentChanges.isEmpty)
        disk.isFull = false
        test.say(.progress(CutChange(TestEngine.cut(10, 3))))
        test.advance(2)
        test.connect(last: 40)
        #expect(test.sentChanges == ["41 +movie/1"])
        test.world.end()
    }
}

/// Notes where the mirror is whenever it is told of a state. Unchecked because all happens on the test's thread.
private final class StoredWitness: ScreenObserver, @unchecked Sendable {
    private let disk: FullDisk
    private let list = Mutex<[(shown: Cut, stored: Cut?)]>([])

    init(_ disk: FullDisk) { self.disk = disk }

    var told: [(shown: Cut, stored: Cut?)] { list.withLock { $0 } }

    func put(_ new: ScreenState) {
        let stored = disk.seen
        list.withLock { $0.append((new.cut, stored)) }
    }

    func finish(_ error: ClientError?) {}
}
