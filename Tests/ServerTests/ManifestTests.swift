import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct ManifestTests {
    private let home: [(section: String, handle: UInt64, name: String)] = [
        ("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1"),
    ]

    /// A session whose client offers versions of `rank` and `basic` that are unknown here.
    private func resuming() -> TestSession {
        var session = TestSession.live()
        session.subscribe(
            1, "home",
            resume: session.resume("h1", ["rank": "r0", "basic": "b0"]))
        session.hubOpens("home", home)
        #expect(session.frames() == ["rebase 1: 2 'rank', 3 'basic'"])
        return session
    }

    @Test func `Every section is requested once, and staged when it is described`() {
        var session = resuming()
        #expect(session.frames() == [])
        session.describe(2, "r0")
        #expect(session.frames() == ["stage 2 r0→r1"])
        session.describe(3, "b0")
        #expect(session.frames() == ["stage 3 b0→b1", "join FL 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
        #expect(session.library.counters.manifestPatches == 2)
        #expect(session.library.counters.encodes == 0, "a patch for one client alone is not kept")
        #expect(session.core.manifests.received.isEmpty)
    }

    @Test func `The target is the newest when its patch is made`() {
        var session = resuming()
        session.publish(11, [(2, "r2")])
        session.describe(2, "r0")
        session.describe(3, "b0")
        #expect(
            session.frames() == ["stage 2 r0→r2", "stage 3 b0→b1", "join FL 1 gen 0: 1 h1, 2 r2, 3 b1 (11,3)"])
    }

    @Test func `Commits made meanwhile follow in the cut that joins`() {
        var session = resuming()
        session.describe(2, "r0")
        #expect(session.frames() == ["stage 2 r0→r1"])
        session.publish(11, [(2, "r2")])
        session.describe(3, "b0")
        #expect(
            session.frames() == [
                "stage 3 b0→b1", "join F 1 gen 0: 1 h1, 2 r1, 3 b1 (11,3)", "data L 2 r1→r2",
            ])
    }

    @Test func `A client that turns out to hold the newest version gets nothing`() {
        var session = resuming()
        session.describe(2, "r1")
        session.describe(3, "empty")
        #expect(session.frames() == ["stage 3 b1", "join FL 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    @Test func `A version that has become known is a base like any other`() {
        var session = resuming()
        session.library.record(session.version("r0"), of: 2)
        session.describe(2, "r0")
        session.describe(3, "b0")
        #expect(
            session.frames() == ["stage 3 b0→b1", "join F 1 gen 0: 1 h1, 2 r0, 3 b1 (10,3)", "data L 2 r0→r1"])
    }

    @Test func `After a manifest with a repeated id, the section is sent whole`() {
        var session = resuming()
        var twice = ContentManifest(session.version("r0"))
        twice.pairs[1].id = twice.pairs[0].id
        session.describe(2, twice)
        session.describe(3, "b0")
        #expect(session.frames().prefix(2) == ["stage 2 r1", "stage 3 b0→b1"])
    }

    @Test func `Without room for what a client says it holds, its section is sent whole`() {
        var budgets = SessionBudgets()
        var sample = TestSession.live()
        let items = ContentManifest(sample.version("r0")).pairs.count
        budgets.manifests = ByteBudget(limit: items * SessionSettings.manifestPairBytes)
        var session = TestSession.live(budgets: budgets)
        session.subscribe(1, "home", resume: session.resume("h1", ["rank": "r0", "basic": "b0"]))
        session.hubOpens("home", home)
        _ = session.frames()
        #expect(session.describe(2, "r0") == [])
        #expect(budgets.manifests.bytes == budgets.manifests.limit)
        #expect(session.describe(3, "b0") == ["hit manifests"])
        #expect(
            session.frames() == ["stage 2 r0→r1", "stage 3 b1", "join FL 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
        #expect(budgets.manifests.bytes == 0, "their room is free again")
    }

    @Test func `A manifest that nobody needs any more gives its room back while it arrives`() {
        let budgets = SessionBudgets()
        var session = TestSession.live(budgets: budgets)
        session.subscribe(1, "home", resume: session.resume("h1", ["rank": "r0", "basic": "b0"]))
        session.hubOpens("home", home)
        _ = session.frames()
        var part = Manifest.parts(of: ContentManifest(session.version("r0")), handle: 2, limits: .server)[0]
        part.more = true
        session.receive(.manifest(part))
        #expect(budgets.manifests.bytes > 0)
        session.receive(.unsubscribe(1))
        #expect(budgets.manifests.bytes == 0)
    }

    @Test func `Other views continue while one resumes`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(
            2, "detail",
            resume: session.resume("d1", ["credits": "c0"]))
        session.hubOpens("detail", [("", 4, "d1"), ("credits", 5, "c1")])
        #expect(session.frames() == ["rebase 2: 5 'credits'"])
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["data FL 2 r1→r2"])
    }

    @Test func `A section that has grown beyond what is sent whole is asked for before it is sent`() {
        var session = TestSession.live(credit: 1)
        session.showHome()
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["data FL 2 r1→r2"], "the credit is used up")
        _ = session.version("tiny", items: [])
        session.subscribe(2, "detail", resume: session.resume("d1", ["credits": "c0"]))
        session.hubOpens("detail", [("", 4, "d1"), ("credits", 5, "tiny")])
        #expect(session.frames() == [])
        session.publish(12, [(5, "c1")])
        #expect(session.frames() == ["rebase 2: 5 'credits'"])
    }

    @Test func `A live view whose base is gone waits for its manifest`() {
        var session = TestSession.live()
        session.showHome()
        session.library.forget(2)
        session.publish(11, [(2, "r2"), (3, "b2")])
        #expect(session.frames() == ["rebase 1: 2 'rank'"])
        session.publish(12, [(3, "b3")])
        #expect(session.frames() == [])
        session.describe(2, "r1")
        #expect(
            session.frames() == ["stage 2 r1→r2", "join F 1 gen 0: 1 h1, 2 r2, 3 b1 (12,3)", "data L 3 b1→b3"])
    }

    /// kubernetes#141450: slow watchers were closed, and relisted in a loop.
    @Test func `Slow clients are neither dropped nor sent everything again`() {
        var session = TestSession.live(credit: 1)
        session.subscribe(1, "home")
        session.hubOpens("home", home)
        while !session.frames().isEmpty { session.acknowledge() }
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["data FL 2 r1→r2"])
        let before = session.dataBytes
        for revision in 12...1_000 as ClosedRange<UInt64> {
            session.publish(revision, [(2, "r\(revision)")])
            #expect(session.frames() == [])
        }
        session.acknowledge()
        #expect(session.frames() == ["rebase 1: 2 'rank'"], "the base has long been forgotten")
        session.describe(2, "r2")
        #expect(session.frames() == ["stage 2 r2→r1000"])
        session.acknowledge()
        #expect(session.frames() == ["join FL 1 gen 0: 1 h1, 2 r1000, 3 b1 (1000,3)"])
        #expect(session.dataBytes - before < 200, "one body of eleven")
    }

    /// etcd#17529: a watcher so slow that its history had been discarded when it read again missed events, and was not
    /// notified.
    @Test(arguments: [false, true])
    func `A slow client misses no deletion, even if its history is gone`(isForgotten: Bool) {
        func movies(_ ids: ClosedRange<Int>) -> [Item] {
            ids.map { id in
                Item(
                    id: "\(id)", kind: .movie, subject: "movie/\(id)",
                    body: text("\(id) " + String(repeating: "-", count: 99)))
            }
        }
        var session = TestSession.live(credit: 100)
        session.showHome()
        let taken = session.version("r2", items: movies(1...20))
        session.publishVersions(11, [(2, taken)])
        _ = session.frames()
        session.publishVersions(12, [(2, session.version("r3", items: movies(2...20)))])
        session.publishVersions(13, [(2, session.version("r4", items: movies(3...20)))])
        #expect(session.frames() == [], "nothing more is sent before the client has taken what was")
        if isForgotten { session.library.forget(2) }
        session.acknowledge()
        guard isForgotten else {
            #expect(session.frames() == ["data FL 2 r2→r4"])
            return
        }
        #expect(session.frames() == ["rebase 1: 2 'rank'"], "it is asked what it holds")
        session.describe(2, ContentManifest(taken))
        #expect(session.frames() == ["stage 2 r2→r4", "join FL 1 gen 0: 1 h1, 2 r4, 3 b1 (13,3)"])
    }

    /// Found by the simulation: a section that had become too small for a manifest was sent whole, and once it had
    /// grown again, its old manifest was taken for what the client held.
    @Test(arguments: [true, false]) func `A manifest is useless once its view has joined`(isInTime: Bool) {
        var session = resuming()
        session.describe(2, "r0")
        if isInTime { session.describe(3, "b0") }
        session.publishVersions(11, [(3, session.version("tiny", items: []))])
        #expect(
            session.frames() == ["stage 2 r0→r1", "stage 3 tiny", "join FL 1 gen 0: 1 h1, 2 r1, 3 tiny (11,3)"])
        session.library.forget(3)
        session.publish(12, [(3, "b2")])
        #expect(session.frames() == ["rebase 1: 3 'basic'"])
        if !isInTime {
            session.describe(3, "b0")
            #expect(session.frames() == [], "the answer to the first question")
        }
        session.describe(3, ContentManifest(session.version("tiny")))
        #expect(session.frames() == ["stage 3 b2", "join FL 1 gen 0: 1 h1, 2 r1, 3 b2 (12,3)"])
    }

    // MARK: - Parameters that change while a patch is staged in parts

    /// A session with small parts that has staged the first part of `rank`: eight of its twenty items differ from what
    /// the client holds.
    private func staging() -> TestSession {
        var parts = WireLimits.client
        parts.partBytes = 600
        var session = TestSession.live(library: VersionLibrary(limits: parts))
        func movies(_ other: Range<Int>, _ letter: Character) -> [Item] {
            (0..<20).map { id in
                let letter = other.contains(id) ? letter : "x"
                return Item(id: "\(id)", kind: .movie, body: text(String(repeating: letter, count: 100)))
            }
        }
        _ = session.version("q0", items: movies(0..<8, "y"))
        _ = session.version("q1", items: movies(0..<8, "z"))
        session.subscribe(1, "home", resume: session.resume("h1", ["rank": "q0", "basic": "b1"]))
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "q1"), ("basic", 3, "b1")])
        #expect(session.frames() == ["rebase 1: 2 'rank'"])
        session.describe(2, "q0")
        #expect(session.frames(1) == ["stage 2 q0→q1 …"])
        return session
    }

    /// Found by the simulation: the parts of a section that stays were sent again from the first, after those that the
    /// client had already assembled.
    @Test func `Staging continues if its section stays`() {
        var session = staging()
        session.subscribe(1, "home", generation: 1)
        session.hubOpens("home", [("", 1, "h1"), ("basic", 9, "s1"), ("rank", 2, "q1")])
        #expect(session.frames() == ["stage … 2 q0→q1", "join F 1 gen 1: 1 h1, 9 b1, 2 q1 (10,3)", "data L 9 b1→s1"])
    }

    /// Found by the simulation: the manifest was requested again, and its answer was staged after the section had come.
    @Test func `A section being staged is not requested again`() {
        var session = staging()
        session.publish(11, [(3, "b2")])
        session.subscribe(1, "home", generation: 1)
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "q1"), ("basic", 3, "b2")], at: 11)
        #expect(
            session.frames() == ["stage … 2 q0→q1", "join F 1 gen 1: 1 h1, 2 q1, 3 b1 (11,3)", "data L 3 b1→b2"])
    }

    @Test func `Staging ends with its section and begins again`() {
        var session = staging()
        session.subscribe(1, "home", generation: 1)
        session.hubOpens("home", [("", 1, "h1"), ("rank", 7, "s1"), ("basic", 3, "b1")])
        #expect(session.control() == [])
        session.subscribe(1, "home", generation: 2)
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "q1"), ("basic", 3, "b1")])
        #expect(session.frames() == ["rebase 1: 2 'rank'"])
        session.describe(2, "q0")
        #expect(
            session.frames() == ["stage 2 q0→q1 …", "stage … 2 q0→q1", "join FL 1 gen 2: 1 h1, 2 q1, 3 b1 (10,3)"])
    }

    @Test func `A manifest of a view that was left is accepted and discarded`() {
        var session = resuming()
        session.receive(.unsubscribe(1))
        #expect(session.describe(2, "r0") == [])
        #expect(session.describe(3, "b0") == [])
        #expect(session.core.manifests.received.isEmpty)
        #expect(session.core.manifests.questions.isEmpty)
    }

    // MARK: - Bounds and breaches

    @Test func `An unrequested manifest ends the connection`() {
        var session = TestSession.live()
        session.showHome()
        session.describe(2, "r1")
        #expect(session.control() == ["close MANIFEST_UNEXPECTED"])
    }

    @Test func `Manifests come in the order of the requests`() {
        var session = resuming()
        session.describe(3, "b0")
        #expect(session.control() == ["close MANIFEST_UNEXPECTED"])
    }

    @Test func `Parts that contradict each other end the connection`() {
        for change in [{ $0.sum += 1 }, { $0.headHash += 1 }] as [(inout Manifest) -> Void] {
            var session = resuming()
            var part = Manifest(handle: 2, sum: 5, headHash: 6, pairs: Array(0..<16), more: true)
            session.receive(.manifest(part))
            #expect(session.control() == [])
            change(&part)
            session.receive(.manifest(part))
            #expect(session.control() == ["close MANIFEST_INVALID"])
        }
    }

    @Test func `Parts without pairs don't continue forever`() {
        var session = resuming()
        session.receive(.manifest(Manifest(handle: 2, sum: 5, headHash: 6, pairs: [], more: true)))
        #expect(session.control() == ["close MANIFEST_INVALID"])
    }

    @Test func `A manifest has no more pairs than a list has items`() {
        var session = resuming()
        let pairs = [UInt8](repeating: 1, count: 2_048 * Manifest.pairBytes)
        for _ in 0..<32 {
            session.receive(.manifest(Manifest(handle: 2, sum: 5, headHash: 6, pairs: pairs, more: true)))
        }
        #expect(session.control() == [])
        session.receive(.manifest(Manifest(handle: 2, sum: 5, headHash: 6, pairs: pairs, more: true)))
        #expect(session.control() == ["close MANIFEST_INVALID"])
    }

    @Test func `Sections that are too large together are sent whole`() {
        var session = resuming()
        for handle in [2, 3] as [UInt64] {
            let pairs = (0..<40_000).map { ContentManifest.Pair(id: UInt64($0), body: 0) }
            session.describe(handle, ContentManifest(sum: 5, headHash: 6, pairs: pairs))
        }
        #expect(session.core.manifests.receivedItems <= SessionSettings.manifestPairs)
        #expect(session.frames().prefix(2) == ["stage 2 r1", "stage 3 b1"])
    }
}
