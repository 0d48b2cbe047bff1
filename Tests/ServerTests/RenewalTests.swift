import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct RenewalTests {
    private static func renew(_ call: UInt32, _ token: String = "t") -> Message {
        .request(Request(call: call, method: .renew, body: CallBodyCodec.encodeRenewRequest(token: token)))
    }

    private static func identity(_ user: String? = "ana", _ scopes: String...) throws -> Identity {
        Identity(user: user, scopes: try Scopes(scopes))
    }

    /// A session that shows home and a detail screen.
    private static func showing() -> TestSession {
        var session = TestSession.live()
        session.subscribe(1, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rail", 2, "r1")])
        session.subscribe(2, "detail/1")
        session.hubOpens("detail/1", [("", 3, "d1")])
        _ = session.frames()
        return session
    }

    @Test func `Welcome says how long an identity is valid`() throws {
        var session = TestSession()
        session.receive(.hello(TestSession.hello()))
        _ = session.core.authenticated(
            .success(try Self.identity()), newest: session.cut(10, 3), lastMutation: nil, standing: .until(60_000),
            now: 0)
        let frame = try #require(session.core.takeControlFrames().first)
        var decoder = FrameDecoder()
        decoder.append(frame)
        let message = try MessageCodec.decode(try #require(try decoder.next()), limits: .client)
        guard case .welcome(let welcome)? = message else {
            Issue.record("no welcome")
            return
        }
        #expect(welcome.identityMilliseconds == 60_000)
    }

    /// Found by the simulation: the token was revoked while the server's position was looked up.
    @Test func `A token that ends before the welcome is refused`() throws {
        var session = TestSession()
        session.receive(.hello(TestSession.hello()))
        _ = session.core.authenticated(
            .success(try Self.identity()), newest: session.cut(10, 3), lastMutation: nil, standing: .ended, now: 0)
        #expect(session.frames() == ["close TOKEN_ENDED"])
    }

    @Test func `Another token of the same user takes over, and views that it may see go on`() throws {
        var session = Self.showing()
        #expect(session.receive(Self.renew(1, "secret")) == ["renew 1 secret"])
        #expect(session.renewed(1, .success(try Self.identity("ana", "read home")), .until(5)) == ["release [3]"])
        #expect(session.frames() == ["error 2 gen 0 UNKNOWN_SCREEN", "answer 1 2 bytes OK"])
        #expect(session.core.identity.scopes.texts == ["read home"])
        // Later requests are judged by the new identity.
        session.subscribe(3, "detail/1")
        #expect(session.frames() == ["error 3 gen 0 UNKNOWN_SCREEN"])
    }

    /// Found by the simulation: the cut with the last join had failed at the client, which took the end for the refusal
    /// of that change, and showed the view as live for ever.
    @Test func `A view that ends says so whichever join the client has applied`() throws {
        var session = Self.showing()
        session.subscribe(2, "detail/1", generation: 1)
        session.hubOpens("detail/1", [("", 3, "d1")])
        #expect(session.frames() == ["join FL 2 gen 1: 3 d1 (10,3)"])
        session.receive(Self.renew(1))
        _ = session.renewed(1, .success(try Self.identity("ana", "read home")))
        #expect(session.frames() == ["error 2 gen 0 UNKNOWN_SCREEN", "answer 1 0 bytes OK"])
    }

    @Test func `A synced session leaves its cohort to end a view, and the others stay`() throws {
        var session = Self.showing()
        #expect(session.session.isSynced)
        session.receive(Self.renew(1))
        _ = session.renewed(1, .success(try Self.identity("ana", "read home")))
        _ = session.frames()
        #expect(session.core.subscriptions.ids == [1])
    }

    @Test func `A token that isn't accepted fails the call alone`() throws {
        for (result, standing, reason) in [
            (.success(try Self.identity("ben", "read *")), .untilRevoked, "TOKEN_OF_ANOTHER"),
            (.success(try Self.identity(nil, "read *")), .untilRevoked, "TOKEN_OF_ANOTHER"),
            (.success(try Self.identity("ana")), .ended, "TOKEN_ENDED"),
            (
                .failure(
                    Status(.unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate, message: "no")),
                .ended, "TOKEN_REFUSED"
            ),
        ] as [(Result<Identity, Status>, Standing, String)] {
            var session = Self.showing()
            session.receive(Self.renew(1))
            #expect(session.renewed(1, result, standing) == [])
            #expect(session.frames() == ["answer 1 0 bytes \(reason)"])
            #expect(session.core.identity.scopes == .everything)
        }
    }

    @Test func `One token is checked at a time`() throws {
        var session = Self.showing()
        #expect(session.receive(Self.renew(1)) == ["renew 1 t"])
        #expect(session.receive(Self.renew(2)) == [])
        #expect(session.frames() == ["answer 2 0 bytes TOO_MANY_CALLS"])
        _ = session.renewed(1, .success(try Self.identity("ana", "read *")))
        _ = session.frames()
        #expect(session.receive(Self.renew(3)) == ["renew 3 t"])
    }

    @Test func `A token that is too long ends in the guard`() {
        var session = Self.showing()
        session.receive(Self.renew(1, String(repeating: "x", count: WireLimits.tokenBytes + 1)))
        #expect(session.frames() == ["answer 1 0 bytes BODY_INVALID"])
        #expect(session.receive(Self.renew(2)) == ["renew 2 t"], "the place is free again")
    }
}
