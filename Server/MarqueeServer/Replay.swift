package import MarqueeModel
package import MarqueeStore

/// Shows the stored days of a chart one after the other, as live changes.
package struct Replay: Sendable {
    package enum Event: Sendable {
        case shown(ChartStep, revision: UInt64)
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

    /// Shows each day in turn; ends after the last, or when the task is cancelled.
    /// - Throws: `StoreError` when a day can't be committed.
    package func run(on committer: Committer, report: @Sendable (Event) -> Void) async throws {
        for (index, day) in days.enumerated() {
            if index > 0 { try await Task.sleep(for: .seconds(1 / speed)) }
            let outcome = try await committer.commit(
                .catalogue(key: nil, changes: [.showChart(chart: chart, date: day.date, time: day.time)], mutation: nil)
            )
            if case .done(let revision, _) = outcome { report(.shown(day, revision: revision)) }
        }
        report(.finished(days: days.count))
    }
}

extension Committer {
    /// Commits one write and waits until it is durable.
    /// - Throws: `StoreError`.
    package func commit(_ write: StoreWrite) async throws -> StoreOutcome {
        try await withCheckedThrowingContinuation { continuation in
            let taken = submit(write) { continuation.resume(with: $0) }
            if !taken {
                continuation.resume(throwing: StoreError(.io, "too many writes wait"))
            }
        }
    }
}
