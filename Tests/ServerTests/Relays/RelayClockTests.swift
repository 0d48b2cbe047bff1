import MarqueeModel
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeRelay
@testable import MarqueeServer

/// Times and statuses that the server upstream names, however odd they are.
@Suite struct RelayClockTests {
    /// A relay's core on a connection where the test plays the server.
    private final class Upstream {
        private(set) var core: RelayCore
        private(set) var sent: [Message] = []
        private(set) var ends: [String] = []

        /// The clock of a machine that has been running for a month.
        static let start: UInt64 = 30 * 86_400_000

        init(_ adjust: (inout Welcome) -> Void = { _ in }) {
            let nowhere = RelayCore.Outlet(
                send: { _ in }, disconnect: { _ in }, publish: { _ in }, guestEnded: { _ in }, report: { _ in })
            core = RelayCore(
                library: VersionLibrary(), token: { "token" }, clientID: [UInt8](repeating: 9, count: 16),
                agent: "relay", now: Self.start, outlet: nowhere)
            core.direct(
                to: RelayCore.Outlet(
                    send: { [unowned self] in sent.append($0) },
                    disconnect: { [unowned self] in ends.append($0.reason) },
                    publish: { _ in }, guestEnded: { _ in }, report: { _ in }))
            var welcome = Welcome()
            welcome.cluster = "c"
            welcome.cut = Cut(catalogueEpoch: 7, catalogueRevision: 10)
            welcome.limits = .relay
            adjust(&welcome)
            core.connected(now: Self.start)
            say(.welcome(welcome))
        }

        func say(_ message: Message) {
            core.received(message, Frame(kind: message.kind, body: ByteBuffer()))
        }

        func tick(after milliseconds: UInt64) { core.tick(now: Self.start + milliseconds) }

        /// Answers the newest call of a method.
        func answer(_ method: Method, status: Status? = nil, _ body: [UInt8] = []) {
            for case .request(let request) in sent.reversed() where request.method == method {
                return say(.answer(Answer(call: request.call, status: status, body: body)))
            }
        }

        var renewals: Int {
            sent.count { if case .request(let request) = $0 { request.method == .renew } else { false } }
        }
    }

    @Test func `An identity that is valid almost for ever is not renewed soon`() {
        let upstream = Upstream { $0.identityMilliseconds = .max }
        upstream.tick(after: 1_000)
        #expect(upstream.renewals == 0 && upstream.ends.isEmpty)
        let soon = Upstream { $0.identityMilliseconds = 10_000 }
        soon.tick(after: 8_000)
        #expect(soon.renewals == 1)
        soon.answer(.renew, CallBodyCodec.encodeRenewAnswer(milliseconds: .max))
        soon.tick(after: 9_000)
        #expect(soon.renewals == 1 && soon.ends.isEmpty)
    }

    @Test(arguments: [(Status.Remedy.retrySame, 2), (.reauthenticate, 1)])
    func `A renewal that fails is repeated, unless another token is needed`(remedy: Status.Remedy, renewals: Int) {
        let upstream = Upstream { $0.identityMilliseconds = 100_000 }
        upstream.tick(after: 80_000)
        #expect(upstream.renewals == 1)
        let status = Status(.unavailable, reason: "TOKENS_UNAVAILABLE", remedy: remedy, message: "later")
        upstream.answer(.renew, status: status)
        upstream.say(.pong(nonce: 0))
        upstream.tick(after: 89_000)
        #expect(upstream.renewals == 1)
        upstream.tick(after: 90_000)
        #expect(upstream.renewals == renewals)
    }

    @Test(arguments: [(.max, 1 << 40), (1_000, 1_000), (0, 0)] as [(UInt64, Int64)])
    func `A guest's identity ends within the time that is counted`(left: UInt64, counted: Int64) {
        let now: Int64 = 1_800_000_000_000
        #expect(RelaySource.end(after: left, now: now) == now + counted)
    }

    @Test func `A server upstream that was never current is out of date by the longest time counted`() {
        let upstream = Upstream()
        upstream.tick(after: 5_000)
        var health = HealthAnswer()
        health.state = "serving"
        health.staleMilliseconds = .max
        health.unwritableMilliseconds = .max
        upstream.answer(.health, CallBodyCodec.encode(health))
        #expect(upstream.core.staleMilliseconds(now: Upstream.start + 5_000) == 1 << 40)
        #expect(upstream.core.health.unwritable == 1 << 40)
        upstream.core.disconnected(now: Upstream.start + 5_000)
        #expect(upstream.core.staleMilliseconds(now: Upstream.start + 6_000) == (1 << 40) + 1_000)
    }

    @Test func `A ping interval of 0 doesn't end the connection; it is asked once a second`() {
        let upstream = Upstream { ($0.pingIntervalMilliseconds, $0.pingMinimumMilliseconds) = (0, 0) }
        upstream.tick(after: 999)
        #expect(upstream.ends.isEmpty && !upstream.sent.contains { $0.kind == .ping })
        upstream.tick(after: 1_000)
        #expect(upstream.sent.contains { $0.kind == .ping })
        upstream.tick(after: 1_999)
        #expect(upstream.ends.isEmpty)
        upstream.tick(after: 2_000)
        #expect(upstream.ends == ["nothing was received from it for too long"])
    }

    @Test func `After a month of sleep the server upstream is asked before it is left`() {
        let upstream = Upstream()
        upstream.tick(after: Upstream.start)
        #expect(upstream.ends.isEmpty && upstream.sent.contains { $0.kind == .ping })
        upstream.tick(after: Upstream.start + 20_000)
        #expect(upstream.ends == ["nothing was received from it for too long"])
    }

    @Test func `An answer with the status OK has succeeded`() {
        let upstream = Upstream()
        var guests: [UInt32] = []
        upstream.core.introduce(Credentials(user: "ana", clientID: [UInt8](repeating: 1, count: 16))) {
            if case .success(let introduced) = $0 { guests.append(introduced.guest) }
        }
        let body = CallBodyCodec.encode(
            IntroduceAnswer(
                user: "ana", scopes: [], identityMilliseconds: nil,
                cut: Cut(catalogueEpoch: 7, catalogueRevision: 10, userEpoch: 7, userRevision: 1), lastMutation: nil))
        upstream.answer(.introduce, status: Status(.ok, reason: "", remedy: .fatal, message: ""), body)
        #expect(guests == [1])
    }
}
