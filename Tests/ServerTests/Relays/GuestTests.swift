import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

/// What a session tells a relay of its guests' logs.
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

    @Test func `A second guest's position doesn't keep the first from hearing what led there`() {
        var session = relay()
        session.session.follow("ana")
        introduce(1, at: 3, to: &session)
        // The store is ahead of what was published.
        introduce(2, at: 4, to: &session)
        session.sessions.published(Publication(catalogueRevision: 10, users: ["ana": 4], changes: [:]))
        session.deliver()
        #expect(session.frames() == ["user ana 4"])
    }
}
