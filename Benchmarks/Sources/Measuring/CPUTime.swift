import Foundation

/// CPU time as the operating system has counted it for us. It is nearly the same on a busy machine as on an idle one;
/// wall time isn't.
package enum CPUTime {
    /// Of this thread.
    package static var microseconds: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) * 1e6 }

    /// - Returns: what `body` gives, and the CPU time that this thread spent in it.
    package static func measure<Value>(_ body: () throws -> Value) rethrows -> (value: Value, microseconds: Double) {
        let start = microseconds
        let value = try body()
        return (value, microseconds - start)
    }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Wall time, for what waits for a disk.
package enum WallTime {
    package static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension [Double] {
    /// 0 of nothing.
    package var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
