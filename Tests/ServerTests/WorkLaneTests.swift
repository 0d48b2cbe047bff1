import Synchronization
import Testing

@testable import MarqueeServer

@Suite final class WorkLaneTests: Sendable {
    /// A thread that runs one job when told to.
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

    private func lane() -> WorkLane {
        let thread = thread
        return WorkLane { task in thread.tasks.withLock { $0.append(task) } }
    }

    @Test func `Other work of the thread comes after one job`() {
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

    @Test func `An idle lane starts again`() {
        let (lane, thread) = (lane(), thread)
        for job in 1...3 {
            lane.submit(for: 1) { [self] in done.withLock { $0.append("\(job)") } }
            while thread.run() {}
        }
        #expect(done.withLock { $0 } == ["1", "2", "3"])
    }
}
