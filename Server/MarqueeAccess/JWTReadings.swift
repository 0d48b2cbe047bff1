import Synchronization

/// Key reads triggered by tokens, one at a time. Tokens that arrive meanwhile share a read. Thread safe.
final class JWTReadings: Sendable {
    /// The most tokens that wait at once.
    private static let maximumWaiting = 4_096
    /// How long a token may wait for a read to begin. A client that has not been welcomed is closed after 10 s.
    private static let patience = Duration.seconds(2)

    enum Outcome: Hashable {
        /// Keys were read.
        /// - Parameter isFresh: whether the read began after the call.
        case read(isFresh: Bool)
        case failed
        /// No read begins soon enough to wait for.
        case later
    }

    private struct State {
        var pace = JWTReadingPace()
        var waiting = 0
        /// The read in progress.
        var current: Task<Bool, Never>?
        /// The read after that.
        var next: (task: Task<Bool, Never>, begins: ContinuousClock.Instant)?
    }

    private enum Turn {
        case wait(Task<Bool, Never>, isFresh: Bool)
        case later
    }

    private let state = Mutex(State())

    /// How many tokens wait now.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Waits for keys to be read.
    /// - Parameters:
    ///   - joiningCurrent: whether the read in progress is new enough.
    ///   - read: reads the keys, and returns whether that succeeded.
    func next(
        joiningCurrent: Bool, now: ContinuousClock.Instant = .now, read: @escaping @Sendable () async -> Bool
    ) async -> Outcome {
        let turn = state.withLock { state -> Turn in
            guard state.waiting < Self.maximumWaiting else { return .later }
            if joiningCurrent, let current = state.current {
                state.waiting += 1
                return .wait(current, isFresh: false)
            }
            let next = state.next ?? begin(&state, read, now)
            state.next = next
            // It begins on time even if nobody waits for it.
            guard next.begins <= now + Self.patience else { return .later }
            state.waiting += 1
            return .wait(next.task, isFresh: true)
        }
        switch turn {
        case .later: return .later
        case .wait(let reading, let isFresh):
            let hasSucceeded = await reading.value
            state.withLock { $0.waiting -= 1 }
            return hasSucceeded ? .read(isFresh: isFresh) : .failed
        }
    }

    /// Starts the task of the next read.
    private func begin(
        _ state: inout State, _ read: @escaping @Sendable () async -> Bool, _ now: ContinuousClock.Instant
    ) -> (task: Task<Bool, Never>, begins: ContinuousClock.Instant) {
        let begins = state.pace.take(now: now)
        let task = Task { [current = state.current] in
            _ = await current?.value
            if begins > .now { try? await Task.sleep(until: begins, clock: .continuous) }
            self.state.withLock { state in
                state.current = state.next?.task
                state.next = nil
            }
            let hasSucceeded = await read()
            self.state.withLock { $0.current = nil }
            return hasSucceeded
        }
        return (task, begins)
    }
}

/// Limits how often tokens cause keys to be read. Anybody can make up tokens, and each would cause a request: a few
/// reads may follow at once, further ones only at intervals.
struct JWTReadingPace: Sendable {
    static let burst = 4
    static let spacing = Duration.seconds(10)

    /// The time by which all reads taken so far are paid for, at one per interval.
    private var paid: ContinuousClock.Instant?

    /// Takes the next read.
    /// - Returns: when it may begin.
    mutating func take(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let base = max(paid ?? now, now)
        paid = base + Self.spacing
        return max(now, base - Self.spacing * (Self.burst - 1))
    }
}
