import Synchronization

/// Limits how many lines each place in the code may log, so that a flood of connections or requests isn't a flood of
/// lines.
///
/// A place that has been quiet may log `burst` lines at once, and `perSecond` after that. The first line after omitted
/// ones says how many those were. Thread safe.
final class LogAllowance: Sendable {
    static let burst = 100.0
    static let perSecond = 20.0
    /// More places than the code has; any beyond these share one allowance.
    static let maximumPlaces = 1_024

    struct Place: Hashable {
        var file: String
        var line: UInt

        fileprivate static let anyOther = Place(file: "", line: 0)
    }

    private struct Bucket {
        var lines = LogAllowance.burst
        /// The time at which `lines` was computed, in seconds.
        var at: Double
        var leftOut: UInt64 = 0
    }

    private struct State {
        var buckets: [Place: Bucket] = [:]
        var leftOut: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Lines left out since start.
    var leftOut: UInt64 { state.withLock { $0.leftOut } }

    /// - Parameter now: seconds of any clock that doesn't go back.
    /// - Returns: `nil` if the line must be left out; otherwise how many lines of this place were left out right before
    ///   it.
    func take(_ place: Place, now: Double) -> UInt64? {
        state.withLock { state in
            let isKnown = state.buckets[place] != nil || state.buckets.count < Self.maximumPlaces
            let place = isKnown ? place : Place.anyOther
            var bucket = state.buckets[place] ?? Bucket(at: now)
            bucket.lines = min(Self.burst, bucket.lines + max(0, now - bucket.at) * Self.perSecond)
            bucket.at = now
            defer { state.buckets[place] = bucket }
            guard bucket.lines >= 1 else {
                bucket.leftOut += 1
                state.leftOut += 1
                return nil
            }
            bucket.lines -= 1
            defer { bucket.leftOut = 0 }
            return bucket.leftOut
        }
    }
}
