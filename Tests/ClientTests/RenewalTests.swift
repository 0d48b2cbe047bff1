import Testing

@testable import MarqueeClient

@Suite("When an identity is renewed")
struct RenewalTests {
    @Test(arguments: [(0.0, UInt64(7_500)), (0.5, 8_000), (0.999_9, 8_499)])
    func `It is renewed well before its end, and not by all clients at once`(fraction: Double, pause: UInt64) {
        var renewal = Renewal()
        renewal.granted(10_000, now: 5, fraction: fraction)
        #expect(renewal.pause == pause)
    }

    @Test func `An identity without an end is not renewed`() {
        var renewal = Renewal()
        renewal.granted(nil, now: 0, fraction: 0)
        #expect(renewal.pause == nil)
        let begins = renewal.begin(now: 1)
        #expect(!begins)
    }

    @Test func `One attempt at a time, and others while there is time`() {
        var renewal = Renewal()
        renewal.granted(10_000, now: 0, fraction: 0)
        let (first, second) = (renewal.begin(now: 7_500), renewal.begin(now: 7_500))
        #expect(first && !second)
        renewal.failed(now: 7_500)
        #expect(renewal.pause == 1_000)
        let third = renewal.begin(now: 8_500)
        #expect(third)
        renewal.failed(now: 10_000)
        #expect(renewal.pause == nil)
        let late = renewal.begin(now: 10_000)
        #expect(!late)
    }

    @Test func `Attempts are few when much time is left`() {
        var renewal = Renewal()
        renewal.granted(4_000_000, now: 0, fraction: 0)
        _ = renewal.begin(now: 3_000_000)
        renewal.failed(now: 3_000_000)
        #expect(renewal.pause == 250_000)
    }

    @Test func `A time beyond all bounds is cut to the longest lifetime`() {
        var renewal = Renewal()
        renewal.granted(.max, now: .max / 2, fraction: 0.999)
        #expect((renewal.pause ?? 0) < 1 << 40)
    }
}
