import Testing

@testable import MarqueeServer

@Suite struct DeadlineWheelTests {
    @Test func `A key is checked at its deadline and not before`() {
        var wheel = DeadlineWheel<String>()
        wheel.schedule("a", at: 15_000)
        wheel.schedule("b", at: 15_001)
        #expect(wheel.due(at: 14_999) == [])
        #expect(wheel.due(at: 15_000) == ["a"])
        #expect(wheel.due(at: 15_999) == [])
        #expect(wheel.due(at: 16_000) == ["b"])
        #expect(wheel.due(at: 90_000) == [])
        #expect(wheel.count == 0)
    }

    @Test func `An earlier deadline counts, and a later one waits for the check`() {
        var wheel = DeadlineWheel<String>()
        wheel.schedule("a", at: 10_000)
        wheel.schedule("a", at: 20_000)
        wheel.schedule("a", at: 3_000)
        #expect(wheel.due(at: 3_000) == ["a"])
        #expect(wheel.due(at: 30_000) == [], "what was brought forward leaves nothing behind")
    }

    @Test func `A removed key is not checked`() {
        var wheel = DeadlineWheel<String>()
        wheel.schedule("a", at: 1_000)
        wheel.remove("a")
        #expect(wheel.due(at: 5_000) == [])
        wheel.schedule("a", at: 6_000)
        #expect(wheel.due(at: 7_000) == ["a"])
    }

    @Test func `A clock that was stopped misses nothing`() {
        var wheel = DeadlineWheel<Int>()
        for key in 1...100 { wheel.schedule(key, at: UInt64(key) * 1_000) }
        #expect(wheel.due(at: 1_000_000_000).sorted() == Array(1...100))
    }
}
