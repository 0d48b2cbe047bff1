import Dispatch
import NIOCore

/// An event loop under a virtual clock: due tasks run in order when the schedule advances the time, and at no other
/// moment.
///
/// Unchecked because a schedule runs on a single thread and nothing is shared.
final class SimulatedLoop: EventLoop, @unchecked Sendable {
    private struct Timer {
        let due: UInt64
        let serial: UInt64
        let run: () -> Void
        let fail: () -> Void
    }

    private var timers: [Timer] = []
    private var serial: UInt64 = 0
    private var hasEnded = false
    /// Nanoseconds.
    private var time: UInt64

    /// - Parameter now: milliseconds.
    init(now: UInt64) { time = now * 1_000_000 }

    var inEventLoop: Bool { true }
    var now: NIODeadline { .uptimeNanoseconds(time) }
    /// Milliseconds.
    var uptime: UInt64 { time / 1_000_000 }

    /// When the next task is due, in milliseconds, rounded up.
    var nextDue: UInt64? { timers.map(\.due).min().map { ($0 + 999_999) / 1_000_000 } }

    /// Runs what is due up to a time in milliseconds.
    func advance(to milliseconds: UInt64) {
        let limit = max(time, milliseconds * 1_000_000)
        while let index = next(upTo: limit) {
            let timer = timers.remove(at: index)
            time = max(time, timer.due)
            timer.run()
        }
        time = limit
    }

    /// Moves the clock without running anything, as when a computer sleeps; tasks that became due run at the next
    /// `advance`.
    func sleep(to milliseconds: UInt64) { time = max(time, milliseconds * 1_000_000) }

    /// Ends the loop: nothing more will run because the process is gone.
    func end() {
        hasEnded = true
        let waiting = timers
        timers.removeAll()
        // In debug builds every promise must be completed.
        for timer in waiting { timer.fail() }
    }

    private func next(upTo limit: UInt64) -> Int? {
        var best: Int?
        for (index, timer) in timers.enumerated() where timer.due <= limit {
            if let known = best, (timers[known].due, timers[known].serial) < (timer.due, timer.serial) { continue }
            best = index
        }
        return best
    }

    private func add(due: UInt64, _ run: @escaping () -> Void, orElse fail: @escaping () -> Void = {}) -> UInt64 {
        serial += 1
        if hasEnded {
            fail()
        } else {
            timers.append(Timer(due: due, serial: serial, run: run, fail: fail))
        }
        return serial
    }

    // MARK: - EventLoop

    func execute(_ task: @escaping @Sendable () -> Void) { _ = add(due: time, task) }

    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let number = add(due: deadline.uptimeNanoseconds) {
            do { promise.assumeIsolated().succeed(try task()) } catch { promise.fail(error) }
        } orElse: {
            promise.fail(EventLoopError.shutdown)
        }
        return Scheduled(promise: promise) { [weak self] in self?.timers.removeAll { $0.serial == number } }
    }

    func scheduleTask<T>(in pause: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + pause, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        end()
        queue.async { callback(nil) }
    }
}
