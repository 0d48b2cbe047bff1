/// So many things a second: what is not used is saved up for a second.
struct Allowance {
    private static let second: UInt64 = 1_000_000_000

    /// Nanoseconds for one.
    private let cost: UInt64
    /// When everything saved up is used.
    private var usedUpTo: UInt64 = 0

    init(perSecond: Int) { cost = Self.second / UInt64(max(1, perSecond)) }

    /// Uses one.
    /// - Parameter now: nanoseconds of a monotonic clock.
    /// - Returns: how long to wait before the next one, in nanoseconds; `nil` for not at all.
    mutating func take(now: UInt64) -> UInt64? {
        usedUpTo = max(usedUpTo, now - min(now, Self.second)) + cost
        return usedUpTo > now ? usedUpTo - now : nil
    }
}
