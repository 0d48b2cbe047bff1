import MarqueeDiff
import MarqueeModel
import MarqueeScreens
import MarqueeWire
import Testing

@testable import MarqueeServer

/// Sessions that show the same are sent the same bytes, and each gets a core of its own as soon as something affects it
/// alone.
@Suite struct CohortTests {
    @Test func `Synced sessions that show the same belong to one cohort`() {
        let world = CohortWorld(3)
        #expect(world.sessions.cohortCount == 1)
        #expect(world.sessions.syncedCount == 3)
    }

    @Test func `A cut is laid out once and written to each member`() {
        let world = CohortWorld(3)
        world.giveRoom(1)
        world.publish(11, [(2, "r2"), (3, "b2")])
        #expect(world.sessions.counters.layouts == 1)
        #expect(world.sessions.counters.cuts == 3)
        for index in 0..<3 {
            #expect(world.frames(index) == ["data F 2 r1→r2", "data L 3 b1→b2"])
            #expect(world.isSynced(index))
        }
        world.giveRoom(1)
        world.publish(12, [(3, "b3")])
        #expect(world.frames(0) == ["data FL 3 b2→b3"])
    }

    @Test func `Several publications are written in one go, each a cut of its own`() {
        let world = CohortWorld(2)
        world.giveRoom(1)
        world.publishTogether([(11, [(2, "r2")]), (12, [(3, "b2")]), (13, [(2, "r3")])])
        #expect(world.sessions.counters.cuts == 2)
        #expect(world.frames(1) == ["data FL 2 r1→r2", "data FL 3 b1→b2", "data FL 2 r2→r3"])
        world.leave(1)
        #expect(world.position(1) == TestSession.position(13, 3))
    }

    @Test func `Several publications that are large together are written as one cut`() {
        let world = CohortWorld(1)
        world.giveRoom(1)
        // Each of the first four replaces an item of six thousand bytes; the last is small.
        let large = (0..<4).map { index in (UInt64(11 + index), world.large("l\(index)", bytes: 6_000)) }
        world.publishTogether(large.map { ($0.0, 2, $0.1) } + [(15, 2, world.version("r2"))])
        #expect(world.frames(0) == ["data FL 2 r1→r2"])
        #expect(world.isSynced(0))
    }

    @Test func `A cut that is too large is sent by each session itself, frame by frame`() {
        let world = CohortWorld(2)
        world.giveRoom(9)
        world.publishTogether([(11, 2, world.large("large", bytes: CohortCut.maximumBytes + 1))])
        #expect(world.sessions.counters.cuts == 0)
        #expect(!world.isSynced(0))
        #expect(world.frames(0) == ["data FL 2 →large"])
        #expect(world.isSynced(0), "it joins the others again")
    }

