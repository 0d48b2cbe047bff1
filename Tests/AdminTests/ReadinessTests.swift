import MarqueeServer
import MarqueeWire
import Testing

@testable import MarqueeAdmin

struct ReadinessTests {
    private func readiness(
        _ origin: AdminNode.Origin, away: UInt64? = nil, failing: SourceOutage? = nil
    ) -> Readiness {
        let outage = away.map { SourceOutage(age: $0, reason: "it can't be reached") }
        return Readiness(problems: NodeReader.problems(from: origin, outage, failing), of: origin)
    }

    @Test func `A node is ready if nothing is wrong, and says what is`() {
        let fine = readiness(.store)
        #expect(fine.ready && fine.writable && fine.checks.values.allSatisfy(\.ok))
        #expect(Set(fine.checks.keys) == ["accepting", "hub", "state", "store", "writes"])
        #expect(Set(readiness(.upstream).checks.keys) == ["accepting", "hub", "state", "upstream", "writes"])
        let stuck = Readiness(problems: ["hub": Readiness.Problem("no answer", .nobody)])
        #expect(!stuck.ready && !stuck.writable)
        #expect(stuck.checks["hub"] == Readiness.Check(ok: false, reason: "no answer"))
        #expect(stuck.checks["store"] == Readiness.Check(ok: true))
        #expect(
            Readiness(state: "starting", seconds: 5).checks
                == ["state": Readiness.Check(ok: false, reason: "starting", seconds: 5)])
    }

    @Test(arguments: [0, 59_999, 60_000, 86_400_000] as [UInt64])
    func `A server without its database is sent clients however long, and says for how long`(age: UInt64) {
        let away = readiness(.store, away: age)
        #expect(away.ready && !away.writable)
        #expect(
            away.checks["store"] == Readiness.Check(ok: false, reason: "it can't be reached", seconds: age / 1_000))
    }

    /// It refuses newcomers, and another relay may not.
    @Test func `A relay without its server is sent clients for a minute`() {
        for age in [0, 59_999] as [UInt64] {
            let away = readiness(.upstream, away: age)
            #expect(away.ready && !away.writable)
        }
        #expect(!readiness(.upstream, away: 60_000).ready)
        #expect(readiness(.upstream, away: 61_000).checks["upstream"]?.seconds == 61)
    }

    @Test func `A server that can store nothing is sent clients, and no writes`() {
        var figures = ["catalogue": CommitFigures(), "users": CommitFigures()]
        #expect(figures.writeFailure == nil)
        figures["users"]?.failing = SourceOutage(age: 9_000, reason: "no room on the disk")
        let failing = readiness(.store, failing: figures.writeFailure)
        #expect(failing.ready && !failing.writable)
        #expect(failing.checks["writes"]?.reason == "the log 'users' takes no writes: no room on the disk")
        #expect(failing.checks["writes"]?.seconds == 9)
    }

    @Test func `A clock that isn't believed keeps nobody away, and is listed`() {
        let trouble = ClockTrouble(
            reason: "the clock has leapt ahead", aheadMilliseconds: 7_200_000, ageMilliseconds: 61_500)
        let off = Readiness(problems: NodeReader.problems(of: trouble))
        #expect(off.ready && off.writable)
        #expect(
            off.checks["clock"] == Readiness.Check(ok: false, reason: "the clock has leapt ahead", seconds: 61))
    }

    /// All others of the same store would be taken out with it.
    @Test func `A source that is away keeps nobody away, and is listed`() {
        let trouble = SourceTrouble(reason: "the source 'shop' is silent", ageMilliseconds: 61_500)
        let away = Readiness(
            problems: NodeReader.problems(of: [
                SourceState(source: "shop", trouble: trouble), SourceState(source: "till"),
            ]))
        #expect(away.ready && away.writable)
        #expect(
            away.checks["source:shop"]
                == Readiness.Check(ok: false, reason: "the source 'shop' is silent", seconds: 61))
        #expect(away.checks["source:till"] == nil)
    }
}
