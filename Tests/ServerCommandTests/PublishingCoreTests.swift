import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueePublisher

@Suite struct PublishingCoreTests {
    /// A core behind a reference, which `#expect` can call.
    private final class Connected {
        private var core = PublishingCore(hello: Hello(), now: 0)

        init(pingInterval: UInt32 = 20_000) {
            var welcome = Welcome()
            welcome.pingIntervalMilliseconds = pingInterval
            welcome.pingMinimumMilliseconds = min(pingInterval, welcome.pingMinimumMilliseconds)
            _ = core.received(.welcome(welcome), now: 0)
        }

        func begin() -> (call: UInt32, actions: [PublishingCore.Action]) {
            core.begin(.publish, [7], deadlineMilliseconds: 9)
        }
        func received(_ message: Message, now: UInt64) -> [PublishingCore.Action] { core.received(message, now: now) }
        func ended(_ reason: String) -> [PublishingCore.Action] { core.ended(reason) }
        func tick(now: UInt64) -> [PublishingCore.Action] { core.tick(now: now) }
    }

    private static let fault = Status(.invalidArgument, reason: "REFUSED", remedy: .fatal, message: "change 3: no")

    @Test func `A call is answered by its own answer in parts`() {
        let core = Connected()
        let (first, sent) = core.begin()
        #expect(sent == [.send(.request(Request(call: 1, method: .publish, deadlineMilliseconds: 9, body: [7])))])
        #expect(core.received(.answer(Answer(call: 9, body: [1])), now: 1) == [])
        #expect(core.received(.answer(Answer(call: first, body: [1], more: true)), now: 1) == [])
        #expect(core.received(.answer(Answer(call: first, body: [2])), now: 1) == [.end(call: 1, .success([1, 2]))])
        let second = core.begin().call
        #expect(
            core.received(.answer(Answer(call: second, status: PublishingCoreTests.fault)), now: 1)
                == [.end(call: 2, .failure(PublishingCoreTests.fault))])
    }

    @Test func `The end of the connection ends the call in flight once`() {
        let core = Connected()
        _ = core.begin()
        let away = Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: "")
        #expect(
            core.received(.goAway(away, reconnectMilliseconds: 0...1), now: 1)
                == [.end(call: 1, .failure(away)), .close(away)])
        #expect(core.ended("gone") == [])
        #expect(core.begin().actions == [.end(call: 2, .failure(.notConnected))])
    }

    @Test func `Anything unrequested ends the connection`() {
        let core = Connected()
        let actions = core.received(.repair(number: 1), now: 1)
        guard case .send(.close)? = actions.first, case .close? = actions.last else {
            Issue.record("\(actions)")
            return
        }
    }

    @Test func `Pings are sent while an answer takes its time`() {
        let core = Connected(pingInterval: 1_000)
        _ = core.begin()
        #expect(core.tick(now: 999) == [])
        #expect(core.tick(now: 1_000) == [.send(.ping(nonce: 1))])
        #expect(core.received(.pong(nonce: 1), now: 1_001) == [])
        #expect(core.received(.ping(nonce: 5), now: 1_500) == [.send(.pong(nonce: 5))])
        #expect(core.received(.progress(CutChange()), now: 1_600) == [.send(.ack(bytes: 0, cut: nil))])
        #expect(core.tick(now: 2_000) == [.send(.ping(nonce: 2))])
        let silent = core.tick(now: 3_600)
        guard case .end(1, .failure(let status))? = silent.first else {
            Issue.record("\(silent)")
            return
        }
        #expect(status.remedy == .retrySame && silent.last == .close(status))
    }

    @Test func `A server is asked before it is given up, also if it names an interval of 0`() {
        for interval in [0, 1_000] as [UInt32] {
            let core = Connected(pingInterval: interval)
            #expect(core.tick(now: 999) == [])
            #expect(core.tick(now: 1 << 40) == [.send(.ping(nonce: 1))])
            #expect(core.tick(now: 1 << 40 + 999) == [])
            guard case .close(let status)? = core.tick(now: 1 << 40 + 1_000).last else {
                Issue.record("it is not given up")
                continue
            }
            #expect(status.reason == "SILENT")
        }
    }

    @Test func `A publication is as large as a server accepts`() {
        var size = PublicationSize()
        let fits = size.add(Array(repeating: [1], count: PublicationSize.maximumChanges))
        let oneMore = size.add([[1]])
        #expect(fits && !oneMore)
        var large = PublicationSize()
        let megabyte = Array(repeating: [UInt8](repeating: 1, count: 1 << 10), count: 1 << 10)
        let eight = (0..<8).map { _ in large.add(megabyte) }
        let oneByteMore = large.add([[1]])
        #expect(!eight.contains(false) && !oneByteMore)
        #expect(PublicationSize.refusal(of: [[UInt8](repeating: 1, count: PublishRequest.changeBytes)]) == nil)
        #expect(PublicationSize.refusal(of: [[UInt8](repeating: 1, count: PublishRequest.changeBytes + 1)]) != nil)
        #expect(PublicationSize.refusal(of: Array(repeating: megabyte, count: 9).flatMap(\.self)) != nil)
    }

    @Test func `An error names the change that the server refuses`() {
        #expect(PublisherError(.refused, "change 3: there is no movie").change?.index == 2)
        #expect(PublisherError(.refused, "change 3: there is no movie").change?.reason == "there is no movie")
        for message in ["change 0: x", "change x: y", "a commit key: too long", "change 3"] {
            #expect(PublisherError(.refused, message).change == nil)
        }
        #expect(PublisherError(.failed, "change 3: x").change == nil)
    }
}
