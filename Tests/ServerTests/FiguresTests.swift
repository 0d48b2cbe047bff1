import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeServer

/// The figures that servers count for operators.
struct FiguresTests {
    @Test func `A value belongs to the first range that it doesn't exceed`() {
        var histogram = Histogram(bounds: [0, 1, 2])
        for value in [0, 0.5, 1, 1.5, 99] { histogram.add(value) }
        #expect(histogram.counts == [1, 2, 1, 1])
        #expect(histogram.total == 5)
        #expect(histogram.sum == 102)
    }

    @Test func `A session lags by the age of the oldest revision that it lacks`() {
        var times = RevisionTimes()
        #expect(times.age(after: 0, now: 50) == 0)
        for (revision, at) in [(5, 10), (6, 20), (9, 40), (9, 45), (7, 46)] {
            times.note(UInt64(revision), at: UInt64(at))
        }
        #expect(times.age(after: 9, now: 50) == 0)
        #expect(times.age(after: 8, now: 50) == 10)
        #expect(times.age(after: 6, now: 50) == 10)
        #expect(times.age(after: 5, now: 50) == 30)
        #expect(times.age(after: 0, now: 50) == 40)
        #expect(times.age(after: 0, now: 5) == 0, "a clock that goes back")
    }

    @Test func `Revisions too old to be remembered count as the oldest that is`() {
        var times = RevisionTimes()
        for revision in 1...UInt64(RevisionTimes.maximum) + 100 { times.note(revision, at: revision) }
        #expect(times.age(after: 0, now: 10_000) == 10_000 - 101)
    }

    @Test func `Reasons for ends are bounded`() {
        var tally = EndTally()
        for number in 0..<1_000 { tally.add("REASON_\(number)", sentBytes: 2) }
        #expect(tally.reasons.count == EndTally.maximumReasons + 1)
        #expect(tally.reasons[EndTally.otherReason] == UInt64(1_000 - EndTally.maximumReasons))
        #expect(tally.sentBytes == 2_000)
    }

    @Test func `Each log's commits are counted and timed`() async throws {
        let committer = Committer(store: MemoryStore())
        _ = try await committer.commit(
            .catalogue(key: nil, changes: [.page(Page(id: "a", sections: []))], mutation: nil))
        let figures = committer.figures
        #expect(figures["catalogue"]?.writes == 1)
        #expect(figures["catalogue"]?.seconds.total == 1)
        #expect(figures["catalogue"]?.failures == 0)
        #expect(figures["users"] == CommitFigures())
    }

    @Test func `Resumed sections are counted by how they resumed`() {
        var session = TestSession.live()
        let resume = session.resume("h1", ["rank": "r0", "basic": "b0"])
        session.library.record(session.version("r0"), of: 2)
        session.subscribe(1, "home", resume: resume)
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1")])
        _ = session.frames()
        session.describe(3, "b0")
        _ = session.frames()
        #expect(
            session.library.events.counts.resumes == [.unchanged: 1, .patch: 1, .manifest: 1, .snapshot: 0])
    }

    @Test func `A new view isn't counted as resumed`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2")])
        _ = session.frames()
        #expect(session.library.events.counts.resumes.values.allSatisfy { $0 == 0 })
    }

    @Test func `A refused cut and its repair are counted`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2")])
        _ = session.frames()
        let held = [(UInt64(1), "h1"), (2, "r1"), (3, "b1")].map { HeldVersion(handle: $0, sum: session.sum($1)) }
        session.receive(
            .nack(
                Nack(
                    number: 1, good: session.cut(10, 3), held: held, staged: [],
                    status: Status(.dataLoss, reason: "X", remedy: .resync, message: "x"))))
        _ = session.frames()
        let counts = session.library.events.counts
        #expect(counts.nacks == 1)
        #expect(counts.repairs == 1)
    }
}
