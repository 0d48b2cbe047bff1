import Dispatch
import MarqueeServer
import Synchronization
import Testing

@Suite struct SharedMemoTests {
    private struct Refused: Error {}

    @Test func `A value is made once for all threads`() {
        let memo = SharedMemo<Int, [UInt8]>(values: 4, bytes: 100) { $0.count }
        let made = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            _ = memo.value(of: 7) {
                made.add(1, ordering: .relaxed)
                return [1, 2]
            }
        }
        #expect(made.load(ordering: .relaxed) == 1)
        #expect(memo.held == (1, 2))
    }

    @Test func `The oldest values go`() {
        let memo = SharedMemo<Int, [UInt8]>(values: 3, bytes: 100) { $0.count }
        for key in 0..<5 { _ = memo.value(of: key) { [UInt8](repeating: 0, count: 10) } }
        #expect(memo.held == (3, 30))
        var made: [Int] = []
        for key in [4, 2, 0] {
            _ = memo.value(of: key) {
                made.append(key)
                return []
            }
        }
        #expect(made == [0])
    }

    @Test func `Bytes are bounded, but the newest value stays`() {
        let memo = SharedMemo<Int, [UInt8]>(values: 10, bytes: 100) { $0.count }
        for key in 0..<3 { _ = memo.value(of: key) { [UInt8](repeating: 0, count: 60) } }
        #expect(memo.held == (1, 60))
        _ = memo.value(of: 3) { [UInt8](repeating: 0, count: 1_000) }
        #expect(memo.held == (1, 1_000))
        _ = memo.value(of: 4) { [1] }
        #expect(memo.held == (1, 1))
    }

    @Test func `A failure isn't remembered`() throws {
        let memo = SharedMemo<Int, [UInt8]>(values: 4, bytes: 100) { $0.count }
        #expect(throws: Refused.self) {
            _ = try memo.value(of: 1) { () throws(Refused) -> [UInt8] in throw Refused() }
        }
        #expect(memo.value(of: 1) { [5] } == [5])
        #expect(memo.held == (1, 1))
    }
}
