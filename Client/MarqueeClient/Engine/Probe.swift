import MarqueeWire

/// Finds out quickly whether a connection that may have died unnoticed, as in a suspended app, is still alive. There is
/// one probe per connection.
///
/// All times are milliseconds of a monotonic clock.
struct Probe {
    /// A live connection answers a ping within this time; one that doesn't is replaced.
    static let patience: UInt64 = 3_000
    /// Pings that may be sent at shorter intervals than the server allows; the server closes the connection at the
    /// ninth, and forgives one a minute.
    static let maximumQuick: UInt64 = 4

    private var deadline: UInt64?
    private var lastPing: UInt64?
    private var quick = HastyPings()

    /// Starts a probe because something casts doubt on the connection.
    /// - Parameter minimum: the shortest interval between pings that the server allows.
    /// - Returns: whether to send a ping, and to check `isOverdue` after `patience`. `false` while an answer is
    ///   awaited, and when the server has been pinged too often.
    mutating func begin(now: UInt64, minimum: UInt64) -> Bool {
        guard deadline == nil else { return false }
        quick.forget(now: now)
        if let lastPing, now < lastPing + minimum {
            guard quick.count < Self.maximumQuick else { return false }
            quick.add()
        }
        lastPing = now
        deadline = now + Self.patience
        return true
    }

    /// Called when bytes arrive; any bytes prove that the connection is alive.
    mutating func heard() { deadline = nil }

    /// Whether the connection is dead: a probe was not answered in time.
    func isOverdue(now: UInt64) -> Bool { deadline.map { now >= $0 } ?? false }
}
