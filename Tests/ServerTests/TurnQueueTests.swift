import Testing

@testable import MarqueeServer

@Suite struct TurnQueueTests {
    private typealias Queue = TurnQueue<Int>

    /// Owners that always have something to do; each has had one turn of the same length.
    private func busy(_ count: Int, time: UInt64 = 1) -> TurnQueue<Int> {
        var queue = Queue()
        for owner in 0..<count { queue.add(owner) }
        for _ in 0..<count { _ = turn(&queue) { _ in time } }
        return queue
    }

    /// Gives the next owner its turn, after which it waits for another one.
    private func turn(_ queue: inout TurnQueue<Int>, time: (Int) -> UInt64) -> Int? {
        guard let owner = queue.next() else { return nil }
        queue.add(owner)
        queue.charge(time(owner))
        return owner
    }

    @Test func `An owner that was idle waits for none that always have something to do`() {
        var queue = busy(1_000)
        queue.add(-1)
        #expect(queue.next() == -1)
        queue.charge(1)
        #expect(queue.next() == 0)
        #expect(queue.count == 999)
    }

    @Test func `An owner that needs little hardly waits, however often it comes and however much the others need`() {
        var queue = busy(20)
        var turns: UInt64 = 0
        // Turns take different times.
        func time(_ owner: Int) -> UInt64 {
            turns += 1
            return 4_000 + (UInt64(owner) * 7_919 + turns * 104_729) % 2_000
        }
        for _ in 0..<100 { _ = turn(&queue, time: time) }
        var most = 0
        for step in 0..<1_000 {
            // Others have had a turn or two since it came before.
            for _ in 0...step % 2 { _ = turn(&queue, time: time) }
            queue.add(-1)
            var others = 0
            while let owner = queue.next(), owner != -1 {
                others += 1
                queue.add(owner)
                queue.charge(time(owner))
            }
            queue.charge(10)
            most = max(most, others)
        }
        #expect(most <= 2)
    }

    @Test func `An owner that keeps returning gets as much time as each of the others`() {
        var queue = busy(10, time: 50)
        var time: [Int: UInt64] = [:]
        for _ in 0..<11_000 {
            queue.add(-1)
            guard let owner = queue.next() else { break }
            // Its turns are longer, so it gets fewer.
            let taken: UInt64 = owner < 0 ? 100 : 50
            time[owner, default: 0] += taken
            if owner >= 0 { queue.add(owner) }
            queue.charge(taken)
        }
        let others = (0..<10).map { time[$0] ?? 0 }
        #expect(time.count == 11)
        #expect(others.allSatisfy { $0 >= 45_000 }, "\(others)")
        #expect(time[-1] ?? 0 >= 45_000)
    }

    @Test func `Time not taken isn't saved up`() {
        var queue = busy(2, time: 100)
        for _ in 0..<1_000 { _ = turn(&queue) { _ in 100 } }
        queue.add(-1)
        var turns = 0
        for _ in 0..<30 where turn(&queue, time: { _ in 100 }) == -1 { turns += 1 }
        #expect((10...11).contains(turns))
    }

    @Test func `An owner that needs much isn't held up by many that need little`() {
        var queue = busy(100)
        queue.add(-1)
        #expect(turn(&queue) { _ in 1_000_000 } == -1)
        var others = 0
        while let owner = turn(&queue, time: { _ in 1 }), owner != -1 { others += 1 }
        #expect(others <= 100 * (Queue.turnsAhead + 1), "each of the others has had no more than a few turns")
    }

    @Test func `Waiting owners aren't held up by a stream of new ones`() {
        var queue = busy(10)
        var turns: Set<Int> = []
        for step in 0..<10 * (Queue.turnsAhead + 1) {
            for new in 0..<2 { queue.add(1_000 + 2 * step + new) }
            if let owner = queue.next() { turns.insert(owner) }
            queue.charge(1)
        }
        #expect(turns.isSuperset(of: 0..<10))
    }

    @Test func `A waiting owner is queued once`() {
        var queue = Queue()
        for _ in 0..<5 { queue.add(1) }
        #expect(queue.count == 1)
        #expect(queue.next() == 1)
        queue.charge(1)
        #expect(queue.next() == nil)
        #expect(queue.isEmpty)
    }

    @Test func `A removed owner has no turn`() {
        var queue = busy(4)
        queue.remove(1)
        queue.remove(1)
        #expect(queue.count == 3)
        #expect(queue.next() == 0)
        // Even in its own turn.
        queue.add(0)
        queue.remove(0)
        queue.charge(1)
        #expect(turn(&queue) { _ in 1 } == 2)
        #expect(turn(&queue) { _ in 1 } == 3)
        #expect(turn(&queue) { _ in 1 } == 2)
        #expect(queue.count == 2)
    }
}
