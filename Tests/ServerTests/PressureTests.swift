import MarqueeModel
import MarqueeScreens
import MarqueeWire
import Testing

@testable import MarqueeServer

/// How a session treats a client that requests much, takes little, or leaves things unfinished.
@Suite struct PressureTests {
    // MARK: - Answers

    @Test func `Nothing more is done for a client that doesn't take its answers`() {
        var session = TestSession.live()
        var begun: [String] = []
        for call in 1...16 as ClosedRange<UInt32> { begun += session.getScreen(call) }
        #expect(begun == ["perform 1 getScreen", "perform 2 getScreen"])
        for call in 1...2 as ClosedRange<UInt32> {
            session.answer(call, .success([UInt8](repeating: 0, count: 1 << 20)))
        }
        #expect(session.core.load.answerBytes == 2 << 20)
        // Nothing is written, so nothing more is begun.
        #expect(session.core.takeDeferredActions().isEmpty)
        let taken = session.frames()
        #expect(taken.filter { $0.hasPrefix("perform") } == ["perform 3 getScreen", "perform 4 getScreen"])
        #expect(session.core.load.answerBytes == 0)
    }

    @Test func `A call with a small answer doesn't wait for large ones`() {
        var session = TestSession.live()
        for call in 1...5 as ClosedRange<UInt32> { session.getScreen(call) }
        #expect(session.receive(.request(Request(call: 6, method: .health))) == ["perform 6 health"])
    }

    @Test func `A waiting call is cancelled at once and never run`() {
        var session = TestSession.live()
        for call in 1...3 as ClosedRange<UInt32> { session.getScreen(call) }
        session.receive(.cancel(call: 3))
        #expect(session.frames() == ["answer 3 0 bytes CANCELLED"])
        session.answer(1, .success([1]))
        #expect(session.frames() == ["answer 1 1 bytes OK"], "nothing is begun in its place")
    }

    @Test func `A failed call makes room for the next`() {
        var session = TestSession.live()
        for call in 1...3 as ClosedRange<UInt32> { session.getScreen(call) }
        session.answer(2, .failure(Status(.notFound, reason: "UNKNOWN_SCREEN", remedy: .fatal, message: "")))
        #expect(session.frames() == ["answer 2 0 bytes UNKNOWN_SCREEN", "perform 3 getScreen"])
    }

    @Test func `Without room for its answer, a call gets an error to retry`() {
        var budgets = SessionBudgets()
        budgets.answers = ByteBudget(limit: 1_000)
        var stalled = TestSession.live(budgets: budgets)
        stalled.getScreen(1)
        stalled.answer(1, .success([UInt8](repeating: 0, count: 900)))
        var other = TestSession.live(budgets: budgets)
        other.getScreen(1)
        other.answer(1, .success([UInt8](repeating: 0, count: 101)))
        #expect(other.frames() == ["answer 1 0 bytes TOO_MANY_ANSWERS", "hit answers"])
        #expect(stalled.frames() == ["answer 1 900 bytes OK"])
        other.getScreen(2)
        other.answer(2, .success([UInt8](repeating: 0, count: 101)))
        #expect(other.frames() == ["answer 2 101 bytes OK"])
        #expect(budgets.answers.bytes == 0)
    }

    @Test(arguments: [(false, 60), (true, 3)])
    func `Answers not taken end the connection, sooner if room is scarce`(isScarce: Bool, seconds: Int) {
        var budgets = SessionBudgets()
        budgets.answers = ByteBudget(limit: isScarce ? 1_000 : 10_000)
        var session = TestSession.live(budgets: budgets)
        session.getScreen(1)
        session.answer(1, .success([UInt8](repeating: 0, count: 600)))
        var passed = 0
        while passed <= 61, session.tick(after: 1_000).isEmpty {
            session.heard()
            passed += 1
        }
        #expect(passed == seconds)
        #expect(session.control().last == "close DATA_NOT_TAKEN")
        #expect(budgets.answers.bytes == 0, "its room is free again")
    }

    // MARK: - Publications

    @Test func `A publication not finished in time is dropped`() {
        let budgets = SessionBudgets()
        var session = TestSession.live(budgets: budgets)
        session.publishPart(1, index: 0, bytes: 50_000)
        #expect(budgets.publications.bytes == 50_000 + SessionSettings.changeOverhead)
        for second in 1...120 {
            session.heard()
            session.tick(after: 1_000)
            #expect((budgets.publications.bytes == 0) == (second == 120))
        }
        _ = session.frames()
        session.publishPart(2, index: 1, bytes: 1, last: true)
        #expect(session.frames() == ["answer 2 0 bytes PART_OUT_OF_ORDER"])
    }

