import Testing

@testable import MarqueeWire

@Suite struct ServerWatchTests {
    private static func watch(interval: UInt32 = 20_000, minimum: UInt32 = 5_000) -> ServerWatch {
        var welcome = Welcome()
        (welcome.pingIntervalMilliseconds, welcome.pingMinimumMilliseconds) = (interval, minimum)
        var watch = ServerWatch(now: 0)
        watch.welcomed(welcome)
        return watch
    }

    /// The verdicts at some moments.
    private func looks(_ watch: inout ServerWatch, _ moments: [UInt64]) -> [ServerWatch.Verdict] {
        moments.map { watch.look(now: $0) }
    }

    @Test func `A silent server is asked after an interval, and given up after another`() {
        var watch = Self.watch()
        #expect(looks(&watch, [19_999, 20_000, 20_001, 39_999]) == [.nothing, .ask, .nothing, .nothing])
        #expect(watch.look(now: 40_000) == .isSilent)
    }

    @Test func `However long the silence was, the server is asked first`() {
        var watch = Self.watch()
        #expect(looks(&watch, [1 << 40, (1 << 40) + 19_999]) == [.ask, .nothing])
        watch.heard(now: (1 << 40) + 19_999)
        #expect(looks(&watch, [(1 << 40) + 39_998, (1 << 40) + 39_999]) == [.nothing, .ask])
    }

    @Test(arguments: [(0, 0, 1_000), (1, 0, 1_000), (0, 5_000, 5_000), (2_000, 5_000, 5_000), (5_000, 1_000, 5_000)])
    func `No server is asked more often than it allows, or than once a second`(
        interval: UInt32, minimum: UInt32, isAskedAfter: UInt64
    ) {
        var watch = Self.watch(interval: interval, minimum: minimum)
        #expect(looks(&watch, [isAskedAfter - 1, isAskedAfter]) == [.nothing, .ask])
        #expect(looks(&watch, [2 * isAskedAfter - 1, 2 * isAskedAfter]) == [.nothing, .isSilent])
    }

    @Test func `A frame has three intervals to become complete, however many bytes arrive`() {
        var watch = Self.watch(interval: 1_000, minimum: 1_000)
        for now in [100, 1_000, 2_000, 3_000] as [UInt64] {
            watch.heard(now: now)
            watch.received(frames: 0, isWithinFrame: true, now: now)
        }
        #expect(looks(&watch, [3_099, 3_100]) == [.nothing, .neverCompletesFrame])
        watch.received(frames: 1, isWithinFrame: true, now: 3_100)
        #expect(watch.look(now: 3_101) == .nothing)
    }
}
