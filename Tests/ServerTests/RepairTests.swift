import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct RepairTests {
    @Test func `A failed section is staged from its manifest, and the rest is patched`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2"), (3, "b2")])
        _ = session.frames()
        nack(&session, 1, refused: (2, "r1"), held: [(1, "h1"), (3, "b1")])
        #expect(session.frames() == ["rebase 1: 2 'rank'"])
        session.describe(2, "r1")
        #expect(
            session.frames() == [
                "stage 2 r1→r2", "repair F 1", "join 1 gen 0: 1 h1, 2 r2, 3 b1 (11,3)", "data L 3 b1→b2",
            ])
    }

    @Test func `All views join again`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1")])
        _ = session.frames()
        nack(&session, 1, held: [(1, "h1"), (2, "r1"), (3, "b1"), (4, "d1")])
        #expect(
            session.frames() == ["repair F 1", "join 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)", "join L 2 gen 0: 4 d1 (10,3)"])
    }

    @Test func `A manifest is requested for an unknown version`() {
        var session = TestSession.live()
        session.showHome()
        nack(&session, 1, held: [(1, "h1"), (2, "what?"), (3, "b1")])
        #expect(session.frames() == ["rebase 1: 2 'rank'"])
        session.describe(2, "what?")
        #expect(
            session.frames() == ["stage 2 what?→r1", "repair F 1", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    // MARK: - The ladder

    @Test func `A refused section is sent in another way each time, and finally fails alone`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2"), (3, "b2")])
        #expect(session.frames() == ["data F 2 r1→r2", "data L 3 b1→b2"])
        refuse(&session, 1)
        #expect(session.frames() == ["rebase 1: 2 'rank'"])
        session.describe(2, "r1")
        #expect(session.frames().prefix(2) == ["stage 2 r1→r2", "repair F 1"])
        refuse(&session, 2)
        #expect(session.frames().prefix(2) == ["stage 2 r2", "repair F 2"])
        refuse(&session, 3)
        #expect(
            session.frames() == [
                "error 1 rank gen 0 SECTION_REFUSED", "repair F 3",
                "join 1 gen 0: 1 h1, 2 as it is, 3 b1 (11,3)", "data L 3 b1→b2",
            ])
        session.publish(12, [(2, "r3"), (3, "b3")])
        #expect(session.frames() == ["data FL 3 b2→b3"], "the view continues without it")
    }

    @Test func `A failed section is retried after growing pauses`() {
        var session = TestSession.live()
        session.showHome()
        fail(&session, from: 1)
        var pause = SessionSettings.sectionPause.lowerBound
        for number in 4...9 as ClosedRange<UInt32> {
            wait(&session, pause - 1)
            #expect(session.frames() == [], "\(number)")
            wait(&session, 1)
            #expect(session.frames() == ["stage 2 r1", "join FL 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
            session.acknowledge()
            refuse(&session, number)
            #expect(session.frames().first == "error 1 rank gen 0 SECTION_REFUSED")
            session.acknowledge()
            pause = min(2 * pause, SessionSettings.sectionPause.upperBound)
        }
    }

    @Test func `A section that was repaired starts again from the first way`() {
        var session = TestSession.live()
        session.showHome()
        for number in 1...7 as ClosedRange<UInt32> {
            refuse(&session, number, holding: "r\(number + 10)")
            #expect(session.frames() == ["rebase 1: 2 'rank'"], "\(number)")
            session.describe(2, "r\(number + 10)")
            #expect(session.frames().first == "stage 2 r\(number + 10)→r1")
        }
    }

    @Test func `A section list that is refused again and again ends its view`() {
        var session = TestSession.live()
        session.showHome()
        for number in 1...2 as ClosedRange<UInt32> {
            nack(&session, number, refused: (1, "h0"), held: [(2, "r1"), (3, "b1")])
            while let last = session.frames().last, last.hasPrefix("rebase") { session.describe(1, "h0") }
        }
        nack(&session, 3, refused: (1, "h0"), held: [(2, "r1"), (3, "b1")])
        #expect(session.frames() == ["error 1 gen 0 SECTION_REFUSED", "repair FL 3", "progress (10,3)"])
        #expect(session.core.subscriptionCount == 0)
    }

    @Test func `A section resumed by manifest and refused is sent whole`() {
        var session = TestSession.live()
        session.subscribe(
            1, "home",
            resume: session.resume("h1", ["rank": "r0", "basic": "b1"]))
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1")])
        #expect(session.frames() == ["rebase 1: 2 'rank'"])
        session.describe(2, "r0")
        #expect(session.frames() == ["stage 2 r0→r1", "join FL 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
        refuse(&session, 1, holding: "r0")
        #expect(
            session.frames() == ["stage 2 r1", "repair F 1", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    @Test func `A small section that is refused is sent whole`() {
        var session = TestSession.live()
        session.showHome()
        let small = session.version("s1", items: [Item(id: "a", kind: .movie, body: text("s1"))])
        session.publishVersions(11, [(2, small)])
        _ = session.frames()
        refuse(&session, 1)
        #expect(
            session.frames() == ["stage 2 s1", "repair F 1", "join L 1 gen 0: 1 h1, 2 s1, 3 b1 (11,3)"])
    }

    @Test func `A staged version that the client kept is not sent again`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1"), ("credits", 5, "c1")])
        #expect(session.frames(2) == ["stage 4 d1", "stage 5 c1"])
        nack(&session, 1, held: [(1, "h1"), (2, "r1"), (3, "b1")], staged: [(4, "d1")])
        #expect(
            session.frames() == [
                "repair F 1", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)", "stage 5 c1",
                "join FL 2 gen 0: 4 d1, 5 c1 (10,3)",
            ])
    }

    @Test func `The versions offered for an unjoined view still count after a nack`() {
        var session = TestSession.live()
        session.showHome()
        session.library.record(session.version("c0"), of: 5)
        session.subscribe(
            2, "detail",
            resume: session.resume("d1", ["credits": "c0", "more": "m0"]))
        session.hubOpens("detail", [("", 4, "d1"), ("credits", 5, "c1"), ("more", 6, "m1")])
        #expect(session.frames() == ["rebase 2: 6 'more'"])
        nack(&session, 1, held: [(1, "h1"), (2, "r1"), (3, "b1")])
        #expect(session.frames() == ["repair F 1", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
        session.describe(6, "m0")
        #expect(
            session.frames() == [
                "stage 6 m0→m1", "join F 2 gen 0: 4 d1, 5 c0, 6 m1 (10,3)", "data L 5 c0→c1",
            ])
    }

    @Test func `Refusals leave evidence`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2")])
        _ = session.frames()
        refuse(&session, 1)
        let entry = session.library.evidence.entries.last
        #expect(entry?.handle == 2)
        #expect(entry?.place == "home rank")
        #expect(entry?.target == session.version("r2").sum)
        #expect(entry?.cut == session.cut(10, 3))
    }

    private func refuse(_ session: inout TestSession, _ number: UInt32, holding name: String? = "r1") {
        nack(&session, number, refused: (2, name), held: [(1, "h1"), (3, "b1")])
    }

    private func fail(_ session: inout TestSession, from number: UInt32) {
        for number in number..<number + 3 {
            refuse(&session, number)
            while let last = session.frames().last, last.hasPrefix("rebase") { session.describe(2, "r0") }
            session.acknowledge()
        }
    }

    private func wait(_ session: inout TestSession, _ milliseconds: UInt64) {
        var rest = milliseconds
        while rest > 0 {
            let step = min(rest, 10_000)
            session.heard()
            session.tick(after: step)
            _ = session.control()
            rest -= step
        }
    }

    @Test func `A client that names nothing gets everything again`() {
        var session = TestSession.live()
        session.showHome()
        nack(&session, 1, held: [])
        #expect(
            session.frames() == [
                "stage 1 h1", "stage 2 r1", "stage 3 b1", "repair F 1", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)",
            ])
    }

    @Test func `A staged patch in transit is sent again from its first part`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1"), ("credits", 5, "c1")])
        #expect(session.frames(1) == ["stage 4 d1"])
        nack(&session, 1, held: [(1, "h1"), (2, "r1"), (3, "b1")])
        #expect(
            session.frames() == [
                "repair F 1", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)", "stage 4 d1", "stage 5 c1",
                "join FL 2 gen 0: 4 d1, 5 c1 (10,3)",
            ])
    }

    @Test func `A cut that has begun is finished before the repair`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2"), (3, "b2")])
        #expect(session.frames(1) == ["data F 2 r1→r2"])
        nack(&session, 1, held: [(1, "h1"), (2, "r1"), (3, "b1")])
        #expect(
            session.frames() == [
                "data L 3 b1→b2", "repair F 1", "join 1 gen 0: 1 h1, 2 r1, 3 b1 (11,3)", "data 2 r1→r2",
                "data L 3 b1→b2",
            ])
    }

    /// Found by the simulation: a section that a client had offered was sent whole if a cut of another view was refused
    /// before the view joined.
    @Test func `Versions offered for an unjoined view count unless refused`() {
        for isRefused in [false, true] {
            var session = TestSession.live()
            session.showHome()
            session.subscribe(2, "detail", resume: session.resume("d1", ["credits": "c1"]))
            session.hubOpens("detail", [("", 4, "d1"), ("credits", 5, "e1")])
            #expect(session.frames() == ["rebase 2: 5 'credits'"])
            session.subscribe(2, "detail", generation: 1)
            nack(&session, 1, refused: isRefused ? (5, "c1") : nil, held: [(1, "h1"), (2, "r1"), (3, "b1")])
            session.hubOpens("detail", [("", 4, "d1"), ("credits", 6, "c1")])
            let joins = ["repair F 1", "join 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)", "join L 2 gen 1: 4 d1, 6 c1 (10,3)"]
            let asks = ["repair F 1", "rebase 2: 6 'credits'", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"]
            #expect(session.frames() == (isRefused ? asks : joins))
        }
    }

    @Test func `A repair without a view repeats the position`() {
        var session = TestSession.live()
        session.showHome()
        session.receive(.unsubscribe(1))
        nack(&session, 1, held: [])
        #expect(session.frames() == ["repair FL 1", "progress (10,3)"])
    }

    @Test func `The numbers of nacks rise`() {
        var session = TestSession.live()
        session.showHome()
        nack(&session, 1, held: [])
        nack(&session, 1, held: [])
        #expect(session.control() == ["close NACK_INVALID"])
    }

    @Test func `The last of several nacks is answered`() {
        var session = TestSession.live()
        session.showHome()
        nack(&session, 1, held: [(1, "h1"), (2, "r1"), (3, "b1")])
        nack(&session, 2, held: [(1, "h1"), (2, "r1"), (3, "b1")])
        #expect(session.frames() == ["repair F 2", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    private func nack(
        _ session: inout TestSession, _ number: UInt32, refused: (UInt64, String?)? = nil, held: [(UInt64, String)],
        staged: [(UInt64, String)] = []
    ) {
        var held = held.map { handle, name in HeldVersion(handle: handle, sum: session.version(name).sum) }
        if let (handle, name) = refused {
            held.append(HeldVersion(handle: handle, sum: name.map { session.version($0).sum }, refused: true))
        }
        let staged = staged.map { HeldVersion(handle: $0.0, sum: session.version($0.1).sum) }
        let status = Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: "")
        session.receive(
            .nack(Nack(number: number, good: session.cut(10, 3), held: held, staged: staged, status: status)))
    }
}