    @Test func `A section that is too large for a cut is staged for each member, which then goes on`() {
        var parts = WireLimits.client
        parts.partBytes = 600
        let world = CohortWorld(2, library: VersionLibrary(limits: parts))
        world.giveRoom(9)
        // Not worth a patch, because all items differ, and not small enough for one part.
        world.publishTogether([(11, 2, world.replaced("r2", by: 50...60))])
        #expect(world.sessions.counters.cuts == 0)
        for index in 0..<2 {
            let frames = world.frames(index)
            #expect(frames.first == "stage 2 r2 …" && frames.dropLast().allSatisfy { $0.hasPrefix("stage") })
            #expect(frames.last == "join FL 1 gen 0: 1 h1, 2 r2, 3 b1 (11,3)")
            #expect(world.isSynced(index) && world.position(index).catalogueRevision == 11)
        }
        world.giveRoom(1)
        world.publish(12, [(3, "b2")])
        for index in 0..<2 { #expect(world.frames(index) == ["data FL 3 b1→b2"]) }
    }

    @Test func `A member that can't take a cut leaves with the position before it and catches up`() {
        let world = CohortWorld(2)
        world.giveRoom(1, to: 0)
        world.publish(11, [(2, "r2")])
        #expect(world.isSynced(0))
        #expect(!world.isSynced(1))
        #expect(world.position(1) == TestSession.position(10, 3))
        #expect(world.sessions.counters.left == 1)
        world.giveRoom(1, to: 0)
        world.publish(12, [(2, "r3")])
        #expect(world.frames(0) == ["data FL 2 r1→r2", "data FL 2 r2→r3"])
        #expect(world.frames(1) == ["data FL 2 r1→r3"], "what it missed comes at once")
        #expect(world.isSynced(1))
        #expect(world.sessions.cohortCount == 1)
    }

    @Test func `A member without credit leaves`() {
        let world = CohortWorld(2, credit: 1_000)
        world.giveRoom(1_000)
        for revision in 11..<60 as Range<UInt64> { world.publish(revision, [(2, "r\(revision)")]) }
        #expect(!world.isSynced(0))
        let sent = world.frames(0).count
        #expect(sent < 49)
        world.acknowledge(0)
        #expect(world.frames(0).last?.hasSuffix("→r59") == true)
        #expect(world.isSynced(0))
    }

    @Test func `Credit is asked for before each of several cuts that are written in one go`() {
        let world = CohortWorld(1, credit: 1)
        world.giveRoom(1)
        world.publishTogether([(11, [(2, "r2")]), (12, [(3, "b2")])])
        #expect(!world.isSynced(0))
        #expect(world.frames(0) == ["data F 2 r1→r2", "data L 3 b1→b2"], "one cut takes it to both")
    }

    @Test func `An ack doesn't take a member out of its cohort`() {
        let world = CohortWorld(1)
        world.giveRoom(1)
        world.publish(11, [(2, "r2")])
        _ = world.frames(0)
        world.acknowledge(0)
        #expect(world.isSynced(0))
        #expect(world.load(0).acknowledgedBytes == world.load(0).sentBytes)
    }

    @Test func `An ack of what wasn't sent ends a member's connection`() {
        let world = CohortWorld(1)
        world.receive(0, .ack(bytes: 1 << 40, cut: nil))
        #expect(world.frames(0) == ["close ACK_INVALID"])
        world.receive(0, .ping(nonce: 1))
        #expect(world.frames(0) == [])
    }

    @Test func `A member that asks for something else leaves and comes back`() {
        let world = CohortWorld(2)
        world.receive(0, .ping(nonce: 7))
        #expect(world.sessions.syncedCount == 1)
        #expect(world.frames(0) == ["pong 7"])
        #expect(world.sessions.syncedCount == 2)
    }

    @Test func `Subscription ids don't matter to a cohort`() {
        let world = CohortWorld(1)
        world.add(subscription: 5)
        #expect(world.sessions.cohortCount == 1)
        // Each session still goes by its own id.
        world.receive(1, .unsubscribe(1))
        #expect(world.frames(1) == [])
        #expect(world.isSynced(1))
        world.receive(1, .unsubscribe(5))
        #expect(world.actions(1) == ["release [1, 2, 3]"])
    }

    @Test func `A session that shows something else is in another cohort`() {
        let world = CohortWorld(2)
        world.receive(1, .unsubscribe(1))
        _ = world.frames(1)
        #expect(world.sessions.cohortCount == 2)
        world.giveRoom(1)
        world.publish(11, [(2, "r2")])
        #expect(world.sessions.counters.visits == world.visits + 1, "the other cohort isn't looked at")
        #expect(world.frames(0) == ["data FL 2 r1→r2"])
        #expect(world.frames(1) == [])
    }

    @Test func `All cohorts that show a content are sent what is new of it`() {
        let library = VersionLibrary()
        let settings = SessionSettings(cluster: "c", node: "n", agent: "server", locales: ["en"])
        let sessions = LoopSessions(library: library, settings: settings)
        var members = (0..<3).map { _ in TestSession.live(library: library, sessions: sessions) }
        for index in members.indices {
            members[index].showHome()
            // Beside it, each but the first shows something of its own.
            guard index > 0 else { continue }
            let handle = UInt64(10 * index)
            members[index].subscribe(2, "detail/\(index)")
            members[index].hubOpens("detail/\(index)", [("", handle, "d1"), ("detail", handle + 1, "e1")])
            while !members[index].frames().isEmpty { members[index].acknowledge() }
        }
        #expect(sessions.cohortCount == 3)
        for index in members.indices {
            _ = members[index].version("r2")
            members[index].shell.room = 1
        }
        members[0].publish(11, [(2, "r2")])
        for index in members.indices { #expect(members[index].frames() == ["data FL 2 r1→r2"]) }
    }

    @Test func `A publication costs nothing for sessions that it doesn't affect`() {
        let world = CohortWorld(20)
        let before = world.sessions.counters.visits
        for revision in 11..<31 as Range<UInt64> { world.publish(revision, [(99, "x\(revision)")]) }
        for revision in 4..<24 as Range<UInt64> { world.publishUser("ben", revision) }
        #expect(world.sessions.counters.visits == before)
        // Yet they know the catalogue's position.
        world.leave(0)
        #expect(world.position(0) == TestSession.position(30, 3))
    }

    @Test func `A publication about a user affects only the sessions of that user`() {
        let world = CohortWorld(3, users: ["ana", "ben", nil])
        world.publishUser("ben", 4)
        #expect(world.isSynced(0) && !world.isSynced(1) && world.isSynced(2))
        #expect(world.position(1) == TestSession.position(10, 4))
        _ = world.frames(1)
        #expect(world.isSynced(1))
        world.leave(0)
        #expect(world.position(0) == TestSession.position(10, 3))
    }

    @Test func `A change of the programme takes out the members whose views it changes`() {
        let world = CohortWorld(2)
        world.publish(11, [], replans: .families(["detail"]))
        #expect(world.isSynced(0))
        world.publish(12, [], replans: .families(["home"]))
        #expect(!world.isSynced(0) && !world.isSynced(1))
        #expect(world.actions(0) == ["open home"])
    }

    @Test func `An interrupted pass continues where it stopped`() {
        let world = CohortWorld(3)
        world.giveRoom(1)
        world.announce(11, [(2, "r2")])
        #expect(!world.sessions.deliver { false })
        #expect(world.framesWritten == [1, 0, 0])
        // A member that hasn't been sent the cut leaves, and so does one that has.
        world.leave(2)
        #expect(world.position(2) == TestSession.position(10, 3))
        world.leave(0)
        #expect(world.position(0) == TestSession.position(11, 3))
        world.announce(12, [(3, "b2")])
        world.giveRoom(1)
        world.deliver()
        #expect(world.frames(0) == ["data FL 2 r1→r2", "data FL 3 b1→b2"])
        #expect(world.frames(1) == ["data FL 2 r1→r2", "data FL 3 b1→b2"])
        #expect(world.frames(2) == ["data F 2 r1→r2", "data L 3 b1→b2"])
        #expect(world.sessions.syncedCount == 3)
        #expect(world.sessions.cohortCount == 1)
    }

    @Test func `A session that becomes synced in the middle of a pass isn't sent the cut again`() {
        let world = CohortWorld(3)
        world.leave(2)
        world.giveRoom(1)
        world.announce(11, [(2, "r2")])
        #expect(!world.sessions.deliver { false })
        #expect(world.frames(2) == ["data FL 2 r1→r2"])
        #expect(world.isSynced(2))
        world.deliver()
        #expect(world.framesWritten == [1, 1, 0])
        #expect(world.frames(2) == [])
    }

    @Test func `A member whose connection ends leaves its cohort`() {
        let world = CohortWorld(2)
        world.end(0)
        #expect(world.sessions.syncedCount == 1)
        world.end(1)
        #expect(world.sessions.cohortCount == 0)
        world.publish(11, [(2, "r2")])
        #expect(world.sessions.counters.layouts == 0)
    }

    @Test func `A version that comes back is sent with its new position`() {
        let world = CohortWorld(1)
        world.giveRoom(3)
        world.publish(11, [(2, "r2")])
        world.publish(12, [(2, "r1")])
        // The frames from r1 to r2 were made at revision 11.
        world.publish(13, [(2, "r2")])
        #expect(world.frames(0) == ["data FL 2 r1→r2", "data FL 2 r2→r1", "data FL 2 r1→r2", "progress (13,0)"])
    }

    @Test func `A session with a view newer than the last publication waits for that publication`() {
        let world = CohortWorld(1)
        world.add(subscription: 1, at: 12)
        #expect(world.sessions.syncedCount == 1)
        world.publish(12, [])
        _ = world.frames(1)
        #expect(world.sessions.syncedCount == 2)
    }

    /// Found by the simulation, seed 724: positions of the logs before a restore were named in those after it.
    @Test func `When the logs have new epochs, all sessions end, and later ones begin at the new positions`() {
        let world = CohortWorld(2)
        world.publish(40, [])
        world.leave(1)
        world.end("OTHER_LOGS")
        for index in 0..<2 { #expect(world.frames(index).last == "close OTHER_LOGS") }
        world.add(at: 12)
        #expect(world.position(2).catalogueRevision == 12)
        world.publish(12, [])
        world.publish(13, [(2, "r2")])
        #expect(world.frames(2) == ["data FL 2 r1→r2"])
        #expect(world.position(2).catalogueRevision == 13)
    }

    @Test func `A silent member is dropped like any other session`() {
        let world = CohortWorld(1)
        #expect(world.waits(0, 120_000) == "close SILENT")
    }
}

/// Sessions on one event loop that show `home`: list 1 is `h1`, `rank` 2 is `r1`, `basic` 3 is `b1`.
private final class CohortWorld {
    let library: VersionLibrary
    let sessions: LoopSessions
    private var all: [TestSession] = []
    private let credit: UInt64
    /// The `visits` counter when the world began.
    private(set) var visits: UInt64 = 0

    init(
        _ count: Int, credit: UInt64 = 1 << 20, users: [String?] = [], library: VersionLibrary = VersionLibrary()
    ) {
        self.library = library
        let settings = SessionSettings(cluster: "c", node: "n", agent: "server", locales: ["en"])
        sessions = LoopSessions(library: library, settings: settings)
        self.credit = credit
        for index in 0..<count { add(user: index < users.count ? users[index] : "ana") }
        visits = sessions.counters.visits
    }

    func add(subscription: UInt32 = 1, user: String? = "ana", at revision: UInt64 = 10) {
        var session = TestSession.live(credit: credit, user: user, library: library, sessions: sessions)
        session.subscribe(subscription, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1")], at: revision)
        while !session.frames().isEmpty { session.acknowledge() }
        all.append(session)
        visits = sessions.counters.visits
    }

    func end(_ index: Int) { all[index].session.end() }

    /// Ends all sessions for a reason.
    func end(_ reason: String) {
        let status = Status(.unavailable, reason: reason, remedy: .retrySame, message: "")
        sessions.published(Publication(end: status))
        all[0].deliver()
    }

    func isSynced(_ index: Int) -> Bool { all[index].session.isSynced }
    func position(_ index: Int) -> Cut { all[index].core.position }
    func load(_ index: Int) -> SessionLoad { all[index].session.load }

    func leave(_ index: Int) { all[index].leaveCohort() }

    /// Lets connections take a number of cuts.
    func giveRoom(_ cuts: Int) { for index in all.indices { giveRoom(cuts, to: index) } }
    func giveRoom(_ cuts: Int, to index: Int) { all[index].shell.room = cuts }

    /// The number of frames written to each by cuts and not yet read.
    var framesWritten: [Int] { all.map(\.shell.waiting) }

    func frames(_ index: Int) -> [String] { all[index].frames() }
    func actions(_ index: Int) -> [String] { all[index].actions() }
    func acknowledge(_ index: Int) { all[index].acknowledge() }
    func receive(_ index: Int, _ message: Message) { all[index].note(all[index].session.received(message, now: 0)) }
    func waits(_ index: Int, _ milliseconds: UInt64) -> String? { all[index].waitsInSilence(milliseconds) }

    // MARK: - The hub

    func version(_ name: String) -> Version {
        for index in all.indices.dropFirst() { _ = all[index].version(name) }
        return all[0].version(name)
    }

    func large(_ name: String, bytes: Int) -> Version {
        let items = (1...10).map { Item(id: "\($0)", kind: .movie, body: text(String(repeating: "x", count: 100))) }
        let own = Item(id: "own", kind: .movie, body: text(String(repeating: name, count: bytes / name.utf8.count)))
        for index in all.indices.dropFirst() { _ = all[index].version(name, items: items + [own]) }
        return all[0].version(name, items: items + [own])
    }

    /// A version of so many items of 100 bytes.
    func replaced(_ name: String, by ids: ClosedRange<Int>) -> Version {
        let items = ids.map { Item(id: "\($0)", kind: .movie, body: text(String(repeating: "z", count: 100))) }
        for index in all.indices.dropFirst() { _ = all[index].version(name, items: items) }
        return all[0].version(name, items: items)
    }

    func announce(_ revision: UInt64, _ changes: [(handle: UInt64, name: String)], replans: ChangedScreens = .none) {
        announce(revision, changes.map { ($0.handle, version($0.name)) }, replans: replans)
    }

    private func announce(
        _ revision: UInt64, _ changes: [(handle: UInt64, version: Version)], replans: ChangedScreens = .none
    ) {
        var current: [UInt64: CurrentVersion] = [:]
        for (handle, version) in changes {
            library.record(version, of: handle)
            current[handle] = CurrentVersion(
                version: version, since: CutChange(catalogueRevision: revision), content: handle)
        }
        sessions.published(Publication(catalogueRevision: revision, changes: current, replans: replans))
    }

    func deliver() { all[0].deliver() }

    func publish(_ revision: UInt64, _ changes: [(handle: UInt64, name: String)], replans: ChangedScreens = .none) {
        announce(revision, changes, replans: replans)
        deliver()
    }

    func publishTogether(_ publications: [(UInt64, [(handle: UInt64, name: String)])]) {
        for (revision, changes) in publications { announce(revision, changes) }
        deliver()
    }

    func publishTogether(_ publications: [(UInt64, UInt64, Version)]) {
        for (revision, handle, version) in publications { announce(revision, [(handle, version)]) }
        deliver()
    }

    func publishUser(_ user: String, _ revision: UInt64) {
        sessions.published(Publication(catalogueRevision: 10, users: [user: revision], changes: [:]))
        deliver()
    }
}
