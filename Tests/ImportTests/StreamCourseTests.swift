import MarqueeDiff
import Testing

@testable import MarqueeImport

@Suite final class StreamCourseTests {
    private static let end = LogLocation(0x0152_89E8)
    private var course = StreamCourse(at: StreamCourseTests.position, now: 0)

    private static var position: FollowedPosition {
        FollowedPosition(system: "7", timeline: 1, shape: "a", end: LogLocation(0x0100_0000))
    }

    private func take(_ messages: [[UInt8]], now: UInt64 = 0) throws -> [StreamCourse.Step] {
        try messages.flatMap { try course.take(.data($0), now: now) }
    }

    private func published(_ end: LogLocation, now: UInt64 = 0) -> [StreamCourse.Step] {
        var position = course.position
        (position.end, position.until) = (end, nil)
        return course.published(position, now: now)
    }

    @Test func `A transaction is published once it is whole, and acknowledged once it is published`() throws {
        #expect(try take([Recorded.begin, Recorded.relation, Recorded.insert]).count == 2)
        #expect(course.pause(now: 1) == [], "the rest is on its way")
        #expect(course.goal == LogLocation(0x0152_89B9), "its commit, as its beginning says, is passed")
        #expect(try take([Recorded.commit]) == [])
        #expect(course.pause(now: 1) == [.publish(end: Self.end)])
        #expect(published(Self.end) == [.acknowledge(Self.end)])
        #expect(course.pause(now: 2) == [])
    }

    @Test func `Transactions that are there are published together, up to a bound`() throws {
        let rows = StreamCourse.gatheredBytes / Recorded.insert.count
        var published = 0
        let inserts = [[UInt8]](repeating: Recorded.insert, count: 64)
        for _ in 0...rows / inserts.count {
            for step in try take([Recorded.begin] + inserts + [Recorded.commit]) {
                if case .publish = step { published += 1 }
            }
        }
        #expect(published > 0)
    }

    @Test func `What happened during a copy is published at once`() throws {
        var position = Self.position
        position.until = LogLocation(0x0152_89E9)
        course = StreamCourse(at: position, now: 0)
        _ = try take([Recorded.begin, Recorded.relation, Recorded.insert, Recorded.commit])
        #expect(course.pause(now: 1) == [], "an older state of the row would be shown")
        #expect(try course.take(.keepalive(end: Self.end, wantsReply: false), now: 1) == [])
        let later = LogLocation(0x0152_8A00)
        #expect(
            try course.take(.keepalive(end: later, wantsReply: false), now: 1)
                == [.publish(end: LogLocation(0x0152_89E9))])
        #expect(published(LogLocation(0x0152_89E9)).count == 1)
        #expect(course.pause(now: 2) == [])
    }

    @Test func `While nothing happens the position moves, seldom or when there is much log`() throws {
        let near = LogLocation(0x0100_0010)
        #expect(try course.take(.keepalive(end: near, wantsReply: true), now: 5) == [.acknowledge(Self.position.end)])
        #expect(course.pause(now: 6) == [])
        #expect(course.pause(now: StreamCourse.idleMilliseconds).first == .publish(end: near))
        #expect(published(near, now: StreamCourse.idleMilliseconds) == [.acknowledge(near)])
        let far = LogLocation(near.bytes + StreamCourse.idleBytes)
        _ = try course.take(.keepalive(end: far, wantsReply: false), now: StreamCourse.idleMilliseconds)
        #expect(course.pause(now: StreamCourse.idleMilliseconds + 1) == [.publish(end: far)])
    }

    @Test func `A database that is being stopped doesn't wait for what isn't in its tables`() throws {
        let near = LogLocation(0x0100_0010)
        let asks = StreamFrame.keepalive(end: near, wantsReply: true)
        #expect(try course.take(asks, now: 999) == [.acknowledge(Self.position.end)], "not each time")
        #expect(try course.take(asks, now: 1_000) == [.publish(end: near)])
        #expect(published(near, now: 1_000) == [.acknowledge(near)])
        #expect(try course.take(asks, now: 9_000) == [.acknowledge(near)])
        _ = try take([Recorded.begin, Recorded.insert], now: 9_000)
        #expect(try course.take(asks, now: 10_000) == [.acknowledge(near)], "something is on its way")
    }

    @Test func `Nothing moves past a transaction that is on its way`() throws {
        _ = try take([Recorded.begin, Recorded.insert])
        _ = try course.take(.keepalive(end: LogLocation(0x1_0000_0000), wantsReply: false), now: 1)
        #expect(
            course.pause(now: StreamCourse.idleMilliseconds) == [.acknowledge(Self.position.end)],
            "the database hears of us all the same")
    }

    // MARK: - The beginning

    private static func start(
        _ change: (inout FollowedPosition) -> Void = { _ in }, newest: UInt64 = 0x0200_0000,
        slot: FollowStart.SlotState = .there(confirmed: LogLocation(0x0100_0000))
    ) -> FollowStart {
        var position = position
        change(&position)
        return FollowStart(
            stored: position.description, system: "7", timeline: 1, shape: "a", newest: LogLocation(newest), slot: slot)
    }

    @Test func `A source goes on where it was, and compares where that can't be known`() {
        #expect(Self.start() == .follow(Self.position))
        #expect(Self.start(slot: .there(confirmed: LogLocation(5))) == .follow(Self.position))
        let compared = [
            Self.start { $0.system = "8" }, Self.start { $0.timeline = 2 }, Self.start { $0.shape = "b" },
            Self.start { $0.isIncomplete = true }, Self.start(newest: 0x00FF_0000), Self.start(slot: .absent),
            Self.start(slot: .lost), Self.start(slot: .older),
            Self.start(slot: .there(confirmed: LogLocation(0x0100_0001))),
        ]
        var reasons: Set<String> = []
        for start in compared {
            guard case .compare(let reason, _) = start else {
                Issue.record("\(start)")
                continue
            }
            reasons.insert(reason)
        }
        #expect(reasons.count == compared.count, "each for a reason of its own: \(reasons)")
        #expect(
            FollowStart(
                stored: nil, system: "7", timeline: 1, shape: "a", newest: LogLocation(1), slot: .absent)
                == .compare(reason: "nothing was copied yet", slot: .make))
        #expect(
            FollowStart(
                stored: "etag 12", system: "7", timeline: 1, shape: "a", newest: LogLocation(1), slot: .lost)
                == .compare(reason: "its position 'etag 12' is of another kind", slot: .remake))
    }
}

@Suite struct RecordComparisonTests {
    @Test func `Only differences are published, and records without a row are gone`() throws {
        var comparison = RecordComparison()
        let same: [UInt8] = [1, 2, 3]
        try comparison.hold(["same", "changed", "gone", "bad"], [XXH64.hash(same), 1, 2, 3])
        #expect(comparison.meet(.record(id: "same", bytes: same)) == nil)
        #expect(comparison.meet(.record(id: "changed", bytes: [9]))?.bytes == [9])
        #expect(comparison.meet(.record(id: "new", bytes: [8]))?.id == "new")
        #expect(comparison.meet(.bad(id: "bad", reason: "why")) == nil)
        #expect(comparison.gone == ["gone"], "a row that can't be read keeps its record")
        #expect(
            [comparison.rows, comparison.same, comparison.changed, comparison.new, comparison.bad] == [4, 1, 1, 1, 1])
        _ = comparison.meet(.bad(id: nil, reason: "no id"))
        #expect(comparison.gone == [], "it may be any of them")
    }
}
