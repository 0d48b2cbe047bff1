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

    /// The relays form a chain. Tokens also name other plans while a relay has lost its server.
    @Test(arguments: [204] as [UInt64])
    func `Behind relays, too, nobody is sent what is for other readers, whoever a token names after a loss`(
        seed: UInt64
    ) throws {
        let schedule = try Schedule(seed: seed)
        schedule.run()
        #expect(schedule.plan.hasAudiences)
        #expect(schedule.violation == nil)
        let counts = schedule.counts
        #expect(counts[.guestSwitched] > 0 && counts[.guestRevised] > 0 && counts[.relayChained] > 0)
        #expect(Set(schedule.judge.scene.devices.flatMap(\.readers)).count > 2)
    }
}
