/// The two clocks of a store: the time of day, and one that only goes on.
struct StoreClock: Sendable {
    /// Milliseconds since 1970.
    let wall: WallClock
    /// Milliseconds of a clock that nobody can set.
    let steady: WallClock

    /// - Parameters:
    ///   - wall: `nil` for the system's.
    ///   - steady: `nil` for the system's, or for `wall` if that is given.
    init(wall: WallClock?, steady: WallClock?) {
        self.wall = wall ?? { systemWallClock() }
        self.steady = steady ?? wall ?? { systemSteadyClock() }
    }
}

/// Milliseconds since some moment, by a clock that is never set.
package func systemSteadyClock() -> UInt64 {
    let (seconds, attoseconds) = (ContinuousClock.now - StoreAge.start).components
    return UInt64(max(0, seconds)) * 1_000 + UInt64(max(0, attoseconds) / 1_000_000_000_000_000)
}

/// The time by which a store counts ages: that of day, as long as it goes on as time does.
///
/// A clock that leaps ahead would make a store forget its clients and cut its log, so what a leap adds is not counted:
/// ages go on only as fast as a steady clock has seen. Time in which no process had the store open isn't counted
/// either, if it was long. So ages may be too small and never too large.
package struct StoreAge: Sendable {
    fileprivate static let start = ContinuousClock.now
    /// The most by which the time of day may be ahead of what the store has last noted without having been seen to
    /// pass: processes come and go, and their clocks differ a little.
    static let tolerance: UInt64 = 600_000

    /// The last count of this process, in milliseconds: the age, and the steady clock.
    private var last: (age: UInt64, steady: UInt64)?

    package init() {}

    /// The present, in milliseconds since 1970.
    /// - Parameters:
    ///   - wall: the time of day.
    ///   - steady: the clock that nobody can set.
    ///   - newest: what the store has last noted, by whichever process; 0 for nothing.
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