    @Test func `An empty part is refused unless it is the last`() {
        var session = TestSession.live()
        session.publishPart(1, index: 0, bytes: 10)
        session.publishPart(2, index: 1, changes: [])
        #expect(session.frames() == ["answer 1 0 bytes OK", "answer 2 0 bytes PART_EMPTY"])
        session.publishPart(3, index: 0, bytes: 10)
        #expect(session.publishPart(4, index: 1, changes: [], last: true) == ["perform 4 publish"])
    }

    @Test func `A publisher isn't silent while its publication waits to be committed, and its pings are answered`() {
        var session = TestSession.live()
        #expect(session.publishPart(1, index: 0, bytes: 10, last: true) == ["perform 1 publish"])
        #expect(session.waitsInSilence(600_000) == nil)
        session.receive(.ping(nonce: 7))
        #expect(session.frames() == ["pong 7"])
        #expect(session.waitsInSilence(600_000) == nil)
        session.answer(1, .success([]))
        #expect(session.waitsInSilence(59_000) == nil)
        #expect(session.waitsInSilence(2_000) == "close SILENT")
    }

    @Test func `Publications of all connections share one budget`() {
        var budgets = SessionBudgets()
        budgets.publications = ByteBudget(limit: 100_000)
        var first: TestSession? = TestSession.live(budgets: budgets)
        first?.publishPart(1, index: 0, bytes: 50_000)
        var second = TestSession.live(budgets: budgets)
        #expect(second.publishPart(1, index: 0, bytes: 50_000) == ["hit publications"])
        #expect(second.frames() == ["answer 1 0 bytes TOO_MANY_PUBLICATIONS"])
        first?.session.end()
        first = nil
        second.publishPart(2, index: 0, bytes: 50_000)
        #expect(second.frames() == ["answer 2 0 bytes OK"], "a connection that is gone frees its room")
    }

    @Test func `A publication of one part has room, whatever others have begun`() {
        var budgets = SessionBudgets()
        budgets.publications = ByteBudget(limit: 100_000)
        var greedy = TestSession.live(budgets: budgets)
        greedy.publishPart(1, index: 0, bytes: 99_900)
        var ordinary = TestSession.live(budgets: budgets)
        #expect(ordinary.publishPart(1, index: 0, bytes: 500, last: true) == ["perform 1 publish"])
        greedy.publishPart(2, index: 1, bytes: 100)
        #expect(greedy.frames().last == "answer 2 0 bytes TOO_MANY_PUBLICATIONS")
    }

    @Test func `Earlier parts are not copied for each part`() {
        var session = TestSession.live()
        var copies = 0
        var place: UnsafeRawPointer?
        for index in 0..<1_000 as Range<UInt32> {
            session.publishPart(index + 1, index: index, bytes: 1)
            _ = session.frames()
            let now = session.core.calls.publishing?.changes.withUnsafeBytes { $0.baseAddress }
            if now != place { copies += 1 }
            place = now
        }
        #expect(session.core.calls.publishing?.changes.count == 1_000)
        #expect(copies < 20, "an array that grows is copied as often as it doubles")
    }

    @Test func `A publication counts until it is answered`() {
        let budgets = SessionBudgets()
        var session = TestSession.live(budgets: budgets)
        var said: [String] = []
        var call: UInt32 = 0
        for _ in 0..<3 {
            for index in 0..<150 as Range<UInt32> {
                call += 1
                session.publishPart(call, index: index, bytes: 50_000, last: index == 149)
                said += session.frames()
                guard !said.contains(where: { $0.hasSuffix("TOO_MANY_PUBLICATIONS") }) else { break }
            }
        }
        #expect(said.contains { $0.hasSuffix("TOO_MANY_PUBLICATIONS") })
        #expect(budgets.publications.bytes <= SessionSettings.publicationBytesHeld)
        #expect(session.core.load.publicationBytes <= SessionSettings.publicationBytesHeld)
    }

    // MARK: - Time

