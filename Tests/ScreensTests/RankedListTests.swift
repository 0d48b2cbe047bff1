import SeededRandom
import Testing

@testable import MarqueeScreens

/// Compares the ordered tree with a plain array.
@Suite struct RankedListTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `Random changes agree with an array`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = Int.random(in: 0...3, using: &random) * 3_000
        var array = (0..<start).map { UInt32($0 * 10) }
        var list = RankedList(array)
        #expect(list.prefix(.max) == array)
        // Grows for a while, then shrinks to nothing, and grows again.
        for step in 0..<6_000 {
            let grows = step < 2_000 || step > 5_000
            for _ in 0..<(grows ? 1 : 4) {
                if Int.random(in: 0..<10, using: &random) < (grows ? 7 : 2) || array.isEmpty {
                    let slot = UInt32.random(in: 0...100_000, using: &random)
                    let rank = list.rank { $0 < slot }
                    #expect(rank == array.partitioningIndex { $0 >= slot })
                    guard rank == array.count || array[rank] != slot else { continue }
                    list.insert(slot, at: rank)
                    array.insert(slot, at: rank)
                } else {
                    let rank = Int.random(in: 0..<array.count, using: &random)
                    #expect(list[rank] == array[rank])
                    list.remove(at: rank)
                    array.remove(at: rank)
                }
            }
            #expect(list.count == array.count)
            if step % 500 == 0 {
                #expect(list.prefix(.max) == array)
                #expect(list.prefix(7) == Array(array.prefix(7)))
            }
        }
        #expect(list.prefix(.max) == array)
    }

    @Test func `The list works at both ends`() {
        var list = RankedList()
        #expect(list.prefix(3) == [])
        #expect(list.rank { _ in true } == 0)
        // Inserting and removing at both ends splits and empties nodes at their edges.
        for slot in (0..<5_000 as Range<UInt32>).reversed() { list.insert(slot, at: 0) }
        for slot in 5_000..<10_000 as Range<UInt32> { list.insert(slot, at: list.count) }
        #expect(list.prefix(.max) == Array(0..<10_000))
        #expect(list.rank { $0 < 10_000 } == 10_000)
        for _ in 0..<2_500 { list.remove(at: 0) }
        for _ in 0..<2_500 { list.remove(at: list.count - 1) }
        #expect(list.prefix(.max) == Array(2_500..<7_500))
        while list.count > 0 { list.remove(at: list.count / 2) }
        #expect(list.prefix(1) == [])
        list.insert(7, at: 0)
        #expect(list.prefix(1) == [7])
    }

    @Test func `Finding a place takes logarithmically many comparisons`() {
        for size in [1_000, 100_000, 1_000_000] {
            let list = RankedList((0..<UInt32(size)).map { $0 })
            for slot in stride(from: UInt32(0), to: UInt32(size), by: size / 100) {
                var compared = 0
                let rank = list.rank {
                    compared += 1
                    return $0 < slot
                }
                #expect(rank == Int(slot))
                #expect(compared <= size.bitWidth - size.leadingZeroBitCount + 2 * list.height, "\(size) \(slot)")
            }
            #expect(list.height <= 4)
        }
    }

    @Test func `Copies share no mutable state`() {
        var list = RankedList(Array(0..<1_000))
        let copy = list
        for _ in 0..<500 { list.remove(at: 0) }
        #expect(copy.prefix(.max) == Array(0..<1_000))
        #expect(list.prefix(.max) == Array(500..<1_000))
    }
}
