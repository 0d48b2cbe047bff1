import Testing

@testable import MarqueeServer

@Suite struct IdleQueueTests {
    @Test func theLongestIdleComesFirstAndWhatCameBackNotAtAll() {
        var queue = IdleQueue()
        let serials = (1...10).map { queue.append($0, at: 0) }
        queue.remove(serials[0])
        queue.remove(serials[4])
        #expect(queue.count == 8)
        _ = queue.append(1, at: 0)
        var order: [UInt64] = []
        while let handle = queue.popFirst() { order.append(handle) }
        #expect(order == [2, 3, 4, 6, 7, 8, 9, 10, 1])
        #expect(queue.count == 0)
    }

    @Test func whatHasBeenIdleForLongComesAndTheRestStays() {
        var queue = IdleQueue()
        let serials = (1...6).map { queue.append($0, at: 10 * $0) }
        queue.remove(serials[0])
        queue.remove(serials[2])
        #expect(queue.popFirst(since: 19) == nil)
        #expect(queue.popFirst(since: 40) == 2)
        #expect(queue.popFirst(since: 40) == 4)
        #expect(queue.popFirst(since: 40) == nil)
        #expect(queue.count == 2)
        #expect(queue.popFirst() == 5)
        #expect(queue.popFirst(since: .max) == 6)
        #expect(queue.popFirst(since: .max) == nil)
        #expect(queue.count == 0)
    }

    @Test func itAgreesWithAnArrayWhateverTheOrderOfThings() {
        var queue = IdleQueue()
        var array: [(handle: UInt64, serial: UInt64)] = []
        var state: UInt64 = 7
        for step in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int(state >> 33)
            switch number % 5 {
            case 0, 1: array.append((UInt64(step), queue.append(UInt64(step), at: 0)))
            case 2 where !array.isEmpty: queue.remove(array.remove(at: number / 5 % array.count).serial)
            default: #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst().handle))
            }
            #expect(queue.count == array.count)
        }
    }
}
