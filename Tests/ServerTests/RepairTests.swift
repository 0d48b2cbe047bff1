import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct RepairTests {
    @Test func whatFailedIsStagedAgainAndTheRestIsPatched() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2"), (3, "b2")])
        _ = session.frames()
        nack(&session, 1, held: [(1, "h1"), (2, nil), (3, "b1")])
        #expect(
            session.frames() == [
                "stage 2 r2", "repair F 1", "join 1 gen 0: 1 h1, 2 r2, 3 b1 (11,3)", "data L 3 b1→b2",
            ])
    }

    @Test func allViewsJoinAgain() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1")])
        _ = session.frames()
        nack(&session, 1, held: [(1, "h1"), (2, "r1"), (3, "b1"), (4, "d1")])
        #expect(
            session.frames() == ["repair F 1", "join 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)", "join L 2 gen 0: 4 d1 (10,3)"])
    }

    @Test func aVersionThatIsNotKnownIsStaged() {
        var session = TestSession.live()
        session.showHome()
        nack(&session, 1, held: [(1, "h1"), (2, "what?"), (3, "b1")])
        #expect(session.frames() == ["stage 2 r1", "repair F 1", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    @Test func whoNamesNothingGetsEverythingAnew() {
        var session = TestSession.live()
        session.showHome()
        nack(&session, 1, held: [])
        #expect(
            session.frames() == [
                "stage 1 h1", "stage 2 r1", "stage 3 b1", "repair F 1", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)",
            ])
    }

    @Test func aStagedPatchThatWasOnItsWayBeginsAnew() {
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

    @Test func aCutThatHasBegunIsSentToItsEndBeforeTheRepair() {
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

    @Test func aRepairWithoutAViewSaysThePositionAgain() {
        var session = TestSession.live()
        session.showHome()
        session.receive(.unsubscribe(1))
        nack(&session, 1, held: [])
        #expect(session.frames() == ["repair FL 1", "progress (10,3)"])
    }

    @Test func theNumbersOfNacksRise() {
        var session = TestSession.live()
        session.showHome()
        nack(&session, 1, held: [])
        nack(&session, 1, held: [])
        #expect(session.control() == ["close NACK_INVALID"])
    }

    @Test func theLastOfSeveralNacksIsAnswered() {
        var session = TestSession.live()
        session.showHome()
        nack(&session, 1, held: [(1, "h1"), (2, "r1"), (3, "b1")])
        nack(&session, 2, held: [(1, "h1"), (2, "r1"), (3, "b1")])
        #expect(session.frames() == ["repair F 2", "join L 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    private func nack(_ session: inout TestSession, _ number: UInt32, held: [(UInt64, String?)]) {
        let held = held.map { handle, name in
            HeldVersion(handle: handle, sum: name.map { session.version($0).sum })
        }
        let status = Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: "")
        session.receive(.nack(Nack(number: number, good: session.cut(10, 3), held: held, status: status)))
    }
}
