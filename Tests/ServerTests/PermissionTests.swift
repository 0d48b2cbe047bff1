import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

/// A session of a client whose identity doesn't allow everything.
@Suite struct PermissionTests {
    private static let change = CollectionRequest(number: 1, answeredThrough: 0, subject: "movie/7", isMember: true)

    private func session(_ scopes: Scopes, isRelay: Bool = false) -> TestSession {
        var session = TestSession()
        var hello = TestSession.hello()
        hello.isRelay = isRelay
        session.receive(.hello(hello))
        session.authenticate(.success(Identity(user: isRelay ? nil : "ana", scopes: scopes)))
        _ = session.frames()
        return session
    }

    @Test func `A collection is changed for a client that may change it, and for no other`() {
        let request = Request(call: 1, method: .collection, body: CallBodyCodec.encode(Self.change))
        var reader = session(.readOnly)
        #expect(reader.receive(.request(request)) == [])
        #expect(reader.frames() == ["answer 1 0 bytes SCOPE_TOO_SMALL"])
        var anybody = session(.everything)
        #expect(anybody.receive(.request(request)) == ["perform 1 collection"])
    }

    @Test func `A relay is told what each of its guests may do`() throws {
        var relay = session(.everything, isRelay: true)
        let introduction = IntroduceRequest(
            guest: 1, user: "ana", token: nil, clientID: [UInt8](repeating: 2, count: Hello.clientIDBytes), address: nil
        )
        relay.receive(.request(Request(call: 1, method: .introduce, body: CallBodyCodec.encode(introduction))))
        _ = relay.core.met(call: 1, introduction, .success(Identity(user: "ana", scopes: .readOnly)), now: 0)
        _ = relay.core.introduced(
            call: 1, guest: 1, .success((cut: relay.cut(10, 3), lastMutation: nil)), standing: .untilRevoked, now: 0)
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        let answered = relay.core.nextDataFrame(now: 0)
        decoder.append(try #require(answered))
        let frame = try #require(try decoder.next())
        guard case .answer(let answer)? = try MessageCodec.decode(frame, limits: .client) else {
            Issue.record("a frame of kind \(frame.kind.rawValue) came instead of the answer")
            return
        }
        let scopes = try CallBodyCodec.decodeIntroduceAnswer(answer.body, limits: .client).scopes
        #expect(try Scopes(scopes) == .readOnly)
    }
}
