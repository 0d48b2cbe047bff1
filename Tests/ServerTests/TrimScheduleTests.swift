import Testing

@testable import MarqueeServer

@Suite final class TrimScheduleTests {
    private var schedule = TrimSchedule()

    /// In MiB.
    private func use(_ resident: Int, allocated: Int) -> TrimSchedule.Use {
        .init(resident: resident << 20, allocated: allocated << 20)
    }

    private func isWorthwhile(_ resident: Int, allocated: Int) -> Bool {
        schedule.isWorthwhile(use(resident, allocated: allocated))
    }

    private func begins(at now: UInt64) -> Bool { schedule.begins(at: now) }

    @Test func `Memory that many connections left is returned`() {
        #expect(isWorthwhile(424, allocated: 60))
    }

    @Test func `Memory in use is left alone, however much it is`() {
        #expect(!isWorthwhile(4_100, allocated: 4_000))
    }

    @Test func `Memory that the last return left isn't tried again`() {
        #expect(isWorthwhile(100, allocated: 60))
        schedule.returned(leaving: use(90, allocated: 60))
        #expect(!isWorthwhile(92, allocated: 60))
        #expect(isWorthwhile(98, allocated: 60))
    }

    @Test func `Memory that is allocated again no longer counts as left`() {
        schedule.returned(leaving: use(90, allocated: 60))
        #expect(!isWorthwhile(90, allocated: 85))
        #expect(isWorthwhile(90, allocated: 60))
    }

    @Test func `A small amount isn't worth returning`() {
        #expect(!isWorthwhile(13, allocated: 10))
        #expect(!isWorthwhile(10, allocated: 20))
    }

    @Test func `Looks don't overlap, and are rare if they take a long time`() {
        #expect(begins(at: 0))
        #expect(!begins(at: 60_000))
        schedule.ended(at: 60_000, duration: 1)
        #expect(!begins(at: 60_000 + TrimSchedule.pauseMilliseconds - 1))
        #expect(begins(at: 60_000 + TrimSchedule.pauseMilliseconds))
        schedule.ended(at: 80_000, duration: 100)
        #expect(!begins(at: 179_999))
        #expect(begins(at: 180_000))
    }
}
