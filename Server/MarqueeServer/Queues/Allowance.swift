/// A rate limit in operations per second, with a burst of up to one second's worth.
struct Allowance {
    private static let second: UInt64 = 1_000_000_000

    /// Nanoseconds that one operation uses up.
    private let cost: UInt64
    /// The time up to which the allowance is used up.
    private var usedUpTo: UInt64 = 0

    init(perSecond: Int) { cost = Self.second / UInt64(max(1, perSecond)) }

    /// Uses the allowance for one operation.
    /// - Parameter now: nanoseconds of a monotonic clock.
    /// - Returns: how long to wait before the next operation, in nanoseconds; `nil` if there is no need to wait.
    mutating func take(now: UInt64) -> UInt64? {
        usedUpTo = max(usedUpTo, now - min(now, Self.second)) + cost
        return usedUpTo > now ? usedUpTo - now : nil
    }
}
