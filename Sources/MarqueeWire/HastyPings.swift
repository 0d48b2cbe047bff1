/// Counts a connection's pings that came closer together than the server allows. Both sides forgive one per minute.
package struct HastyPings: Sendable {
    /// Milliseconds after which one is forgiven.
    package static let forgottenAfter: UInt64 = 60_000

    package private(set) var count: UInt64 = 0
    /// When one was last forgiven.
    private var since: UInt64 = 0

    package init() {}

    package mutating func add() { count += 1 }

    /// Forgives the pings whose time has passed.
    /// - Parameter now: milliseconds of a monotonic clock.
    package mutating func forget(now: UInt64) {
        let forgotten = min(count, (now - min(now, since)) / Self.forgottenAfter)
        count -= forgotten
        since = count == 0 ? now : since + forgotten * Self.forgottenAfter
    }
}
