import Synchronization

/// Hands events to everybody who listens. Thread safe.
package final class EventHub: Sendable {
    /// Events that a slow listener may have waiting; the oldest go first.
    private static let buffer = 256

    private struct State {
        var listeners: [Int: AsyncStream<ClientEvent>.Continuation] = [:]
        var next = 0
        var connection = ConnectionState.idle
        /// What happened before anybody listened.
        var early: [ClientEvent] = []
        var isFinished = false
    }

    private let state = Mutex(State())
    private let observe: @Sendable (ClientEvent) -> Void

    /// - Parameter observe: called with each event, on the thread where it happens.
    package init(observe: @escaping @Sendable (ClientEvent) -> Void = { _ in }) { self.observe = observe }

    /// A stream that begins with the present connection state.
    func events() -> AsyncStream<ClientEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ClientEvent.self, bufferingPolicy: .bufferingNewest(Self.buffer))
        let id = state.withLock { state -> Int in
            state.next += 1
            continuation.yield(.state(state.connection))
            for event in state.early { continuation.yield(event) }
            state.early.removeAll()
            if state.isFinished { continuation.finish() } else { state.listeners[state.next] = continuation }
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ event: ClientEvent) {
        observe(event)
        let listeners = state.withLock { state in
            switch event {
            case .state(let connection): state.connection = connection
            case .progress: break
            default:
                if state.listeners.isEmpty, state.next == 0, state.early.count < Self.buffer {
                    state.early.append(event)
                }
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(event) }
    }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners.removeAll() }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
