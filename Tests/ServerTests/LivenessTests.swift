import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct LivenessTests {
    @Test func `A ping is answered`() {
        var session = TestSession.live()
        session.receive(.ping(nonce: 42))
        #expect(session.frames() == ["pong 42"])
    }

    @Test func `The ninth hasty ping ends the connection`() {
        var session = TestSession.live()
        for nonce in 0...8 as ClosedRange<UInt64> { #expect(session.receive(.ping(nonce: nonce)) == []) }
        #expect(session.receive(.ping(nonce: 9)) == ["close"])
        #expect(session.frames().last == "close TOO_MANY_PINGS")
    }

    /// An app that returns to the foreground probes its connection at once; doing so often over a long connection isn't
    /// abuse.
    @Test func `Hasty pings are forgotten one a minute`() {
        var session = TestSession.live()
        for nonce in 0...8 as ClosedRange<UInt64> { #expect(session.receive(.ping(nonce: nonce)) == []) }
        for _ in 0..<20 {
            session.now += HastyPings.forgottenAfter
            for nonce in 0...1 as ClosedRange<UInt64> { #expect(session.receive(.ping(nonce: nonce)) == []) }
        }
        session.now += HastyPings.forgottenAfter - 1
        #expect(session.receive(.ping(nonce: 0)) == [])
        #expect(session.receive(.ping(nonce: 1)) == ["close"], "none is forgotten before its minute has passed")
        #expect(session.frames().last == "close TOO_MANY_PINGS")
    }

    @Test func `A long silence forgives no more pings than were sent`() {
        var session = TestSession.live()
        for nonce in 0...8 as ClosedRange<UInt64> { #expect(session.receive(.ping(nonce: nonce)) == []) }
        session.now += 1_000 * HastyPings.forgottenAfter
        for nonce in 0...8 as ClosedRange<UInt64> { #expect(session.receive(.ping(nonce: nonce)) == []) }
        #expect(session.receive(.ping(nonce: 9)) == ["close"])
    }

    @Test func `Pings at the allowed pace are fine`() {
        var session = TestSession.live()
        for nonce in 0..<100 as Range<UInt64> {
            session.now += 1_000
            #expect(session.receive(.ping(nonce: nonce)) == [])
        }
    }

    /// etcd#17507: a watcher of something that never changed could not tell whether it was current.
    @Test func `Progress is sent at the interval, to idle clients too`() {
        var session = TestSession.live()
        session.tick(after: 14_999)
        #expect(session.frames() == [])
        session.publish(11, [])
        session.tick(after: 1)
        #expect(session.frames() == ["progress (11,3)"])
        session.tick(after: 14_999)
        #expect(session.frames() == [])
        session.tick(after: 1)
        #expect(session.frames() == ["progress (11,3)"])
    }

    @Test func `Progress never comes within a cut`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2"), (3, "b2")])
        #expect(session.frames(1) == ["data F 2 r1→r2"])
        session.tick(after: 15_000)
        #expect(session.frames() == ["data L 3 b1→b2"])
        session.tick(after: 1)
        #expect(session.frames() == ["progress (11,3)"])
    }

    @Test func `Progress names what was delivered and no more`() {
        var session = TestSession.live(credit: 1)
        session.showHome()
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["data FL 2 r1→r2"])
        session.publish(12, [(2, "r3")])
        session.tick(after: 15_000)
        #expect(session.frames() == ["progress (11,3)"])
    }

    @Test func `A client that asks for shorter intervals is dropped after three of those`() {
        var hello = TestSession.hello()
        hello.pingIntervalMilliseconds = 6_000
        var session = TestSession()
        session.receive(.hello(hello))
        session.authenticate(.success(Identity(user: nil, scopes: .everything)))
        #expect(session.tick(after: 17_999) == [])
        #expect(session.tick(after: 1) == ["close"])
        #expect(session.frames().last == "close SILENT")
    }

    @Test(arguments: [1_000, 5_000, 15_000, 20_000] as [UInt32])
    func `A client that only receives is heard by its acks of progress, whatever interval was granted`(
        interval: UInt32
    ) {
        var hello = TestSession.hello()
        hello.pingIntervalMilliseconds = interval
        var session = TestSession()
        session.receive(.hello(hello))
        session.authenticate(.success(Identity(user: nil, scopes: .everything)))
        _ = session.frames()
        var acks = 0
        for _ in 0..<200 {
            #expect(session.tick(after: 500) == [])
            guard session.frames().contains(where: { $0.hasPrefix("progress") }) else { continue }
            session.heard()
            acks += 1
        }
        #expect(acks == 100_000 / Int(min(interval, 15_000)))
    }

    @Test func `A client silent for three intervals is dropped`() {
        var session = TestSession.live()
        #expect(session.tick(after: 59_999) == [])
        #expect(session.tick(after: 1) == ["close"])
        #expect(session.frames().last == "close SILENT")
    }

    @Test func `Any byte proves that the peer is alive`() {
        var session = TestSession.live()
        session.now = 50_000
        session.heard()
        #expect(session.tick(after: 59_999) == [])
    }

    @Test func `Bytes that never complete a frame don't count forever`() {
        var session = TestSession.live()
        session.received(frames: 0, isWithinFrame: true)
        for _ in 0..<59 {
            session.heard()
            #expect(session.tick(after: 1_000) == [])
            session.received(frames: 0, isWithinFrame: true)
        }
        session.heard()
        #expect(session.tick(after: 1_000) == ["close"])
        #expect(session.frames().last == "close FRAME_UNFINISHED")
    }

    @Test func `The next frame may begin as soon as one ends`() {
        var session = TestSession.live()
        for _ in 0..<100 {
            session.received(frames: 1, isWithinFrame: true)
            session.heard()
            #expect(session.tick(after: 1_000) == [])
        }
    }

    @Test func `Drain is announced once the client is known`() {
        var session = TestSession()
        session.receive(.hello(TestSession.hello()))
        #expect(session.drain() == [])
        #expect(session.frames() == [])
        session.authenticate(.success(Identity(user: nil, scopes: .readOnly)))
        #expect(session.frames() == ["welcome (10,3)", "goAway DRAINING"])
    }

    @Test func `Cuts continue while the server drains`() {
        var session = TestSession.live()
        session.showHome()
        _ = session.drain()
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["goAway DRAINING", "data FL 2 r1→r2"])
    }
}
