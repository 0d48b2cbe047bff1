import Synchronization

/// Collects the history of a round from everybody who takes part in it.
final class Recorder: Sendable {
    private let start = ContinuousClock.now
    private let recorded: Mutex<History>

    init(limit: Int = Bounds.events) { recorded = Mutex(History(limit: limit)) }

    var history: History { recorded.withLock { $0 } }
    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    func record(_ what: Event.What) {
        // The time is taken under the lock, so that the order is that of the times.
        recorded.withLock { $0.append(what, at: seconds) }
    }
}
