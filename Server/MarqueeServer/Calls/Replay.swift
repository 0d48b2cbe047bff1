import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore

/// Shows the stored editions of a list one after another, as live changes.
package struct Replay: Sendable {
    package enum Event: Sendable {
        case shown(String, revision: UInt64)
        /// The edition can't be shown, for instance because it was removed meanwhile.
        case refused(String, reason: String)
        /// The store can't accept the change now; it is retried.
        case putOff(String, StoreError)
        case finished(editions: Int)
    }

    package let list: String
    /// The editions to show, by name.
    package let editions: [String]
    /// Editions per second.
    package let speed: Double

    /// - Parameter speed: editions per second, above 0.
    /// - Throws: `StoreError` when the store can't be read.
    /// - Returns: `nil` when the list has no editions.
    package init?(list: String, speed: Double, store: any StoreEngine) throws(StoreError) {
        var editions: [String] = []
        _ = try store.snapshot { change in
            if case .list(let found) = change, found.name.list == list, let edition = found.name.edition {
                editions.append(edition)
            }
        }
        guard !editions.isEmpty, speed > 0 else { return nil }
        self.list = list
        self.editions = editions.sorted()
        self.speed = speed
    }

    /// Shows each edition in turn; ends after the last, or when the task is cancelled. While the store is full or busy,
    /// waits, then continues.
    /// - Throws: `StoreError` when waiting won't help.
    package func run(on committer: Committer, report: @Sendable (Event) -> Void) async throws {
        for (index, edition) in editions.enumerated() {
            if index > 0 { try await Task.sleep(for: .seconds(1 / speed)) }
            let write = StoreWrite.catalogue(
                key: nil, changes: [.show(list: list, edition: edition)], mutation: nil)
            let outcome = try await committer.commitPatiently(write) { report(.putOff(edition, $0)) }
            switch outcome {
            case .done(let revision, _): report(.shown(edition, revision: revision))
            case .refused(let reason): report(.refused(edition, reason: reason))
            case .failed(let error): throw error
            case .repeated, .cloned, .forgotten, .keyReused, .tooManyClients, .elsewhere:
                throw StoreError(.invalid, "a replay has neither mutations nor keys")
            }
        }
        report(.finished(editions: editions.count))
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
