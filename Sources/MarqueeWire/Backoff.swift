/// The pause before another attempt: a random time from zero up to a limit that doubles ("full jitter", described on
/// AWS's architecture blog).
package struct Backoff: Sendable {
    /// The longest that a connection has to last before it counts as a success.
    package static let steady = Duration.seconds(5)

    private let bounds: ClosedRange<Duration>
    private var attempts = 0

    package init(bounds: ClosedRange<Duration>) { self.bounds = bounds }

    /// An attempt has succeeded: start again with short pauses.
    package mutating func reset() { attempts = 0 }

    /// Notes the end of a connection that delivered something. It counts as a success if it lasted at least as long as
    /// the longest next pause, up to `steady`: so connections that each fail right after their first content don't make
    /// a busy loop.
    package mutating func ended(after lasted: Duration) {
        if lasted >= min(longest, Self.steady) { reset() }
    }

    /// - Parameter fraction: a random number, uniform in 0..<1.
    package mutating func next(fraction: Double) -> Duration {
        let pause = longest * fraction
        attempts = min(attempts + 1, 20)
        return pause
    }

    /// The bound of the next pause.
    private var longest: Duration {
        min(bounds.upperBound, bounds.lowerBound * Double(UInt64(1) << min(UInt64(attempts), 20)))
    }

    /// A pause that the other side has asked for. The first one is taken as it is; later ones grow like any other until
    /// a success, so that a request for no pause at all doesn't make a busy loop.
    package mutating func next(atLeast asked: Duration, fraction: Double) -> Duration {
        guard attempts > 0 else {
            attempts = 1
            return asked
        }
        return max(asked, next(fraction: fraction))
    }
}
