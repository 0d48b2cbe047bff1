import Testing

@testable import MarqueeServer

@Suite struct TurnQueueTests {
    /// Owners that always have something to do, each having had a turn.
    private func busy(_ count: Int) -> TurnQueue<Int> {
        var queue = TurnQueue<Int>()
        for owner in 0..<count { queue.add(owner) }
        for _ in 0..<count { if let owner = queue.next() { queue.add(owner) } }
        return queue
    }

    @Test func `An owner that had nothing to do waits for none that always have`() {
        var queue = busy(1_000)
        queue.add(-1)
        #expect(queue.next() == -1)
        #expect(queue.next() == 0)
        #expect(queue.count == 999)
    }

    @Test func `An owner that keeps returning has one turn for each of the others`() {
        var queue = busy(10)
        var turns: [Int: Int] = [:]
        for _ in 0..<1_100 {
            queue.add(-1)
            guard let owner = queue.next() else { break }
            turns[owner, default: 0] += 1
            if owner >= 0 { queue.add(owner) }
        }
        #expect(turns.count == 11)
        // Those that always wait have had about as many turns as the one that keeps returning.
        #expect((0..<10).allSatisfy { turns[$0] ?? 0 >= 90 })
    }

    @Test func `A waiting owner is queued once`() {
        var queue = TurnQueue<Int>()
        for _ in 0..<5 { queue.add(1) }
        #expect(queue.count == 1)
        #expect(queue.next() == 1)
        #expect(queue.next() == nil)
        #expect(queue.isEmpty)
    }

    @Test func `A removed owner has no turn`() {
        var queue = busy(3)
        queue.remove(1)
        queue.remove(1)
        #expect(queue.count == 2)
        #expect([queue.next(), queue.next(), queue.next()] == [0, 2, nil])
    }
}