    /// A session checked only at its deadlines does the same at the same time as one checked every second.
    @Test func `Checking a session at its deadline is enough`() {
        var often = TestSession.live(credit: 2_000), seldom = TestSession.live(credit: 2_000)
        var looks = 0
        var state: UInt64 = 99
        var revision: UInt64 = 10
        var wheel = DeadlineWheel<Int>()
        func both(_ event: (inout TestSession) -> Void) {
            event(&often)
            event(&seldom)
        }
        both { $0.showHome() }
        for second in 1...3_000 as ClosedRange<UInt64> {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            both { $0.now = second * 1_000 }
            if second % 2 == 0 { both { $0.heard() } }
            switch (state >> 33) % 40 {
            case 0...2:
                revision += 1
                both { $0.publish(revision, [(2, "r\(revision % 7)")]) }
            case 3...9: both { $0.acknowledge() }
            case 10: both { $0.received(frames: 0, isWithinFrame: true) }
            case 11: both { $0.received(frames: 1, isWithinFrame: false) }
            default: break
            }
            var said = often.frames()
            #expect(seldom.frames() == said)
            if let deadline = seldom.core.deadline { wheel.schedule(1, at: deadline) }
            let told = often.tick(after: 0)
            if wheel.due(at: second * 1_000).contains(1) {
                looks += 1
                #expect(seldom.tick(after: 0) == told)
                if let deadline = seldom.core.deadline { wheel.schedule(1, at: deadline) }
            }
            said = often.frames()
            #expect(seldom.frames() == said)
            if often.core.isClosed {
                let isSeldomClosed = seldom.core.isClosed
                #expect(isSeldomClosed)
                (often, seldom) = (TestSession.live(credit: 2_000), TestSession.live(credit: 2_000))
                both { $0.now = second * 1_000 }
                both { $0.heard() }
                both { $0.tick(after: 0) }
                both { $0.showHome() }
            }
        }
        #expect(looks < 1_500, "it is looked at less often than each second")
    }

    @Test func `An idle session is checked four times a minute`() {
        var session = TestSession.live()
        session.showHome()
        var looks = 0
        for second in 1...60 as ClosedRange<UInt64> {
            session.now = second * 1_000
            session.heard()
            guard let deadline = session.core.deadline, deadline <= session.now else { continue }
            looks += 1
            session.tick(after: 0)
            #expect(session.frames() == ["progress (10,3)"], "it is looked at when there is something to say")
        }
        #expect(looks == 4)
    }

    // MARK: - The server's position

    @Test func `Publications during authentication are in the welcome`() {
        var session = TestSession()
        session.receive(.hello(TestSession.hello()))
        session.session.identified(Identity(user: "ana", scopes: .readOnly))
        session.publish(12, [])
        session.publishUser("ana", 5)
        session.publishUser("ben", 9)
        session.authenticate(.success(Identity(user: "ana", scopes: .readOnly)))
        #expect(session.frames() == ["welcome (12,5)"])
    }

    // MARK: - A new programme

    @Test func `Only views of changed screens are planned again`() {
        var session = TestSession.live()
        session.showHome(1)
        session.subscribe(2, "detail/7")
        session.hubOpens("detail/7", [("", 11, "h2"), ("detail", 12, "d1")])
        while !session.frames().isEmpty { session.acknowledge() }
        #expect(session.publish(11, [], replans: .families(["detail"])) == ["open detail/7"])
        session.hubOpens("detail/7", [("", 11, "h2"), ("detail", 12, "d1")])
        _ = session.frames()
        #expect(session.publish(12, [], replans: .families(["genre"])) == [])
        #expect(session.publish(13, [], replans: .all) == ["open home", "open detail/7"])
    }

    @Test func `A pending question is repeated if its screen changed`() {
        var session = TestSession.live()
        session.subscribe(1, "home")
        session.publish(11, [], replans: .families(["detail"]))
        session.subscribe(2, "detail/7")
        session.publish(12, [], replans: .families(["detail"]))
        #expect(session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1")]) == [])
        #expect(
            session.hubOpens("detail/7", [("", 11, "h2"), ("detail", 12, "d1")])
                == ["release [11, 12]", "open detail/7"])
    }
}

extension TestSession {
    @discardableResult
    fileprivate mutating func getScreen(_ call: UInt32) -> [String] {
        let body = GetScreenRequest(screen: "home", locale: nil, sections: [])
        return receive(.request(Request(call: call, method: .getScreen, body: CallBodyCodec.encode(body))))
    }

    @discardableResult
    fileprivate mutating func publishPart(
        _ call: UInt32, index: UInt32, bytes: Int = 0, changes: [[UInt8]]? = nil, last: Bool = false
    ) -> [String] {
        let body = PublishRequest(
            number: 5, answeredThrough: 0, key: nil, index: index, last: last,
            changes: changes ?? [[UInt8](repeating: 0x20, count: bytes)])
        return receive(.request(Request(call: call, method: .publish, body: CallBodyCodec.encode(body))))
    }
}
