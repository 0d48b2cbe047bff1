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
}
