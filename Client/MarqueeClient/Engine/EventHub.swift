import MarqueeLocks

/// Delivers events to every listener. Thread safe.
package final class EventHub: Sendable {
    private struct State {
        var listeners: [Int: EventMailbox] = [:]
        var next = 0
        var connection = ConnectionState.idle
        /// What happened before there was a listener.
        var early = EventBacklog()
        var isFinished = false
    }

    private let state = Locked(State())
    private let observe: @Sendable (ClientEvent) -> Void

    /// - Parameter observe: called with each event, on the thread where it happens.
    package init(observe: @escaping @Sendable (ClientEvent) -> Void = { _ in }) { self.observe = observe }

    /// A stream that begins with the current connection state.
    func events() -> AsyncStream<ClientEvent> {
        let mailbox = EventMailbox()
        let id = state.withLock { state -> Int in
            state.next += 1
            mailbox.put(.state(state.connection))
            while let event = state.early.popFirst() { mailbox.put(event) }
            if state.isFinished { mailbox.finish() } else { state.listeners[state.next] = mailbox }
            return state.next
        }
        let registration = Registration(hub: self, id: id, mailbox: mailbox)
        return AsyncStream { await registration.mailbox.next() }
    }

    /// Released together with the stream that holds it.
    private final class Registration: Sendable {
        private weak let hub: EventHub?
        private let id: Int
        let mailbox: EventMailbox

        init(hub: EventHub, id: Int, mailbox: EventMailbox) {
            self.hub = hub
            self.id = id
            self.mailbox = mailbox
        }

        deinit { hub?.remove(id) }
    }

    private func remove(_ id: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: id) } }

    func send(_ event: ClientEvent) {
        observe(event)
        let listeners = state.withLock { state in
            switch event {
            case .state(let connection): state.connection = connection
            case .progress: break
            default: if state.next == 0 { state.early.append(event) }
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.put(event) }
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

/// The events that one listener has not taken yet, oldest first. Of progress only the newest is kept. When there are
/// too many, what can be learned elsewhere makes room for what can't: a slow listener never loses a rejected change to
/// news of the connection.
struct EventBacklog {
    /// The most events waiting for one listener.
    static let maximum = 256

    private(set) var events: [ClientEvent] = []

    mutating func append(_ event: ClientEvent) {
        if case .progress = event { events.removeAll { if case .progress = $0 { true } else { false } } }
        events.append(event)
        guard events.count > Self.maximum else { return }
        let least = events.indices.min { events[$0].weight < events[$1].weight } ?? 0
        events.remove(at: least)
    }

    mutating func popFirst() -> ClientEvent? { events.isEmpty ? nil : events.removeFirst() }
}

extension ClientEvent {
    /// The higher, the longer it is kept for a slow listener.
    fileprivate var weight: Int {
        switch self {
        case .state, .progress: 0
        case .changesHeldUp, .mirrorProblem, .mirrorDamaged, .optionsRefused, .tokenRefused: 1
        case .changeRejected, .changesLost, .mirrorRecovered: 2
        }
    }
}

/// The events of one listener. Thread safe.
private final class EventMailbox: Sendable {
    private struct State {
        var backlog = EventBacklog()
        var waiting: [CheckedContinuation<ClientEvent?, Never>] = []
        var isFinished = false
    }

    private let state = Locked(State())

    func put(_ event: ClientEvent) {
        let waiter = state.withLock { state -> CheckedContinuation<ClientEvent?, Never>? in
            guard !state.isFinished else { return nil }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.backlog.append(event)
            return nil
        }
        waiter?.resume(returning: event)
    }

    /// There will be no further events; waiting ones can still be received.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume(returning: nil) }
    }

    /// - Returns: `nil` at the end, and when the task is cancelled.
    func next() async -> ClientEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> ClientEvent?? in
                    if let event = state.backlog.popFirst() { return .some(event) }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    state.waiting.append(continuation)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            finish()
        }
    }
}
