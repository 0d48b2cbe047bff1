import Testing

@testable import MarqueeServer

@Suite struct LevelQueueTests {
    private typealias Queue = LevelQueue<Int>

    /// Lets the next owner use all the steps of its turn and request more.
    private func takeWhole(_ queue: inout LevelQueue<Int>) -> Int? {
        guard let (owner, steps) = queue.next() else { return nil }
        queue.add(owner)
        queue.charge(steps, isDone: false)
        return owner
    }

    /// Owners with long work, all on the last level.
    private func busy(_ count: Int) -> LevelQueue<Int> {
        var queue = LevelQueue<Int>()
        for owner in 0..<count { queue.add(owner) }
        for _ in 0..<count * (Queue.stepsPerLevel.count - 1) { _ = takeWhole(&queue) }
        return queue
    }

    @Test func `An owner that needs little is next each time it comes`() {
        var queue = busy(1_000)
        var others = 0
        for _ in 0..<Queue.stepsAhead {
            queue.add(-1)
            while let next = queue.next(), next.owner != -1 {
                others += 1
                queue.add(next.owner)
                queue.charge(next.steps, isDone: false)
            }
            queue.charge(1, isDone: true)
        }
        // One other was due before it came, and one because of the steps that it has taken since.
        #expect(others <= 2)
    }

    @Test func `Long-running owners get their turns, however many need little`() {
        var queue = busy(3)
        var turns: [Int: Int] = [:]
        for step in 0..<10 * (Queue.stepsAhead + 1) {
            // A new owner each time.
            queue.add(1_000 + step)
            guard let (owner, _) = queue.next() else { break }
            turns[owner, default: 0] += 1
            let isLong = owner < 3
            if isLong { queue.add(owner) }
            queue.charge(isLong ? Queue.stepsPerTurn : 1, isDone: !isLong)
        }
        #expect((0..<3).allSatisfy { turns[$0] ?? 0 >= 2 })
    }

    @Test func `Turns get longer from level to level`() {
        var queue = Queue()
        queue.add(1)
        var steps: [Int] = []
        for _ in 0..<5 {
            guard let next = queue.next() else { break }
            steps.append(next.steps)
            queue.add(1)
            queue.charge(next.steps, isDone: false)
        }
        #expect(steps == Queue.stepsPerLevel + [Queue.stepsPerTurn, Queue.stepsPerTurn])
    }

    @Test func `An owner awaiting a result stays on its level`() {
        var queue = busy(1)
        queue.add(1)
        for _ in 0..<2 {
            guard let next = queue.next() else { break }
            #expect(next.owner == 1)
            // It neither requests another turn nor is done.
            queue.charge(next.steps, isDone: false)
            queue.add(1)
        }
        queue.add(2)
        #expect([queue.next()?.owner, queue.next()?.owner, queue.next()?.owner] == [2, 0, 1])
    }

    @Test func `A waiting owner is queued once`() {
        var queue = Queue()
        for _ in 0..<5 { queue.add(1) }
        #expect(queue.count == 1)
        #expect(queue.next()?.owner == 1)
        queue.charge(1, isDone: true)
        #expect(queue.next() == nil)
        #expect(queue.isEmpty)
    }

    @Test func `A removed owner has no turn`() {
        var queue = busy(3)
        queue.remove(1)
        queue.remove(1)
        #expect(queue.count == 2)
        #expect(takeWhole(&queue) == 0)
        // Even in its own turn.
        #expect(queue.next()?.owner == 2)
        queue.add(2)
        queue.remove(2)
        queue.charge(1, isDone: false)
        #expect(takeWhole(&queue) == 0)
        #expect(queue.count == 1)
    }
}
