import Foundation
import Synchronization

/// Tells whether other threads want the processor of the thread that asks: lately, the kernel has taken it away from
/// this thread.
///
/// Each thread has one of its own.
final class ProcessorContention: Sendable {
    /// How long it counts that the processor was taken away, in nanoseconds. A thread that gives it up by itself isn't
    /// told any more that others want it.
    static let memory: UInt64 = 500_000_000

    private struct State {
        var switches: Int?
        var until: UInt64 = 0
    }

    private let state = Mutex(State())
    private let switches: @Sendable () -> Int
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - switches: how often the processor was taken away from the current thread so far.
    ///   - now: a monotonic clock, in nanoseconds.
    init(
        switches: @escaping @Sendable () -> Int = involuntarySwitches,
        now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    ) {
        self.switches = switches
        self.now = now
    }

    var isThere: Bool {
        let (count, now) = (switches(), now())
        return state.withLock { state in
            if let last = state.switches, last != count { state.until = now + Self.memory }
            state.switches = count
            return now < state.until
        }
    }

    /// How often the processor was taken away from the current thread so far because another one was to have it; 0
    /// where the system doesn't count that for each thread.
    @Sendable static func involuntarySwitches() -> Int {
        #if os(Linux)
            // `RUSAGE_THREAD` (getrusage(2)), which Swift doesn't see.
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
