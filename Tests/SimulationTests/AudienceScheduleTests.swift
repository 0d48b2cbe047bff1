import Testing

@testable import Simulation

/// Schedules whose tokens say which plan their user has, over a programme with sections and values by audience.
@Suite struct AudienceScheduleTests {
    static let seeds: [UInt64] = [33, 69, 87, 123]

    @Test(arguments: seeds)
    func `Nobody is sent what is for other readers, and a renewed token's audience comes as a patch`(
        seed: UInt64
    ) throws {
        let schedule = try Schedule(seed: seed)
        schedule.run()
        #expect(schedule.plan.hasAudiences)
        #expect(schedule.violation == nil)
        #expect(schedule.counts[.audienceSwitched] > 0)
        #expect(Set(schedule.judge.scene.devices.flatMap(\.readers)).count > 2)
    }
}
