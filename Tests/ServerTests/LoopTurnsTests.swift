import Synchronization
import Testing

@testable import MarqueeServer

@Suite final class LoopTurnsTests {
    /// A loop that runs a slice on demand, and a clock that advances with the work.
    private var slices: [() -> Void] = []
    private var clock: UInt64 = 0
    private var isContended = false
    private var taken: [Int] = []
    private let wakes = Wakes()
    private lazy var inbox: LoopInbox = LoopInbox { [wakes] in wakes.count.add(1, ordering: .relaxed) }
    /// How long each turn takes.
    private var turn: UInt64 = 1
    /// Owners with more to do after their turn.
    private var greedy: Set<Int> = []
    private lazy var turns: LoopTurns<Int> = LoopTurns<Int>(
        inbox: inbox, now: { [unowned self] in clock }, isContended: { [unowned self] in isContended },
        afterReading: { [unowned self] in slices.append($0) },
        turn: { [unowned self] owner, limit in
            taken.append(owner)
            clock += turn
            if greedy.contains(owner) { turns.askLater(owner) }
            return .init(steps: greedy.contains(owner) ? limit : 1, isDone: !greedy.contains(owner))
        })

    private final class Wakes: Sendable { let count = Atomic<Int>(0) }

    /// The loop reads, then runs what was scheduled.
    private func runSlice() -> Int {
        let before = taken.count
        guard !slices.isEmpty else { return 0 }
        slices.removeFirst()()
        return taken.count - before
    }

    @Test func `The loop reads after a slice, however much there is to do`() {
        greedy = [1, 2]
        turn = LoopTurns<Int>.slice / 10
        for owner in [1, 2] { turns.askLater(owner) }
        for _ in 0..<5 {
            #expect(slices.count == 1, "one slice is scheduled at a time")
            #expect(runSlice() == 10)
        }
    }

    @Test func `While other threads want the processor, slices are short`() {
        greedy = [1, 2]
        turn = LoopTurns<Int>.shortSlice / 3
        for owner in [1, 2] { turns.askLater(owner) }
        isContended = true
        #expect(runSlice() == 3)
        isContended = false
        #expect(runSlice() > 3)
    }

    @Test func `An owner that needs little is next in the slice after it came`() {
        greedy = Set(0..<1_000)
        turn = LoopTurns<Int>.slice / 10
        for owner in 0..<1_000 { turns.askLater(owner) }
        // Each has had a turn, and some have had two.
        for _ in 0..<150 { _ = runSlice() }
        let before = taken.count
        #expect(turns.ask(-1) == false)
        _ = runSlice()
        // One of the others may have been due.
        #expect(taken[before...].prefix(2).contains(-1))
    }

    @Test func `An owner that returns for little is next each time`() {
        greedy = Set(0..<300)
        turn = LoopTurns<Int>.slice
        for owner in 0..<300 { turns.askLater(owner) }
        // Each of them has long work in progress.
        for _ in 0..<600 { _ = runSlice() }
        for _ in 0..<20 {
            turns.askLater(-1)
            _ = runSlice()
            if taken.last != -1 { _ = runSlice() }
            #expect(taken.last == -1)
        }
    }

    @Test func `If nobody waits, a turn is granted at once, a few times`() {
        for owner in 0..<20 { #expect(turns.ask(owner) == (owner < LoopTurns<Int>.turnsAtOnce)) }
        #expect(taken == Array(0..<LoopTurns<Int>.turnsAtOnce))
        #expect(runSlice() == 20 - LoopTurns<Int>.turnsAtOnce)
        #expect(turns.ask(99))
    }

    @Test func `Results from other threads wake the loop once and are taken by slices`() {
        func deliver(_ owner: Int) {
            nonisolated(unsafe) let turns = turns
            inbox.add { turns.askLater(owner) }
        }
        for owner in 0..<500 { deliver(owner) }
        #expect(wakes.count.load(ordering: .relaxed) == 1)
        turn = LoopTurns<Int>.slice / 100
        turns.inboxWoke()
        #expect(taken.count == 100)
        // The loop is busy, and checks the inbox by itself.
        for owner in 500..<1_000 { deliver(owner) }
        turns.inboxWoke()
        #expect(taken.count == 100)
        while runSlice() > 0 {}
        #expect(taken == Array(0..<1_000))
        #expect(wakes.count.load(ordering: .relaxed) == 1)
        deliver(1_000)
        #expect(wakes.count.load(ordering: .relaxed) == 2, "it had stopped looking, and is woken")
    }

    @Test func `A removed owner has no turn`() {
        turns.askLater(1)
        turns.askLater(2)
        turns.remove(1)
        _ = runSlice()
        #expect(taken == [2])
    }
}
