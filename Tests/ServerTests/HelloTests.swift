import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct HelloTests {
    @Test func `Hello is authenticated and answered with the newest position`() {
        var session = TestSession()
        #expect(session.receive(.hello(TestSession.hello())) == ["authenticate nobody"])
        #expect(session.authenticate(.success(Identity(user: nil, scopes: .readOnly))) == [])
        #expect(session.frames() == ["welcome (10,3)"])
    }

    @Test(
        arguments: [
            .ping(nonce: 1), .subscribe(Subscribe(subscription: 1, screen: "home")), .welcome(Welcome()),
        ] as [Message])
    func `The first message has to be hello`(message: Message) {
        var session = TestSession()
        #expect(session.receive(message) == ["close"])
        #expect(session.frames() == ["close HELLO_EXPECTED"])
    }

    @Test func `Nothing comes between hello and welcome`() {
        var session = TestSession()
        session.receive(.hello(TestSession.hello()))
        #expect(session.receive(.ping(nonce: 1)) == ["close"])
        #expect(session.frames() == ["close HELLO_EXPECTED"])
    }

    @Test func `Hello comes once`() {
        var session = TestSession.live()
        #expect(session.receive(.hello(TestSession.hello())) == ["close"])
        #expect(session.frames() == ["close HELLO_REPEATED"])
    }

    @Test(
        arguments: [
            .welcome(Welcome()), .progress(CutChange()), .repair(number: 1),
            .rebase(Rebase(subscription: 1, sections: [])),
            .answer(Answer(call: 1)), .stage(Part(handle: 1, base: nil, target: 1)),
            .goAway(
                Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: ""), reconnectMilliseconds: 0...1),
        ] as [Message])
    func `A message that only a server sends ends the connection`(message: Message) {
        var session = TestSession.live()
        #expect(session.receive(message) == ["close"])
        #expect(session.frames() == ["close WRONG_DIRECTION"])
    }

    @Test func `An unrequested manifest is refused`() {
        var session = TestSession.live()
        session.receive(.manifest(Manifest(handle: 1, sum: 1, headHash: 1, pairs: [], more: false)))
        #expect(session.frames() == ["close MANIFEST_UNEXPECTED"])
    }

    @Test(arguments: [(1, 1, true), (1, 9, true), (0, 1, true), (2, 3, false), (0, 0, false)])
    func `The server needs protocol 1`(minimum: UInt32, maximum: UInt32, isTaken: Bool) {
        var session = TestSession()
        var hello = TestSession.hello()
        (hello.protocolMinimum, hello.protocolMaximum) = (minimum, maximum)
        #expect(session.receive(.hello(hello)) == [isTaken ? "authenticate nobody" : "close"])
        #expect(session.frames() == (isTaken ? [] : ["close PROTOCOL_UNSUPPORTED"]))
    }

    @Test func `The mirror of another cluster is refused`() {
        var session = TestSession()
        var hello = TestSession.hello()
        hello.cluster = "another"
        session.receive(.hello(hello))
        #expect(session.frames() == ["close OTHER_CLUSTER"])
    }

    @Test func `A client whose limits are below what is sent is refused`() {
        let limits: [WritableKeyPath<WireLimits, UInt32>] = [
            \.frameBytes, \.partBytes, \.elementsPerFrame, \.listItems, \.sections,
        ]
        for limit in limits {
            var session = TestSession()
            var hello = TestSession.hello()
            hello.limits[keyPath: limit] -= 1
            session.receive(.hello(hello))
            #expect(session.frames() == ["close LIMITS_TOO_LOW"])
        }
    }

    @Test func `A rejected client learns why`() {
        var session = TestSession()
        session.receive(.hello(TestSession.hello()))
        let status = Status(.unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate, message: "")
        #expect(session.authenticate(.failure(status)) == ["close"])
        #expect(session.frames() == ["close TOKEN_REFUSED"])
    }

    @Test func `Frames must be small until the client is known`() {
        #expect(TestSession().core.frameLimit == WireLimits.unauthenticatedFrameBytes)
        #expect(TestSession.live().core.frameLimit == WireLimits.server.frameBytes)
    }

    @Test func `Hello has to come in time`() {
        var session = TestSession()
        #expect(session.tick(after: 9_999) == [])
        #expect(session.tick(after: 1) == ["hit hello", "close"])
        #expect(session.frames() == ["close HELLO_TIMEOUT"])
    }

    @Test func `Unreadable bytes are answered with the reason`() {
        var session = TestSession.live()
        _ = session.receive(.ping(nonce: 1))
        #expect(session.garbage(WireError(.invalidUTF8, "no text")) == ["close"])
        #expect(session.frames() == ["pong 1", "close INVALID_UTF8"])
    }

    @Test func `A closed session receives nothing more`() {
        var session = TestSession.live()
        session.showHome()
        #expect(
            session.receive(.close(Status(.ok, reason: "", remedy: .fatal, message: ""))) == [
                "release [1, 2, 3]", "close",
            ])
        #expect(session.receive(.ping(nonce: 1)) == [])
        #expect(session.publish(11, [(2, "r2")]) == [])
        #expect(session.frames() == [])
    }
}
