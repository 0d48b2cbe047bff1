import Testing

@testable import MarqueeServer

@Suite struct FairQueueTests {
    private typealias Queue = FairQueue<String, Int>

    /// The next job, charged the same time as each before it.
    private func take<Owner>(_ queue: inout FairQueue<Owner, Int>) -> Int? {
        defer { queue.charge(1) }
        return queue.next()
    }

    @Test func `Owners take turns, whatever each has requested`() {
        var queue = Queue()
        for work in 1...5 { queue.append(work, for: "greedy") }
        queue.append(11, for: "second")
        queue.append(21, for: "third")
        queue.append(12, for: "second")
        var order: [Int] = []
        while let work = take(&queue) { order.append(work) }
        #expect(order == [1, 11, 21, 2, 12, 3, 4, 5])
    }

    @Test func `The last owner waits for only one job of each other`() {
        var queue = Queue()
        for owner in 0..<100 { for work in 0..<64 { queue.append(work, for: "\(owner)") } }
        queue.append(-1, for: "newcomer")
        var before = 0
        while take(&queue) != -1 { before += 1 }
        #expect(before == 100)
    }

    @Test func `An owner that requests little waits for none that always request`() {
        var queue = Queue()
        for owner in 0..<100 { for work in 0..<64 { queue.append(work, for: "\(owner)") } }
        for _ in 0..<100 { _ = take(&queue) }
        queue.append(-1, for: "little")
        #expect(take(&queue) == -1)
    }

    @Test func `A removed job is not run`() {
        var queue = Queue()
        for work in 1...3 { queue.append(work, for: "gone") }
        queue.append(7, for: "stays")
        #expect(queue.remove("gone") == 3)
        #expect(queue.remove("gone") == 0)
        #expect(queue.count == 1)
        #expect(take(&queue) == 7)
        #expect(take(&queue) == nil)
    }

    @Test func `An owner that returns gets one turn per round`() {
        var queue = Queue()
        queue.append(1, for: "back")
        queue.remove("back")
        for work in [2, 3] { queue.append(work, for: "back") }
        for work in [11, 12] { queue.append(work, for: "other") }
        #expect((0..<4).map { _ in take(&queue) } == [2, 11, 3, 12])
    }

    @Test(arguments: [(0, 16), (3_840, 16), (3_900, 12), (4_080, 1), (4_096, 1), (9_000, 1)])
    func `The less room is left, the fewer may wait, but always one`(waiting: Int, allowance: Int) {
        var queue = Queue()
        for work in 0..<waiting { queue.append(work, for: "\(work)") }
        #expect(queue.allowance == allowance)
    }

    /// However owners come and go, the queue agrees with one list per owner, and remembers nothing that was removed.
    @Test func `It agrees with lists, whatever the order of operations`() {
        var queue = FairQueue<Int, Int>()
        var lists: [Int: [Int]] = [:]
        var state: UInt64 = 7
        for step in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int(state >> 33)
            let owner = number / 7 % 20
            switch number % 7 {
            case 0...3:
                queue.append(step, for: owner)
                lists[owner, default: []].append(step)
            case 4: #expect(queue.remove(owner) == lists.removeValue(forKey: owner)?.count ?? 0)
            default:
                if let work = take(&queue) {
                    let found = lists.first { $0.value.first == work }
                    #expect(found != nil, "\(work) was not the oldest of its owner")
                    if let found { lists[found.key] = found.value.count > 1 ? Array(found.value.dropFirst()) : nil }
                } else {
                    #expect(lists.isEmpty)
                }
            }
            #expect(queue.count == lists.values.reduce(0) { $0 + $1.count })
        }
    }
}
