/// The two clocks of a store: the time of day, and a monotonic clock.
struct StoreClock: Sendable {
    /// Milliseconds since 1970.
    let wall: WallClock
    /// Milliseconds of a monotonic clock, which can't be set.
    let steady: WallClock

    /// - Parameters:
    ///   - wall: `nil` for the system's.
    ///   - steady: `nil` for the system's, or for `wall` if that is given.
    init(wall: WallClock?, steady: WallClock?) {
        self.wall = wall ?? { systemWallClock() }
        self.steady = steady ?? wall ?? { systemSteadyClock() }
    }
}

/// Milliseconds of the system's monotonic clock.
package func systemSteadyClock() -> UInt64 {
    let (seconds, attoseconds) = (ContinuousClock.now - StoreAge.start).components
    return UInt64(max(0, seconds)) * 1_000 + UInt64(max(0, attoseconds) / 1_000_000_000_000_000)
}

/// The time by which a store counts ages: the time of day, as long as it keeps pace with the monotonic clock.
///
/// A clock that jumps ahead would make a store forget its clients and truncate its log, so a jump isn't counted: ages
/// grow only as fast as the monotonic clock. A long time in which no process had the store open isn't counted either.
/// So ages may be too small, but never too large.
package struct StoreAge: Sendable {
    fileprivate static let start = ContinuousClock.now
    /// How far the time of day may be ahead of the newest time in the store without this process having seen it pass:
    /// processes come and go, and their clocks differ a little.
    static let tolerance: UInt64 = 600_000

    /// The last result of `now` in this process, and the steady clock at that time; in milliseconds.
    private var last: (age: UInt64, steady: UInt64)?

    package init() {}

    /// The present, in milliseconds since 1970.
    /// - Parameters:
    ///   - wall: the time of day.
    ///   - steady: the monotonic clock.
    ///   - newest: the newest time in the store, noted by any process; 0 if there is none.
    package mutating func now(wall: UInt64, steady: UInt64, newest: UInt64) -> UInt64 {
        let age = age(wall: wall, steady: steady, newest: newest)
        last = (age, steady)
        return age
    }

    private func age(wall: UInt64, steady: UInt64, newest: UInt64) -> UInt64 {
        guard newest > 0 || last != nil else { return wall }
        let passed = last.map { $0.age.saturated(adding: steady.decreased(by: $0.steady)) } ?? newest
        let known = max(newest, passed)
        if wall <= known { return max(newest, wall) }
        return wall - known <= Self.tolerance ? wall : known
    }
}

extension UInt64 {
    fileprivate func saturated(adding other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
