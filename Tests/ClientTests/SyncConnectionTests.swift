import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite struct SyncConnectionTests {
    @Test func `Wanted views are subscribed to after welcome`() {
        var sync = TestSync()
        #expect(sync.want(TestSync.home) == [])
        #expect(sync.connect() == ["hello", "welcomed", "subscribe 1 gen 0 home"])
        #expect(sync.core.position == sync.cut(10, 3))
    }

    @Test func `Views wanted later are subscribed to at once`() {
        var sync = TestSync.live()
        #expect(sync.want(TestSync.home) == ["subscribe 1 gen 0 home"])
        #expect(sync.want(TestSync.detail) == ["subscribe 2 gen 0 detail/1"])
        #expect(sync.want(TestSync.home) == [])
    }

    @Test func `Stored content is offered with its sums`() {
        var sync = TestSync()
        let stored = sync.content("h1", ["rank": "r1", "basic": "b1"])
        _ = sync.want(TestSync.home, stored: stored)
        #expect(sync.connect().last == "subscribe 1 gen 0 home resume h1 rank r1 basic b1")
    }

    @Test func `A damaged section is not offered`() {
        var sync = TestSync()
        let stored = sync.content("h1", ["basic": "b1"])
        _ = sync.want(TestSync.home, stored: stored)
        #expect(sync.connect().last == "subscribe 1 gen 0 home resume h1 basic b1")
    }

    @Test func `An unchanged view joins without data`() {
        var sync = TestSync()
        let stored = sync.content("h1", ["rank": "r1", "basic": "b1"])
        _ = sync.want(TestSync.home, stored: stored)
        _ = sync.connect()
        #expect(sync.cut([.join(sync.homeJoin())]) == ["apply (10,3)"])
        #expect(sync.core.isLive(TestSync.home))
    }

    @Test(
        arguments: [
            (9, 3, 10, 3, true), (10, 3, 10, 3, false), (11, 4, 10, 3, false), (10, 2, 10, 3, true),
            (11, 2, 10, 3, true),
        ] as [(UInt64, UInt64, UInt64, UInt64, Bool)])
    func `The client leaves a node that is behind`(
        catalogue: UInt64, user: UInt64, seenCatalogue: UInt64, seenUser: UInt64, isLeft: Bool
    ) {
        var sync = TestSync()
        let said = sync.connect(at: sync.cut(catalogue, user), seen: sync.cut(seenCatalogue, seenUser))
        #expect(said.dropFirst(2) == (isLeft ? ["close NODE_BEHIND", "try again: behind"] : []))
    }

    @Test func `Different epochs have no order, but each log has its own`() {
        var sync = TestSync()
        var other = sync.cut(1, 3)
        other.catalogueEpoch += 1
        #expect(sync.connect(at: other, seen: sync.cut(10, 3)).count == 2)
        other.userRevision = 2
        #expect(sync.connect(at: other, seen: sync.cut(10, 3)).last == "try again: behind")
    }

    @Test func `The first message has to be welcome`() {
        var sync = TestSync()
        sync.connectOnly()
        #expect(sync.receive(.progress(CutChange())) == ["close WRONG_DIRECTION", "try again"])
    }

    @Test(
        arguments: [
            (Status.Remedy.fatal, nil, "give up: X"), (.retrySame, nil, "try again"), (.retryOther, nil, "try again"),
            (.reauthenticate, nil, "try another token"), (.retrySame, 250, "try again within 250...250"),
        ] as [(Status.Remedy, UInt32?, String)])
    func `Close is obeyed`(remedy: Status.Remedy, pause: UInt32?, said: String) {
        var sync = TestSync.live()
        let status = Status(.unavailable, reason: "X", remedy: remedy, message: "", retryAfterMilliseconds: pause)
        #expect(sync.receive(.close(status)) == [said])
        var early = TestSync()
        early.connectOnly()
        #expect(early.receive(.close(status)) == [said])
    }

    /// Found behind a proxy that damages lengths: a client gave up for good because its hello arrived as a different
    /// message.
    @Test(arguments: [WireError.Code.frameDamaged, .frameTooShort, .frameTooLong])
    func `Damage in transit is retried`(code: WireError.Code) {
        var sync = TestSync.live()
        #expect(sync.receive(.close(WireError(code, "a frame").status)) == ["try again"])
    }

    @Test(arguments: [WireError.Code.malformed, .missingField, .outOfRange])
    func `Unreadable data that arrived intact is not retried`(code: WireError.Code) {
        var sync = TestSync.live()
        #expect(sync.receive(.close(WireError(code, "a frame").status)) == ["give up: \(code.rawValue)"])
    }

    @Test(arguments: ["PROTOCOL_UNSUPPORTED", "LIMITS_TOO_LOW", "OTHER_CLUSTER"])
    func `An attempt bound to fail again is not retried`(reason: String) {
        var sync = TestSync.live()
        let status = Status(.failedPrecondition, reason: reason, remedy: .fatal, message: "no")
        #expect(sync.receive(.close(status)) == ["give up: \(reason)"])
    }

    @Test func `Go-away is followed within its bounds`() {
        var sync = TestSync.live()
        let status = Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: "")
        #expect(sync.receive(.goAway(status, reconnectMilliseconds: 100...2_000)) == ["try again within 100...2000"])
    }

    @Test(
        arguments: [
            .hello(Hello()), .ack(bytes: 0, cut: nil), .unsubscribe(1), .cancel(call: 1), .welcome(Welcome()),
        ] as [Message])
    func `A message that only a client sends ends the connection`(message: Message) {
        var sync = TestSync.live()
        #expect(sync.receive(message) == ["close WRONG_DIRECTION", "try again"])
    }

    @Test func `A silent server is pinged, then left`() {
        var sync = TestSync.live()
        #expect(sync.tick(19_999) == [])
        #expect(sync.tick(20_000) == ["ping 20000"])
        #expect(sync.tick(21_000) == [])
        #expect(sync.tick(39_999) == [])
        #expect(sync.tick(40_000) == ["try again"])
    }

    @Test func `Any byte proves that the peer is alive`() {
        var sync = TestSync.live()
        sync.heard(39_000)
        #expect(sync.tick(58_999) == [])
        #expect(sync.tick(59_000) == ["ping 59000"])
    }

    @Test func `Bytes that never complete a frame don't count forever`() {
        var sync = TestSync.live()
        for now in stride(from: UInt64(1_000), through: 60_000, by: 1_000) {
            sync.heard(now)
            sync.received(frames: 0, isWithinFrame: true, now)
            #expect(sync.tick(now) == [])
        }
        sync.heard(61_000)
        #expect(sync.tick(61_000) == ["try again"])
    }

    @Test func `The server decides the interval`() {
        var sync = TestSync()
        _ = sync.connect { ($0.pingIntervalMilliseconds, $0.pingMinimumMilliseconds) = (1_000, 1_000) }
        #expect(sync.tick(1_000) == ["ping 1000"])
    }

    @Test func `After a long sleep the server is asked before it is left`() {
        var sync = TestSync.live()
        #expect(sync.tick(1 << 40) == ["ping \(1 << 40)"])
        sync.heard(1 << 40)
        #expect(sync.tick(1 << 40 + 1_000) == [])
    }

    @Test func `An ack names no position of logs that the server doesn't have`() {
        var sync = TestSync()
        let stored = sync.content("h1", ["rank": "r1", "basic": "b1"])
        _ = sync.want(TestSync.home, stored: stored)
        _ = sync.connect()
        _ = sync.cut([.join(sync.homeJoin())])
        #expect(sync.receive(.progress(CutChange())).last == "ack 0 (10,3)")
        sync.disconnect()
        var other = sync.cut(4, 3)
        other.catalogueEpoch += 1
        _ = sync.connect(at: other)
        let first = sync.receive(.stage(sync.whole(9, "x1")), bytes: 600_000)
        #expect(first == ["ack 600000 nothing"], "nothing of these logs is stored yet")
    }

    @Test func `Welcome has to come in time`() {
        var sync = TestSync()
        sync.connectOnly()
        #expect(sync.tick(9_999) == [])
        #expect(sync.tick(10_000) == ["try again"])
    }

    @Test func `A ping is answered`() {
        var sync = TestSync.live()
        #expect(sync.receive(.ping(nonce: 8)) == ["pong 8"])
        #expect(sync.receive(.pong(nonce: 8)) == [])
    }

    @Test func `Content held is offered on the next connection`() {
        var sync = TestSync.showingHome()
        _ = sync.cut([sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11))])
        sync.disconnect()
        #expect(!sync.core.isLive(TestSync.home))
        #expect(sync.shown() == ["h1", "r2", "b1"])
        #expect(sync.connect(at: sync.cut(11, 3)).last == "subscribe 1 gen 0 home resume h1 rank r2 basic b1")
    }

    // MARK: - Acks

    @Test func `An ack is sent for more than half of the credit`() {
        var sync = TestSync.showingHome(credit: 1_000)
        let first = sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11))
        #expect(sync.cut([first], bytes: 500) == ["apply (11,3)"])
        let second = sync.data(2, "r2", "r3", CutChange(catalogueRevision: 12))
        #expect(sync.cut([second], bytes: 1) == ["apply (12,3)", "ack 501 (11,3)"])
    }

    @Test func `The server's credit counts if it is smaller`() {
        var sync = TestSync()
        _ = sync.connect { $0.limits.creditBytes = 100 }
        _ = sync.want(TestSync.home)
        #expect(sync.receive(.stage(sync.whole(1, "h1")), bytes: 51) == ["ack 51 nothing"])
    }

    @Test func `An ack is sent with each progress`() {
        var sync = TestSync.showingHome()
        #expect(sync.receive(.progress(CutChange(sync.cut(12, 3)))) == ["progress (12,3)", "ack 0 (12,3)"])
    }

    @Test func `An ack within a cut names the stored position`() {
        var sync = TestSync.showingHome(credit: 1_000)
        let frames = [
            sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11)),
            sync.data(3, "b1", "b2", CutChange(catalogueRevision: 11)),
        ]
        #expect(sync.cut(frames, bytes: 501) == ["ack 501 (10,3)", "apply (11,3)", "ack 1002 (10,3)"])
    }

    // MARK: - Calls

    @Test func `An answer in parts is assembled`() {
        var sync = TestSync.live()
        #expect(sync.call() == 1)
        #expect(sync.call() == 2)
        #expect(sync.receive(.answer(Answer(call: 1, body: [1, 2], more: true))) == [])
        #expect(sync.receive(.answer(Answer(call: 2, body: [9]))) == ["answer 2: 1 bytes"])
        #expect(sync.receive(.answer(Answer(call: 1, body: [3]))) == ["answer 1: 3 bytes"])
        #expect(sync.receive(.answer(Answer(call: 1, body: [3]))) == [], "once only")
    }

    @Test func `A status is a failure unless it is OK`() {
        var sync = TestSync.live()
        _ = (sync.call(), sync.call())
        let no = Status(.notFound, reason: "NO", remedy: .fatal, message: "")
        let ok = Status(.ok, reason: "", remedy: .fatal, message: "")
        #expect(sync.receive(.answer(Answer(call: 1, status: no))) == ["answer 1: NO"])
        #expect(sync.receive(.answer(Answer(call: 2, status: ok, body: [1]))) == ["answer 2: 1 bytes"])
    }

    @Test func `An answer that grows too large is refused`() {
        var sync = TestSync.live()
        _ = sync.call()
        let half = [UInt8](repeating: 0, count: 600_000)
        #expect(sync.receive(.answer(Answer(call: 1, body: half, more: true))) == [])
        #expect(sync.receive(.answer(Answer(call: 1, body: half, more: true))) == ["answer 1: ANSWER_TOO_LARGE"])
        #expect(sync.receive(.answer(Answer(call: 1, body: half))) == [])
    }

    @Test func `No more calls are in flight than the server accepts`() {
        var sync = TestSync()
        _ = sync.connect { $0.limits.calls = 2 }
        #expect([sync.call(), sync.call(), sync.call()] == [1, 2, nil])
        #expect(sync.cancel(1) == ["cancel 1"])
        #expect(sync.call() == 3)
    }

    @Test func `Without a connection nothing is requested`() {
        var sync = TestSync()
        #expect(sync.call() == nil)
        sync.disconnect()
        #expect(sync.cancel(1) == [])
    }
}
