/// Pings of one connection that came closer together than the server wants. One of them is forgotten each minute, on
/// both sides.
package struct HastyPings: Sendable {
    /// How long it takes until one is forgotten, in milliseconds.
    package static let forgottenAfter: UInt64 = 60_000

    package private(set) var count: UInt64 = 0
    /// Since when none of them has been forgotten.
    private var since: UInt64 = 0

    package init() {}

    package mutating func add() { count += 1 }

    /// Time has passed.
    /// - Parameter now: milliseconds of a monotonic clock.
    package mutating func forget(now: UInt64) {
        let forgotten = min(count, (now - min(now, since)) / Self.forgottenAfter)
        count -= forgotten
        since = count == 0 ? now : since + forgotten * Self.forgottenAfter
    }
}
