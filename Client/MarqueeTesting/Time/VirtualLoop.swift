import Dispatch
import Foundation
import MarqueeLocks
import NIOCore
import NIOPosix

/// An event loop without a thread, with a clock that a test moves.
///
/// Work given to it runs immediately, on the calling thread: when `execute` returns to a caller outside the loop,
/// everything that followed from it is done, except what waits for a later time. Only `advance` makes time pass, so
/// nothing here depends on how fast a machine is.
///
/// Thread safe: the tasks run one at a time, and a second thread waits for its turn.
final class VirtualLoop: EventLoop {
    private typealias Work = @Sendable () -> Void

    private struct Timer {
        let due: UInt64
        let serial: UInt64
        let run: Work
        let fail: Work
    }

    private struct State {
        /// The time of the clock, in nanoseconds.
        var time: UInt64 = 1_000_000_000
        var serial: UInt64 = 0
        var ready: [Work] = []
        var timers: [Timer] = []
        var hasEnded = false

        /// Takes the work that is due first, up to a time, and moves the clock there.
        mutating func takeTimer(upTo limit: UInt64) -> Work? {
            let due = timers.indices.filter { timers[$0].due <= limit }
            guard let first = due.min(by: { (timers[$0].due, timers[$0].serial) < (timers[$1].due, timers[$1].serial) })
            else { return nil }
            let timer = timers.remove(at: first)
            time = max(time, timer.due)
            return timer.run
        }

        mutating func takeReady() -> [Work] {
            defer { ready.removeAll() }
            return ready
        }
    }

    /// The loop that is running a task on this thread.
    private static let current = ThreadSpecificVariable<VirtualLoop>()

    private let state = Locked(State())
    /// Held by the thread that runs tasks.
    private let turn = NSLock()

    var inEventLoop: Bool { Self.current.currentValue === self }

    var now: NIODeadline { .uptimeNanoseconds(state.withLock { $0.time }) }

    /// Lets time pass, and runs the work that becomes due, in order.
    func advance(by duration: Duration) {
        let limit = state.withLock { $0.time + UInt64(max(0, duration / .nanoseconds(1))) }
        takeTurn {
            while let timer = state.withLock({ $0.takeTimer(upTo: limit) }) {
                timer()
                runReady()
            }
            state.withLock { $0.time = max($0.time, limit) }
        }
    }

    /// Runs `work` on the loop and returns its result, once everything that followed from it is done.
    func run<Value>(_ work: () throws -> Value) rethrows -> Value {
        if inEventLoop { return try work() }
        return try takeTurn {
            defer { runReady() }
            return try work()
        }
    }

    /// Drops all work that waits for a later time. Until it runs or this is called, timers and the loop keep each other
    /// alive.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.timers.removeAll() }
            return state.timers
        }
        for timer in waiting { timer.fail() }
    }

    private func takeTurn<Value>(_ work: () throws -> Value) rethrows -> Value {
        precondition(!inEventLoop, "a task of the loop can't make its time pass")
        turn.lock()
        let outer = Self.current.currentValue
        Self.current.currentValue = self
        defer {
            Self.current.currentValue = outer
            turn.unlock()
        }
        return try work()
    }

    private func runReady() {
        while true {
            let ready = state.withLock { $0.takeReady() }
            guard !ready.isEmpty else { return }
            for work in ready { work() }
        }
    }

    // MARK: - EventLoop

    func execute(_ task: @escaping @Sendable () -> Void) {
        state.withLock { $0.ready.append(task) }
        if !inEventLoop { takeTurn { runReady() } }
    }

    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let serial = state.withLock { state in
            state.serial += 1
            state.timers.append(
                Timer(due: deadline.uptimeNanoseconds, serial: state.serial) {
                    do { promise.assumeIsolated().succeed(try task()) } catch { promise.fail(error) }
                } fail: {
                    promise.fail(EventLoopError.shutdown)
                })
            return state.serial
        }
        if state.withLock({ $0.hasEnded }) { end() }
        return Scheduled(promise: promise) { [weak self] in
            self?.state.withLock { state in state.timers.removeAll { $0.serial == serial } }
        }
    }

    func scheduleTask<T>(in pause: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + pause, task)
    }

    /// There is no thread to end.
    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        queue.async { callback(nil) }
    }
}
