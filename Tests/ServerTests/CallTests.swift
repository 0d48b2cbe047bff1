import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct CallTests {
    @Test func `A call is performed and answered once`() {
        var session = TestSession.live()
        #expect(session.request(1, .health) == ["perform 1 health"])
        session.answer(1, .success([1, 2, 3]))
        session.answer(1, .success([1, 2, 3]))
        #expect(session.frames() == ["answer 1 3 bytes OK"])
    }

    @Test func `A call that belongs to a trace is noted once, however it ends`() throws {
        let trace = try #require(TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        var session = TestSession.live()
        for call: UInt32 in 1...3 { session.receive(.request(Request(call: call, method: .health, trace: trace))) }
        session.receive(.request(Request(call: 4, method: Method(rawValue: 99), trace: trace)))
        session.answer(1, .success([1]))
        session.answer(2, .failure(.userRequired))
        session.receive(.cancel(call: 3))
        session.answer(3, .success([]))
        let notes = session.frames().filter { $0.hasPrefix("note") }
        #expect(notes == ["note 4 METHOD_UNKNOWN", "note 1 OK", "note 2 USER_REQUIRED", "note 3 CANCELLED"])
        #expect(session.frames() == [])
    }

    @Test func `Call ids rise`() {
        var session = TestSession.live()
        session.request(2, .health)
        #expect(session.request(2, .health) == ["close"])
        #expect(session.frames() == ["close CALL_REUSED"])
    }

    @Test func `Calls in flight are counted`() {
        var session = TestSession.live(adjust: { $0.limits.calls = 2 })
        session.request(1, .health)
        session.request(2, .health)
        #expect(session.request(3, .health) == ["hit calls"])
        #expect(session.frames() == ["answer 3 0 bytes TOO_MANY_CALLS"])
        session.answer(1, .success([]))
        #expect(session.request(4, .health) == ["perform 4 health"])
    }

    @Test func `An unknown method is answered`() {
        var session = TestSession.live()
        #expect(session.request(1, Method(rawValue: 99)) == [])
        #expect(session.frames() == ["answer 1 0 bytes METHOD_UNKNOWN"])
    }

    @Test func `An unreadable body is answered`() {
        var session = TestSession.live()
        session.request(1, .search, body: [0xff])
        #expect(session.frames() == ["answer 1 0 bytes BODY_INVALID"])
    }

    @Test func `A cancelled call is answered as cancelled`() {
        var session = TestSession.live()
        session.request(1, .health)
        session.receive(.cancel(call: 1))
        session.answer(1, .success([]))
        #expect(session.frames() == ["answer 1 0 bytes CANCELLED"])
    }

    @Test func `Cancelling a call that has ended is ignored`() {
        var session = TestSession.live()
        session.receive(.cancel(call: 7))
        #expect(session.frames() == [])
    }

    @Test func `A call whose deadline passes while it runs is answered at once, only once, and keeps its place`() {
        var session = TestSession.live(adjust: { $0.limits.calls = 1 })
        session.receive(.request(Request(call: 1, method: .health, deadlineMilliseconds: 1_500)))
        session.tick(after: 1_000)
        #expect(session.frames() == [])
        session.tick(after: 1_000)
        #expect(session.frames() == ["answer 1 0 bytes DEADLINE_EXCEEDED"])
        session.request(2, .health)
        #expect(session.frames() == ["answer 2 0 bytes TOO_MANY_CALLS"])
        session.answer(1, .success([1]))
        #expect(session.frames() == [])
        #expect(session.request(3, .health) == ["perform 3 health"])
    }

    @Test func `A result that comes after its deadline isn't sent, and one in time is`() {
        var session = TestSession.live()
        session.receive(.request(Request(call: 1, method: .health, deadlineMilliseconds: 500)))
        session.receive(.request(Request(call: 2, method: .health, deadlineMilliseconds: 501)))
        session.now += 500
        session.answer(1, .success([1]))
        session.answer(2, .success([1]))
        #expect(session.frames() == ["answer 1 0 bytes DEADLINE_EXCEEDED", "answer 2 1 bytes OK"])
    }

    @Test func `A call with no time left isn't performed`() {
        var session = TestSession.live()
        #expect(session.receive(.request(Request(call: 1, method: .health, deadlineMilliseconds: 0))) == [])
        #expect(session.frames() == ["answer 1 0 bytes DEADLINE_EXCEEDED"])
    }

    @Test func `A large answer comes in parts`() {
        var session = TestSession.live()
        session.request(1, .health)
        session.answer(1, .success([UInt8](repeating: 0, count: 130_000)))
        #expect(session.frames() == ["answer 1 61440 bytes …", "answer 1 61440 bytes …", "answer 1 7120 bytes OK"])
    }

    @Test func `An answer above the limit is refused`() {
        var session = TestSession.live()
        session.request(1, .health)
        session.answer(1, .success([UInt8](repeating: 0, count: 1 << 20 + 1)))
        #expect(session.frames() == ["answer 1 0 bytes ANSWER_TOO_LARGE"])
    }

    @Test func `Favorites need a user and a number`() {
        var nobody = TestSession.live(user: nil)
        nobody.favorite(1, number: 1)
        #expect(nobody.frames() == ["answer 1 0 bytes USER_REQUIRED"])
        var somebody = TestSession.live()
        somebody.favorite(1, number: 0)
        #expect(somebody.frames() == ["answer 1 0 bytes NUMBER_INVALID"])
        somebody.favorite(2, number: 1 << 63)
        #expect(somebody.frames() == ["answer 2 0 bytes NUMBER_INVALID"])
        #expect(somebody.favorite(3, number: 1) == ["perform 3 collection"])
        #expect(somebody.favorite(4, number: 1 << 63 - 1) == ["perform 4 collection"])
    }

    @Test func `A client that may not publish gets an error, and the log a line`() {
        var session = TestSession.live(mayPublish: false)
        session.publish(1, number: 1, index: 0, last: true)
        #expect(session.frames() == ["answer 1 0 bytes PUBLISH_DENIED", "refused publication PUBLISH_DENIED"])
    }

    @Test func `The parts of a publication are answered and make one call`() {
        var session = TestSession.live()
        #expect(session.publish(1, number: 5, index: 0) == [])
        #expect(session.publish(2, number: 5, index: 1) == [])
        #expect(session.publish(3, number: 5, index: 2, last: true) == ["perform 3 publish"])
        #expect(session.frames() == ["answer 1 0 bytes OK", "answer 2 0 bytes OK"])
    }

    @Test(arguments: [(5, 2), (6, 1)] as [(UInt64, UInt32)])
    func `Parts out of order are refused`(number: UInt64, index: UInt32) {
        var session = TestSession.live()
        session.publish(1, number: 5, index: 0)
        session.publish(2, number: number, index: index)
        #expect(session.frames() == ["answer 1 0 bytes OK", "answer 2 0 bytes PART_OUT_OF_ORDER"])
        session.publish(3, number: 5, index: 1, last: true)
        #expect(session.frames() == ["answer 3 0 bytes PART_OUT_OF_ORDER"], "nothing of it is kept")
    }

    @Test func `A publication is bounded`() {
        var session = TestSession.live()
        let change = [UInt8](repeating: 0x20, count: 50_000)
        var said: [String] = []
        for index in 0..<168 as Range<UInt32> {
            session.publish(index + 1, number: 1, index: index, changes: [change])
            said += session.frames()
        }
        #expect(said.firstIndex(of: "answer 168 0 bytes PUBLICATION_TOO_LARGE") == 167)
        #expect(said.prefix(167).allSatisfy { $0.hasSuffix("OK") })
    }
}

extension TestSession {
    @discardableResult
    fileprivate mutating func request(_ call: UInt32, _ method: Method, body: [UInt8] = []) -> [String] {
        receive(.request(Request(call: call, method: method, body: body)))
    }

    @discardableResult
    fileprivate mutating func favorite(_ call: UInt32, number: UInt64) -> [String] {
        let body = CollectionRequest(number: number, answeredThrough: 0, subject: "movie/1", isMember: true)
        return request(call, .collection, body: CallBodyCodec.encode(body))
    }

    @discardableResult
    fileprivate mutating func publish(
        _ call: UInt32, number: UInt64, index: UInt32, last: Bool = false, changes: [[UInt8]] = [[0x7b, 0x7d]]
    ) -> [String] {
        let body = PublishRequest(
            number: number, answeredThrough: 0, key: nil, index: index, last: last, changes: changes)
        return request(call, .publish, body: CallBodyCodec.encode(body))
    }
}
