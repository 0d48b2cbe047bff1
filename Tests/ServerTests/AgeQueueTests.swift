import Testing

@testable import MarqueeServer

@Suite struct AgeQueueTests {
    @Test func theOldestComesFirstAndWhatWasAppendedAgainLast() {
        var queue = AgeQueue<String>()
        for (time, key) in ["a", "b", "c", "a"].enumerated() { queue.append(key, bytes: 10 + time, at: UInt64(time)) }
        queue.remove("b")
        #expect(queue.bytes == 12 + 13)
        #expect(queue.popFirst(ageing: 2, at: 3) == nil)
        #expect(queue.popFirst(ageing: 2, at: 4) == "c")
        #expect(queue.popFirst() == "a")
        #expect(queue.popFirst() == nil)
        #expect(queue.bytes == 0)
    }

    /// One in, one out, as where a bound is reached: what was taken out leaves nothing behind.
    @Test func whatWasTakenOutIsNotHeld() {
        var queue = AgeQueue<Int>()
        queue.append(0, at: 0)
        var most = 0
        for key in 1...100_000 {
            queue.append(key, at: 0)
            #expect(queue.popFirst() == key - 1)
            most = max(most, queue.heldEntries)
        }
        #expect(most <= 2)
        for _ in 0..<100_000 { queue.append(7, at: 0) }
        #expect(queue.heldEntries <= 4 * 2 + 1_024)
    }
}
