import Synchronization
import Testing

@testable import MarqueeServer

@Suite final class WorkLaneTests: Sendable {
    /// A thread that runs one job per call.
    private final class Thread: Sendable {
        let tasks = Mutex<[@Sendable () -> Void]>([])
        func run() -> Bool {
            let task = tasks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            task?()
            return task != nil
        }
    }

    private let thread = Thread()
    private let done = Mutex<[String]>([])

    /// The time that the thread's jobs have taken, in nanoseconds.
    private let used = Mutex<UInt64>(0)

    private func lane() -> WorkLane {
        let thread = thread
        return WorkLane(used: { [self] in used.withLock { $0 } }) { task in
            thread.tasks.withLock { $0.append(task) }
        }
    }

    @Test func `Other work on the thread comes after one job`() {
        let (lane, thread) = (lane(), thread)
        for job in 1...3 { lane.submit(for: 1) { [self] in done.withLock { $0.append("job \(job)") } } }
        thread.tasks.withLock { [self] in $0.append { [self] in done.withLock { $0.append("publication") } } }
        while thread.run() {}
        #expect(done.withLock { $0 } == ["job 1", "publication", "job 2", "job 3"])
        #expect(thread.tasks.withLock { $0.isEmpty })
    }

    @Test func `Jobs of a closed connection are not run`() {
        let (lane, thread) = (lane(), thread)
        for connection in 1...300 as ClosedRange<UInt64> {
            for _ in 0..<64 { lane.submit(for: connection) { [self] in done.withLock { $0.append("\(connection)") } } }
        }
        lane.submit(for: 301) { [self] in done.withLock { $0.append("newcomer") } }
        for connection in 1...300 as ClosedRange<UInt64> { lane.drop(connection) }
        while thread.run() {}
        #expect(done.withLock { $0 } == ["newcomer"])
        #expect(lane.counters == WorkLane.Counters(done: 1, dropped: 300 * 64, mostWaiting: 300 * 64 + 1))
        #expect(lane.waiting == 0)
    }

    @Test func `Work begun by a job continues before its connection's other jobs, and others have turns between`() {
        let (lane, thread) = (lane(), thread)
        lane.submit(for: 1) { [self] in
            used.withLock { $0 += 10 }
            done.withLock { $0.append("begun") }
            lane.resume(for: 1) { [self] in done.withLock { $0.append("ended") } }
        }
        lane.submit(for: 1) { [self] in done.withLock { $0.append("next") } }
        lane.submit(for: 2) { [self] in done.withLock { $0.append("other") } }
        while thread.run() {}
        #expect(done.withLock { $0 } == ["begun", "other", "ended", "next"])
    }

    @Test func `Work begun by a job doesn't continue if its connection has closed meanwhile`() {
        let (lane, thread) = (lane(), thread)
        lane.submit(for: 1) { [self] in
            lane.drop(1)
            lane.resume(for: 1) { [self] in done.withLock { $0.append("went on") } }
        }
        while thread.run() {}
        #expect(done.withLock { $0 } == [])
        #expect(lane.counters.dropped == 1)
        #expect(lane.waiting == 0)
    }

    @Test func `A lane rests after a while when others want its processor, and not otherwise`() {
        let (thread, pauses) = (thread, Thread())
        let isContended = Mutex(true)
        let rest = WorkLane.Rest(
            after: 50, isNeeded: { isContended.withLock { $0 } },
            pause: { work in pauses.tasks.withLock { $0.append(work) } })
        let lane = WorkLane(used: { [self] in used.withLock { $0 } }, rest: rest) { task in
            thread.tasks.withLock { $0.append(task) }
        }
        for job in 1...8 {
            lane.submit(for: 1) { [self] in
                used.withLock { $0 += 20 }
                done.withLock { $0.append("\(job)") }
            }
        }
        while thread.run() {}
        #expect(done.withLock { $0 } == ["1", "2", "3"])
        #expect(pauses.run(), "it goes on after the pause")
        while thread.run() {}
        #expect(done.withLock { $0.count } == 6)
        isContended.withLock { $0 = false }
        #expect(pauses.run())
        while thread.run() {}
        #expect(done.withLock { $0.count } == 8)
        #expect(pauses.tasks.withLock { $0.isEmpty })
    }

    @Test func `An idle lane starts again`() {
        let (lane, thread) = (lane(), thread)
        for job in 1...3 {
            lane.submit(for: 1) { [self] in done.withLock { $0.append("\(job)") } }
            while thread.run() {}
        }
        #expect(done.withLock { $0 } == ["1", "2", "3"])
    }

    /// Twenty connections search all the time, and one requests a job of microseconds every few searches.
    @Test func `A short job waits for a search or two, not for one of each other connection`() {
        let (lane, thread) = (lane(), thread)
        let searches = Mutex(0)
        @Sendable func search(_ connection: ConnectionID) {
            let count = searches.withLock { searches in
                searches += 1
                return UInt64(searches)
            }
            // Searches take different times.
            used.withLock { $0 += 2_000_000 + (connection * 7_919 + count * 104_729) % 3_000_000 }
            lane.submit(for: connection) { search(connection) }
        }
        for connection in 1...20 as ClosedRange<ConnectionID> {
            for _ in 0..<2 { lane.submit(for: connection) { search(connection) } }
        }
        for _ in 0..<20 { _ = thread.run() }
        var most = 0
        for step in 0..<500 {
            for _ in 0...step % 3 { _ = thread.run() }
            let before = searches.withLock { $0 }
            let isDone = Mutex(false)
            lane.submit(for: 21) { [self] in
                used.withLock { $0 += 50_000 }
                isDone.withLock { $0 = true }
            }
            while !isDone.withLock({ $0 }), thread.run() {}
            most = max(most, searches.withLock { $0 } - before)
        }
        #expect(most <= 2)
    }
}
