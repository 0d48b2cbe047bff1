import Foundation

/// How long threads have had a processor. Unlike the time on a clock it leaves out what other threads and processes
/// took in between.
enum ThreadTime {
    /// Nanoseconds of the current thread so far.
    static func used() -> UInt64 {
        var time = timespec()
        // It can't fail: the clock exists wherever there are threads.
        _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(clamping: time.tv_sec) * 1_000_000_000 + UInt64(clamping: time.tv_nsec)
    }
}
