import Foundation
import Synchronization

/// Tells whether other threads want the calling thread's processor: that is, whether the kernel has recently preempted
/// this thread.
///
/// Each thread has its own instance.
final class ProcessorContention: Sendable {
    /// How long a preemption counts, in nanoseconds. While a thread gives up the processor by itself, it isn't
    /// preempted and so wouldn't notice that others want it.
    static let memory: UInt64 = 500_000_000

    private struct State {
        var switches: Int?
        var until: UInt64 = 0
    }

    private let state = Mutex(State())
    private let switches: @Sendable () -> Int
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - switches: the number of times the current thread was preempted so far.
    ///   - now: a monotonic clock, in nanoseconds.
    init(
        switches: @escaping @Sendable () -> Int = involuntarySwitches,
        now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    ) {
        self.switches = switches
        self.now = now
    }

    var isPresent: Bool {
        let (count, now) = (switches(), now())
        return state.withLock { state in
            if let last = state.switches, last != count { state.until = now + Self.memory }
            state.switches = count
            return now < state.until
        }
    }

    /// The number of times the current thread was preempted so far; 0 where the system doesn't count that per thread.
    @Sendable static func involuntarySwitches() -> Int {
        #if os(Linux)
            // `RUSAGE_THREAD` (getrusage(2)), which isn't imported into Swift.
            let thread: CInt = 1
            var usage = rusage()
            // This can't fail: it is the current thread's.
            _ = getrusage(thread, &usage)
            return usage.ru_nivcsw
        #else
            return 0
        #endif
    }
}
