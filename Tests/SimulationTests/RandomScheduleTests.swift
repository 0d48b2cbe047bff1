import Foundation
import Testing

/// Schedules drawn from seeds. A seed that fails is to become a test with a name, here.
///
/// `MARQUEE_SEEDS=1000` runs that many.
@Suite struct RandomScheduleTests {
    private static let seeds = ProcessInfo.processInfo.environment["MARQUEE_SEEDS"].flatMap { UInt64($0) } ?? 100
    private static let steps = 200

    @Test(arguments: 1...seeds as ClosedRange<UInt64>)
    func whateverHappensEveryMirrorEndsEqualToTheServer(seed: UInt64) throws {
        let schedule = try RandomSchedule(seed: seed)
        try schedule.run(steps: Self.steps)
        #expect(schedule.cuts > 0)
    }

    /// Content came back to what it was, and the frames made for a quicker session named a later position than a slower one was at.
    @Test(arguments: [644, 982, 1_043] as [UInt64])
    func framesOfAQuickSessionDontPromiseTooMuchToASlowOne(seed: UInt64) throws {
        try RandomSchedule(seed: seed).run(steps: Self.steps)
    }

    /// A section that was too small for a manifest grew while its view waited, and was never asked for.
    @Test(arguments: [208, 685, 890, 1_059] as [UInt64])
    func aSectionThatGrowsWhileItWaitsIsAskedForAllTheSame(seed: UInt64) throws {
        try RandomSchedule(seed: seed).run(steps: Self.steps)
    }

    /// Three refusals with good cuts between them were taken for three in a row.
    @Test(arguments: [304, 946] as [UInt64])
    func aSectionDoesNotFailForRefusalsThatWereMadeGood(seed: UInt64) throws {
        try RandomSchedule(seed: seed).run(steps: Self.steps)
    }

    @Test func theSchedulesMeetCutsAndRepairs() throws {
        var cuts = 0
        var repairs = 0
        for seed in 1...8 as ClosedRange<UInt64> {
            let schedule = try RandomSchedule(seed: seed)
            try schedule.run(steps: Self.steps)
            cuts += schedule.cuts
            repairs += schedule.repairs
        }
        #expect(cuts > 200)
        #expect(repairs > 4)
    }

    @Test func aSeedGivesTheSameScheduleAgain() throws {
        let runs = try (0..<2).map { _ in
            let schedule = try RandomSchedule(seed: 7)
            try schedule.run(steps: Self.steps)
            return schedule
        }
        #expect(runs[0].log == runs[1].log)
        #expect(runs[0].cuts == runs[1].cuts)
    }
}
