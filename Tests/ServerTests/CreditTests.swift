import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct CreditTests {
    @Test func `Credit holds back the beginning of a cut, never its middle`() {
        var session = TestSession.live(credit: 1)
        session.showHome()
        session.publish(11, [(2, "r2"), (3, "b2")])
        #expect(session.frames() == ["data F 2 r1→r2", "data L 3 b1→b2"])
        session.publish(12, [(2, "r3")])
        #expect(session.frames() == [])
        session.acknowledge()
        #expect(session.frames() == ["data FL 2 r2→r3"])
    }

    @Test func `Credit holds back staged parts and joins`() {
        var session = TestSession.live(credit: 1)
        session.subscribe(1, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1")])
        #expect(session.frames() == ["stage 1 h1"])
        session.acknowledge()
        #expect(session.frames() == ["stage 2 r1"])
        #expect(session.frames() == [], "a join begins a cut")
        session.acknowledge()
        #expect(session.frames() == ["join FL 1 gen 0: 1 h1, 2 r1 (10,3)"])
    }

    @Test func `Ten publications without credit make one patch`() {
        var session = TestSession.live(credit: 1)
        session.showHome()
        session.publish(11, [(3, "b2")])
        #expect(session.frames() == ["data FL 3 b1→b2"])
        for number in 2...11 as ClosedRange<UInt64> { session.publish(10 + number, [(2, "r\(number)")]) }
        #expect(session.frames() == [])
        session.acknowledge()
        #expect(session.frames() == ["data FL 2 r1→r11"])
        #expect(session.core.position == session.cut(21, 3))
    }

    @Test func `The smaller credit of the two sides counts`() {
        var session = TestSession.live(credit: 1 << 20, adjust: { $0.limits.creditBytes = 1 })
        session.subscribe(1, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1")])
        #expect(session.frames() == ["stage 1 h1"])
    }

    @Test func `Control frames need no credit`() {
        var session = TestSession.live(credit: 1)
        session.showHome()
        session.publish(11, [(2, "r2")])
        _ = session.frames()
        session.receive(.ping(nonce: 5))
        #expect(session.frames() == ["pong 5"])
    }

    @Test func `An ack of a position that this node doesn't have ends the connection`() {
        var session = TestSession.live()
        session.showHome()
        session.receive(.ack(bytes: session.dataBytes, cut: session.cut(10, 3)))
        #expect(session.frames() == [])
        session.receive(.ack(bytes: session.dataBytes, cut: session.cut(11, 3)))
        #expect(session.frames() == ["close ACK_INVALID"])
    }

    @Test func `An ack of more than was sent ends the connection`() {
        var session = TestSession.live()
        session.showHome()
        session.receive(.ack(bytes: session.dataBytes + 1, cut: nil))
        #expect(session.frames() == ["close ACK_INVALID"])
    }

    @Test func `An ack never goes back`() {
        var session = TestSession.live()
        session.showHome()
        session.acknowledge()
        session.receive(.ack(bytes: session.dataBytes - 1, cut: nil))
        #expect(session.frames() == ["close ACK_INVALID"])
    }

    @Test func `A client that takes no data for a minute is dropped`() {
        var session = TestSession.live(credit: 1)
        session.showHome()
        session.publish(11, [(2, "r2")])
        _ = session.frames()
        session.publish(12, [(2, "r3")])
        _ = session.frames()
        for _ in 0..<5 {
            session.heard()
            #expect(session.tick(after: 11_000) == [])
        }
        session.heard()
        #expect(session.tick(after: 5_000) == ["release [1, 2, 3]", "close"])
        #expect(session.frames().last == "close DATA_NOT_TAKEN")
    }

    @Test func `A socket that takes no data for a minute is dropped too`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2")])
        #expect(session.waits(66_000) == "close DATA_NOT_TAKEN", "nobody asked for a frame")
    }

    @Test func `A client with nothing to take is not dropped`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2")])
        session.tick(after: 1_000)
        session.receive(.unsubscribe(1))
        #expect(session.waits(120_000) == nil)
    }
}
