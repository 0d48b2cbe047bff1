import Synchronization

/// When each revision of the catalogue was confirmed to whoever published it.
final class Timeline: Sendable {
    private let confirmed = Mutex<[UInt64: ContinuousClock.Instant]>([:])

    /// The newest revision that was confirmed.
    var newest: UInt64? { confirmed.withLock { $0.keys.max() } }

    func confirm(_ revision: UInt64) { confirmed.withLock { $0[revision] = .now } }

    /// How long the oldest of these revisions was known to be there; `nil` if none of them was published here.
    func age(ofOldestIn revisions: Range<UInt64>) -> Duration? {
        let confirmed = confirmed.withLock { $0 }
        return revisions.lazy.compactMap { confirmed[$0] }.first.map { .now - $0 }
    }
}
