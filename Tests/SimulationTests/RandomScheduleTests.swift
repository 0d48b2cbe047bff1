import Testing

/// Schedules drawn from seeds. A seed that fails is to become a test with a name, here.
@Suite struct RandomScheduleTests {
    private static let seeds: ClosedRange<UInt64> = 1...15
    private static let steps = 200

    @Test func whateverHappensEveryMirrorEndsEqualToTheServer() throws {
        var cuts = 0
        var repairs = 0
        for seed in Self.seeds {
            let schedule = try RandomSchedule(seed: seed)
            try schedule.run(steps: Self.steps)
            cuts += schedule.cuts
            repairs += schedule.repairs
            if schedule.hasFailed { break }
        }
        #expect(cuts > 20 * Self.seeds.count, "the schedules move too little")
        #expect(repairs > Self.seeds.count / 10, "the schedules damage too little")
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
