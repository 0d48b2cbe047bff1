import Foundation
package import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore

/// Periodically chooses another item of a pool at random. A choice is a commit, so it is the same for everybody.
package struct Rotation: Hashable, Sendable {
    package enum Event: Sendable {
        case chosen(Change, revision: UInt64)
        /// A choice with this key was made before.
        case chosenBefore
        /// The programme has no such pool, or the pool has nothing else to show.
        case nothingToChoose
        /// The store can't accept a choice now; it is retried.
        case putOff(StoreError)
    }

    package let pool: String
    /// Seconds between two choices.
    package let seconds: Double

    /// - Returns: `nil` unless `seconds` is above 0 and finite.
    package init?(pool: String, seconds: Double) {
        guard !pool.isEmpty, seconds.isFinite, seconds > 0 else { return nil }
        self.pool = pool
        self.seconds = seconds
    }

    /// Makes a choice at the beginning of each period, counted from 1970; ends when the task is cancelled.
    ///
    /// The commit's key names the period, so several nodes on one store choose only once. While the store is full or
    /// busy, waits, then continues.
    /// - Throws: `StoreError` when waiting won't help.
    package func run(on hub: HubSource, report: @Sendable (Event) -> Void) async throws {
        while true {
            let now = Date().timeIntervalSince1970
            let period = (now / seconds).rounded(.down)
            let key = "rotate/\(pool)/\(seconds)/\(UInt64(max(0, period)))"
            report(try await hub.rotate(pool, key: key) { report(.putOff($0)) })
            try await Task.sleep(for: .seconds((period + 1) * seconds - now))
        }
    }
}
