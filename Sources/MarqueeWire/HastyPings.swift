/// Counts a connection's pings that arrived sooner than the server allows. Client and server both forgive one per
/// minute.
package struct HastyPings: Sendable {
    /// Milliseconds after which one ping is forgiven.
    package static let forgottenAfter: UInt64 = 60_000

    package private(set) var count: UInt64 = 0
    /// When a ping was last forgiven, in milliseconds of the same clock.
    private var since: UInt64 = 0

    package init() {}

    package mutating func add() { count += 1 }

    /// Forgives one ping for each full minute that has passed.
    /// - Parameter now: milliseconds of a monotonic clock.
    package mutating func forget(now: UInt64) {
        let forgotten = min(count, (now - min(now, since)) / Self.forgottenAfter)
        count -= forgotten
        since = count == 0 ? now : since + forgotten * Self.forgottenAfter
    }
}
