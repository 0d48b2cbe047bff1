import Foundation

/// The CPU time of threads. Unlike elapsed time, it excludes the time of other threads and processes.
enum ThreadTime {
    /// The current thread's CPU time so far, in nanoseconds.
    static func used() -> UInt64 {
        var time = timespec()
        // This can't fail: the clock exists wherever there are threads.
        _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(clamping: time.tv_sec) * 1_000_000_000 + UInt64(clamping: time.tv_nsec)
    }

    /// How often the processor was taken away from the current thread so far, as another one was to have it; 0 where the
    /// system doesn't count that for threads.
    static func involuntarySwitches() -> Int {
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
