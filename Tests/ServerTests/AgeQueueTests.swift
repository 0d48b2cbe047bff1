import Testing

@testable import MarqueeServer

@Suite struct AgeQueueTests {
    @Test func `The oldest comes first, and a key appended again last`() {
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

    /// As at a bound, each key that is added removes one; removed keys leave nothing behind.
    @Test func `A removed key is not held`() {
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

    @Test func `The longest idle key comes first, and one that returned comes last`() {
        var queue = AgeQueue<UInt64>()
        for handle in 1...10 as ClosedRange<UInt64> { queue.append(handle, at: 0) }
        queue.remove(1)
        queue.remove(5)
        #expect(queue.count == 8)
        queue.append(1, at: 0)
        var order: [UInt64] = []
        while let handle = queue.popFirst() { order.append(handle) }
        #expect(order == [2, 3, 4, 6, 7, 8, 9, 10, 1])
        #expect(queue.count == 0)
    }

    @Test func `Keys idle for long are removed, and the rest stay`() {
        var queue = AgeQueue<UInt64>()
        for handle in 1...6 as ClosedRange<UInt64> { queue.append(handle, at: 10 * handle) }
        queue.remove(1)
        queue.remove(3)
        #expect(queue.popFirst(ageing: 51, at: 70) == nil)
        #expect(queue.popFirst(ageing: 30, at: 70) == 2)
        #expect(queue.popFirst(ageing: 30, at: 70) == 4)
        #expect(queue.popFirst(ageing: 30, at: 70) == nil)
        #expect(queue.count == 2)
        #expect(queue.popFirst() == 5)
        #expect(queue.popFirst(ageing: 0, at: 70) == 6)
        #expect(queue.popFirst(ageing: 0, at: 70) == nil)
        #expect(queue.count == 0)
    }

    @Test func `It agrees with an array, whatever the order of operations`() {
        var queue = AgeQueue<UInt64>()
        var array: [UInt64] = []
        var state: UInt64 = 7
        for step in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int(state >> 33)
            switch number % 5 {
            case 0, 1:
                array.append(UInt64(step))
                queue.append(UInt64(step), at: 0)
            case 2 where !array.isEmpty: queue.remove(array.remove(at: number / 5 % array.count))
            default: #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
            }
            #expect(queue.count == array.count)
        }
    }
}
