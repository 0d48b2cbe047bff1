/// Decides when to renew the identity of one connection.
///
/// All times are milliseconds of a monotonic clock.
struct Renewal {
    /// The share of an identity's lifetime after which it is renewed, plus up to `spread`, so that clients that
    /// connected together don't renew together.
    private static let share = 0.75
    private static let spread = 0.1
    /// The shortest pause before another attempt.
    private static let minimumPause: UInt64 = 1_000
    /// The divisor that turns the time left into the pause before another attempt.
    private static let attempts: UInt64 = 4
    /// The longest lifetime considered, about 35 years; longer ones are cut to it.
    private static let longest: UInt64 = 1 << 40

    private var ends: UInt64?
    /// Whether a token is being fetched or checked.
    private var isUnderWay = false
    /// The pause before the next attempt; `nil` for no attempt.
    private(set) var pause: UInt64?

    /// Called when the server says how long the identity remains valid.
    /// - Parameters:
    ///   - milliseconds: from now on; `nil` until it is revoked.
    ///   - fraction: a random number in 0..<1.
    mutating func granted(_ milliseconds: UInt64?, now: UInt64, fraction: Double) {
        isUnderWay = false
        ends = milliseconds.map { now + min($0, Self.longest) }
        pause = milliseconds.map { UInt64(Double(min($0, Self.longest)) * (Self.share + Self.spread * fraction)) }
    }

    /// - Returns: whether to fetch a token now.
    mutating func begin(now: UInt64) -> Bool {
        guard let ends, now < ends, !isUnderWay else { return false }
        isUnderWay = true
        pause = nil
        return true
    }

    /// Called when there was no new token, or the server didn't accept it. The old identity may remain valid for a
    /// while.
    mutating func failed(now: UInt64) {
        isUnderWay = false
        guard let ends, now < ends else {
            pause = nil
            return
        }
        pause = max(Self.minimumPause, (ends - now) / Self.attempts)
    }
}
