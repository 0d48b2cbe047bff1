import MarqueeWire

/// Finds out soon whether a connection that may have died unnoticed, as in a suspended app, still lives. One
/// connection has one.
///
/// All times are milliseconds of a monotonic clock.
struct Probe {
    /// A connection that lives answers a ping within this time; one that does not is replaced.
    static let patience: UInt64 = 3_000
    /// Pings that may come closer together than the server wants; it closes at the ninth of them, and forgets one a
    /// minute.
    static let maximumQuick: UInt64 = 4

    private var deadline: UInt64?
    private var lastPing: UInt64?
    private var quick = HastyPings()

    /// Somebody doubts the connection.
    /// - Parameter minimum: between pings, as the server wants them.
    /// - Returns: Whether to send a ping, and to ask `isOverdue` after `patience`. `false` while an answer is
    ///   awaited, and when the server has been asked too often.
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

    /// Bytes came in; any of them is life.
    mutating func heard() { deadline = nil }

    /// Whether the connection is dead.
    func isOverdue(now: UInt64) -> Bool { deadline.map { now >= $0 } ?? false }
}
