/// Figures of the writes to one log since start.
package struct CommitFigures: Hashable, Sendable {
    /// Seconds from handing a batch of writes to the store until it was durable.
    package var seconds = Histogram(bounds: [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ])
    /// Writes that were answered, and how many of them couldn't be stored.
    package var writes: UInt64 = 0
    package var failures: UInt64 = 0
    /// Writes that were refused because too many were waiting.
    package var refused: UInt64 = 0
    /// Writes waiting now.
    package var waiting = 0
    /// Bytes in the write-ahead log not yet moved to the database; `nil` if the store doesn't manage that itself.
    package var writeAheadBytes: Int?
    /// Since when nothing could be stored, if a write failed recently.
    package var failing: SourceOutage?

    package init() {}
}

extension [String: CommitFigures] {
    /// The failure of the first log, by name, that takes no writes; `nil` if all do.
    package var writeFailure: SourceOutage? {
        compactMapValues(\.failing).min { $0.key < $1.key }.map { log, failure in
            SourceOutage(age: failure.age, reason: "the log '\(log)' takes no writes: \(failure.reason)")
        }
    }
}
