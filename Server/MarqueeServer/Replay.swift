package import MarqueeModel
package import MarqueeStore

/// Shows the stored days of a chart one after the other, as live changes.
package struct Replay: Sendable {
    package enum Event: Sendable {
        case shown(ChartStep, revision: UInt64)
        /// The day can't be shown any more.
        case gone(ChartStep)
        /// The store can't take it now; it is tried again.
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

    /// Shows each day in turn; ends after the last, or when the task is cancelled. Where the store is full or busy, it
    /// waits and goes on.
    /// - Throws: `StoreError` when waiting can't help.
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
    /// Between two tries of a write that the store can't take.
    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(500), .seconds(2), .seconds(5)]

    /// Commits one write, and waits and tries again for as long as the queue or the disk is full.
    ///
    /// - Parameter putOff: called the first time that the write has to wait.
    /// - Throws: `StoreError` when waiting can't help; `CancellationError` when the task is cancelled meanwhile.
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
