import Synchronization

/// Results that other threads deliver to the sessions of one event loop. However many there are, they wake the loop
/// once, and it takes the rest between its slices: a loop that always finds another task would never get to read from
/// connections.
///
/// Thread safe. Bounded, because it holds only results that the sessions have asked for.
final class LoopInbox: Sendable {
    /// Runs on the loop.
    typealias Delivery = @Sendable () -> Void

    private struct State {
        var deliveries: [Delivery] = []
        /// Whether the loop has been woken, or will check again by itself.
        var isLookedAt = false
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: makes the loop check the inbox.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func add(_ delivery: @escaping Delivery) {
        let isFirst = state.withLock { state in
            state.deliveries.append(delivery)
            defer { state.isLookedAt = true }
            return !state.isLookedAt
        }
        if isFirst { wake() }
    }

    /// Removes and returns everything delivered so far, in order.
    func take() -> [Delivery] {
        state.withLock { state in
            defer { state.deliveries = [] }
            return state.deliveries
        }
    }

    /// Asks for the loop to be woken for the next delivery, as it has nothing more to do.
    /// - Returns: `false` if something was delivered in the meantime.
    func leave() -> Bool {
        state.withLock { state in
            guard state.deliveries.isEmpty else { return false }
            state.isLookedAt = false
            return true
        }
    }
}
