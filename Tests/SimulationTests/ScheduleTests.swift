import SeededRandom
import Testing

@testable import Simulation

/// A fixed set of the schedules that `make simulate` runs. A failing seed becomes a named test in `FoundTests`.
@Suite struct ScheduleTests {
    private static let seeds: UInt64 = 24

    @Test(arguments: 1...seeds)
    func `Whatever happens, every guarantee holds`(seed: UInt64) throws {
        let schedule = try Schedule(seed: seed)
        schedule.run()
        #expect(schedule.violation == nil)
        #expect(schedule.steps >= 200)
        #expect(schedule.counts[.commit] >= Schedule.commits)
        #expect(Set(schedule.plan.users.compactMap(\.self)).count == 2)
        #expect(schedule.devices.count >= 3)
    }

    /// Dependence on dictionary order would show here: each instance has its own order.
    @Test(arguments: [7, 31] as [UInt64])
    func `A seed gives the same schedule, bit for bit`(seed: UInt64) throws {
        let runs = try (0..<2).map { _ in
            let schedule = try Schedule(seed: seed, trace: Trace())
            schedule.run()
            return schedule
        }
        #expect(runs[0].trace?.digest == runs[1].trace?.digest)
        #expect(runs[0].trace?.lines == runs[1].trace?.lines)
        #expect(runs[0].trace?.lines.isEmpty == false)
    }

    @Test func `A run in which an expected kind of event never happened fails`() throws {
        var summary = Summary()
        let schedule = try Schedule(seed: 1, plan: Plan(quietFor: ["ana"]))
        schedule.run()
        summary.add(schedule)
        #expect(summary.missing.isEmpty, "one schedule need not meet everything")
        #expect(!schedule.counts.missing.isEmpty)
        #expect(schedule.counts.missing.contains(.nack))
    }

    @Test func `A run of fewer schedules than asked for fails, says how many are missing, and doesn't claim success`()
        throws
    {
        var summary = Summary(asked: 2)
        let schedule = try Schedule(seed: 1, plan: Plan(quietFor: ["ana"]))
        schedule.run()
        summary.add(schedule)
        #expect(summary.hasFailed)
        #expect(summary.lines(seconds: 1).last == "1 of 2 schedules ran; 1 did not")
        summary.add(schedule)
        #expect(!summary.hasFailed)
        #expect(summary.lines(seconds: 1).last == "2 of 2 schedules ran; no guarantee was broken")
    }

    @Test func `An open-ended run says how many schedules ran`() {
        #expect(!Summary().hasFailed)
        #expect(Summary().lines(seconds: 1).last == "0 schedules ran; no guarantee was broken")
    }
}
