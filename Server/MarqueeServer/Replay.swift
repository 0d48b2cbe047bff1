package import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore

/// Shows the stored days of a chart one after another, as live changes.
package struct Replay: Sendable {
    package enum Event: Sendable {
        case shown(ChartStep, revision: UInt64)
        /// The day no longer exists.
        case gone(ChartStep)
        /// The store can't accept it now; it is retried.
        case putOff(ChartStep, StoreError)
        case finished(days: Int)
    }

    package let chart: String
    /// The days to show, ascending.
    package let days: [ChartStep]
    /// Days a second.
    package let speed: Double

    /// - Parameter speed: days a second, above 0.
    /// - Throws: `StoreError` when the store can't be read.
    /// - Returns: `nil` when the chart has no days.
    package init?(chart: String, speed: Double, store: any StoreEngine) throws(StoreError) {
        var days: [ChartStep] = []
        _ = try store.snapshot { change in
            if case .chartDay(let day) = change, day.chart == chart { days.append(day.step) }
        }
        guard !days.isEmpty, speed > 0 else { return nil }
        self.chart = chart
        self.days = days.sorted()
        self.speed = speed
    }

    /// Shows each day in turn; ends after the last, or when the task is cancelled. If the store is full or busy, it
    /// waits and then continues.
    /// - Throws: `StoreError` when waiting won't help.
    package func run(on committer: Committer, report: @Sendable (Event) -> Void) async throws {
        for (index, day) in days.enumerated() {
            if index > 0 { try await Task.sleep(for: .seconds(1 / speed)) }
            let change = Change.showChart(chart: chart, date: day.date, time: day.time)
            let write = StoreWrite.catalogue(key: nil, changes: [change], mutation: nil)
            let outcome = try await committer.commitPatiently(write) { report(.putOff(day, $0)) }
            if case .done(let revision, _) = outcome {
                report(.shown(day, revision: revision))
            } else {
                report(.gone(day))
            }
        }
        report(.finished(days: days.count))
    }
}

extension StoreError {
    /// Whether the same write may succeed later.
    var canPass: Bool {
        switch code {
        case .diskFull, .busy, .io: true
        default: false
        }
    }
}

extension Committer {
    /// The pauses between attempts at a write that the store can't accept.
    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(500), .seconds(2), .seconds(5)]

    /// Commits one write, and keeps retrying while the queue or the disk is full.
    ///
    /// - Parameter putOff: called the first time the write has to wait.
    /// - Throws: `StoreError` when waiting won't help; `CancellationError` when the task is cancelled.
    package func commitPatiently(
        _ write: StoreWrite, sleep: (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        putOff: (StoreError) -> Void
    ) async throws -> StoreOutcome {
        var tries = 0
        while true {
            do {
                return try await commit(write)
            } catch let error as StoreError where error.canPass {
                if tries == 0 { putOff(error) }
                try await sleep(Self.pauses[min(tries, Self.pauses.count - 1)])
                tries += 1
            }
        }
    }

    /// Commits one write and waits until it is durable.
    /// - Throws: `StoreError`.
    package func commit(_ write: StoreWrite) async throws -> StoreOutcome {
        try await withCheckedThrowingContinuation { continuation in
            let taken = submit(write) { continuation.resume(with: $0) }
            if !taken {
                continuation.resume(throwing: StoreError(.busy, "too many writes wait"))
            }
        }
    }
}
