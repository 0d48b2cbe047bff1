import MarqueeModel
import MarqueeScreens
import MarqueeWire
import Testing

@testable import MarqueeServer

/// A session's messages to a relay about its guests' logs.
@Suite struct GuestTests {
    /// A session of a relay with nothing to send.
    private func relay() -> TestSession {
        var session = TestSession()
        var hello = TestSession.hello()
        hello.isRelay = true
        _ = session.receive(.hello(hello))
        session.authenticate(.success(Identity(user: nil, scopes: .everything)))
        _ = session.frames()
        return session
    }

    /// Introduces one more guest of ana's, as the store finds their position.
    private func introduce(_ guest: UInt32, at revision: UInt64, to session: inout TestSession) {
        let introduction = IntroduceRequest(
            guest: guest, user: "ana", token: nil, clientID: [UInt8](repeating: 2, count: Hello.clientIDBytes),
            address: nil)
        let request = Request(
            call: guest, method: .introduce, deadlineMilliseconds: nil, body: CallBodyCodec.encode(introduction))
        _ = session.receive(.request(request))
        let identity = Identity(user: "ana", scopes: .everything)
        session.shell.run(session.core.met(call: guest, introduction, .success(identity), now: 0))
        session.shell.run(
            session.core.introduced(
                call: guest, guest: guest, .success((cut: session.cut(10, revision), lastMutation: nil)),
                standing: .untilRevoked, now: 0))
        _ = session.frames()
    }

    @Test func `A second guest's position doesn't keep the changes that led there from the first`() {
        var session = relay()
        session.session.follow("ana")
        introduce(1, at: 3, to: &session)
        // The store is ahead of what was published.
        introduce(2, at: 4, to: &session)
        session.sessions.published(Publication(catalogueRevision: 10, users: ["ana": 4], changes: [:]))
        session.deliver()
        #expect(session.frames() == ["user ana 4"])
    }

    @Test func `Work for a guest who leaves is dropped and answered, and work for others goes on`() {
        var session = relay()
        introduce(1, at: 3, to: &session)
        introduce(2, at: 3, to: &session)
        let body = CallBodyCodec.encode(GetScreenRequest(screen: "home"))
        for (call, guest) in [(10, 1), (11, 2), (12, 1)] as [(UInt32, UInt32)] {
            session.receive(.request(Request(call: call, method: .plan, body: body, guest: guest)))
        }
        _ = session.frames()
        let actions = session.receive(.dismiss(guest: 1))
        let told = actions + session.frames()
        #expect(told.filter { $0.hasPrefix("drop") } == ["drop 1"])
        #expect(told.contains("answer 10 0 bytes CANCELLED") && told.contains("answer 12 0 bytes CANCELLED"))
        #expect(session.core.calls.inFlight == [11])
        session.answer(10, .success([1]))
        session.answer(11, .success([1]))
        #expect(session.frames() == ["answer 11 1 bytes OK"])
        #expect(session.core.calls.guests.isEmpty && session.core.calls.inFlight.isEmpty)
    }

    @Test func `A relay that can't tell readers apart gets no guests with claims`() {
        let claims = Claims(["plan": .text("plus")])
        let identity = Identity(user: "ana", grant: Grant(.readOnly, from: .open, claims: claims))
        for (number, distinguishes, answer) in [(1, false, "RELAY_TOO_OLD"), (2, true, nil)]
            as [(UInt32, Bool, String?)]
        {
            var session = relay()
            let introduction = IntroduceRequest(
                guest: number, user: "ana", token: "t", clientID: [UInt8](repeating: 2, count: Hello.clientIDBytes),
                address: nil, distinguishesClaims: distinguishes)
            session.receive(
                .request(Request(call: 1, method: .introduce, body: CallBodyCodec.encode(introduction))))
            session.shell.run(session.core.met(call: 1, introduction, .success(identity), now: 0))
            #expect(session.frames() == (answer.map { ["answer 1 0 bytes \($0)"] } ?? []))
            #expect(session.core.guestIdentities.count == (distinguishes ? 1 : 0))
        }
    }

    @Test func `Guests of one connection, and other connections, have turns of their own`() {
        let connections: [ConnectionID] = [1, 2, 1 << 31]
        var lanes = Set(connections)
        for connection in connections.prefix(2) {
            for guest in [1, 2, .max] as [UInt32] { lanes.insert(connection.lane(of: guest)) }
        }
        #expect(lanes.count == 9)
    }
}
