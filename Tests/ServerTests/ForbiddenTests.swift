import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

/// The actions that Proto/PROTOCOL.md forbids a client, and the server's answers to them.
@Suite struct ForbiddenTests {
    private let home = [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1")] as [(String, UInt64, String)]

    private func nack(_ number: UInt32) -> Message {
        let status = Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: "")
        return .nack(Nack(number: number, good: Cut(), held: [], status: status))
    }

    @Test(arguments: [0, 2, 7, .max] as [UInt32])
    func `The first nack of a connection is number one`(_ number: UInt32) {
        var session = TestSession.live()
        session.showHome()
        session.receive(nack(number))
        #expect(session.frames() == ["close NACK_INVALID"])
    }

    @Test(arguments: [1, 3] as [UInt32])
    func `The second nack is number two`(_ number: UInt32) {
        var session = TestSession.live()
        session.showHome()
        session.receive(nack(1))
        _ = session.frames()
        session.receive(nack(number))
        #expect(session.frames() == ["close NACK_INVALID"])
    }

    @Test func `An open subscription keeps its screen`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(1, "chart", generation: 1)
        #expect(session.frames() == ["close SUBSCRIPTION_REUSED"])
    }

    @Test func `An open subscription keeps its locale`() {
        var session = TestSession.live()
        session.showHome()
        session.receive(.subscribe(Subscribe(subscription: 1, generation: 1, screen: "home", locale: "ko")))
        #expect(session.frames() == ["close SUBSCRIPTION_REUSED"])
    }

    @Test func `A section is offered once for resuming`() {
        var session = TestSession.live()
        let resume = session.resume("h1", ["rank": "r1", "rank": "r2"])
        #expect(session.subscribe(1, "home", resume: resume) == [])
        #expect(session.frames() == ["error 1 gen 0 REPEATED_SECTION"])
        // The id is used up, and the connection continues.
        #expect(session.subscribe(2, "home") == ["open home"])
    }

    @Test(arguments: [(11, 3), (10, 4)] as [(UInt64, UInt64)])
    func `An ack can't name a position that the node lacks`(_ catalogue: UInt64, _ user: UInt64) {
        var session = TestSession.live()
        session.showHome()
        session.receive(.ack(bytes: session.dataBytes, cut: session.cut(10, 3)))
        #expect(session.frames() == [])
        session.receive(.ack(bytes: session.dataBytes, cut: session.cut(catalogue, user)))
        #expect(session.frames() == ["close ACK_INVALID"])
    }

    @Test func `Only a relay dismisses guests, and only those whom it has introduced`() {
        var client = TestSession.live()
        client.receive(.dismiss(guest: 1))
        #expect(client.frames() == ["close RELAY_EXPECTED"])
        var relay = TestSession()
        var hello = TestSession.hello()
        hello.isRelay = true
        relay.receive(.hello(hello))
        relay.authenticate(.success(Identity(user: nil, scopes: .everything)))
        _ = relay.frames()
        relay.receive(.dismiss(guest: 1))
        #expect(relay.frames() == ["close GUEST_UNKNOWN"])
    }

    @Test func `Positions of another epoch aren't compared`() {
        var session = TestSession.live()
        session.receive(.ack(bytes: 0, cut: Cut(catalogueEpoch: 99, catalogueRevision: 1_000)))
        #expect(session.frames() == [])
    }

    @Test(arguments: [
        "xyz", "movie/", "Movie/7", "/7", "sh ow/7",
    ])
    func `Only a subject in the form of a record can be a favorite`(_ subject: String) {
        var session = TestSession.live()
        #expect(session.favorite(subject, true) == [])
        #expect(session.frames() == ["answer 1 0 bytes SUBJECT_INVALID"])
    }

    @Test func `A favorite with an empty subject can't be read`() {
        var session = TestSession.live()
        #expect(session.favorite("", true) == [])
        #expect(session.frames() == ["answer 1 0 bytes BODY_INVALID"])
    }

    @Test(arguments: ["movie/7", "movie/18446744073709551615", "episode/a b", "banner/featured/7"])
    func `Records of any type can be favorites`(_ subject: String) {
        var session = TestSession.live()
        #expect(session.favorite(subject, false) == ["perform 1 collection"])
    }

    @Test func `A view whose record is removed ends with an error, and doesn't move before that`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail/7")
        session.hubOpens("detail/7", [("", 4, "d1"), ("detail", 5, "e1")])
        while !session.frames().isEmpty { session.acknowledge() }
        // Its detail is empty now, and its screen is gone.
        #expect(session.publish(11, [(5, "e2"), (2, "r2")], gone: [4]) == ["open detail/7"])
        #expect(session.frames() == [])
        #expect(session.hubRefuses("UNKNOWN_RECORD") == ["release [4, 5]"])
        #expect(session.frames().first == "error 2 gen 0 UNKNOWN_RECORD")
        #expect(session.core.subscriptionCount == 1)
    }
}

extension TestSession {
    fileprivate mutating func favorite(_ subject: String, _ isSet: Bool) -> [String] {
        let body = CollectionRequest(number: 1, answeredThrough: 0, subject: subject, isMember: isSet)
        return receive(.request(Request(call: 1, method: .collection, body: CallBodyCodec.encode(body))))
    }
}
