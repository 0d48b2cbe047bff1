import MarqueeLocks

/// Delivers events to every listener. Thread safe.
package final class EventHub: Sendable {
    private struct State {
        var listeners: [Int: EventMailbox] = [:]
        var next = 0
        var connection = ConnectionState.idle
        /// The last events, for listeners that start at an earlier position.
        var recent = EventBacklog(keepsRejections: false)
        /// The number of the last event.
        var number: UInt64 = 0
        /// The number of the token's last refusal, until a connection is there.
        var refusal: UInt64?
        var isFinished = false
    }

    /// A place in the sequence of events, and the connection's state there.
    private struct Position: Sendable {
        var number: UInt64
        var connection: ConnectionState
    }

    private let state = Locked(State())
    private let observe: @Sendable (ClientEvent) -> Void

    /// - Parameter observe: called with each event, on the thread where it happens.
    package init(observe: @escaping @Sendable (ClientEvent) -> Void = { _ in }) { self.observe = observe }

    /// The events from here on. The first listener also gets the important ones from before, and each the refusal of
    /// the token that still keeps the client from its server.
    func events() -> ClientSequence<ClientEvent, Never> {
        let position = state.withLock { Position(number: $0.number, connection: $0.connection) }
        return ClientSequence { self.listen(from: position) }
    }

    /// Listens from a position, starting with the connection's state there. The events since then follow, as far as
    /// they are remembered; the first listener also gets earlier ones, except news of the connection; each gets a
    /// refusal that stands.
    private func listen(from position: Position) -> Reading<ClientEvent, Never> {
        let mailbox = EventMailbox()
        let id = state.withLock { state -> Int in
            state.next += 1
            mailbox.put(.state(position.connection))
            for (number, event) in state.recent.events
            where number > position.number || number == state.refusal
                || (state.next == 1 && event.isWorthTellingLater)
            {
                mailbox.put(event)
            }
            if state.isFinished { mailbox.finish() } else { state.listeners[state.next] = mailbox }
            return state.next
        }
        return Reading({ await mailbox.next(isolation: $0) }, end: { [weak self] in self?.remove(id) })
    }

    private func remove(_ id: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: id) } }

    /// Whether some listener has so many unread rejections that no more may be caused: they are never dropped.
    var isFull: Bool { state.withLock { $0.listeners.values.contains { $0.isFull } } }

    func send(_ event: ClientEvent) {
        observe(event)
        let listeners = state.withLock { state in
            state.number += 1
            switch event {
            case .state(let connection):
                state.connection = connection
                if case .connected = connection { state.refusal = nil }
            case .tokenRefused: state.refusal = state.number
            default: break
            }
            state.recent.append(event, number: state.number)
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

/// Events waiting for a listener, oldest first. Only the newest progress is kept. When there are too many, events that
/// can be learned elsewhere make room for those that can't.
struct EventBacklog {
    /// The most events waiting for one listener, apart from rejections.
    static let maximum = 256
    /// The number of waiting rejections at which no further change is sent: they are never dropped.
    static let maximumRejections = 1_024

    private(set) var events: [(number: UInt64, event: ClientEvent)] = []
    private let keepsRejections: Bool
    private var kept = 0

    /// - Parameter keepsRejections: whether events that can't be learned elsewhere stay, however many there are.
    init(keepsRejections: Bool) { self.keepsRejections = keepsRejections }

    var isFull: Bool { kept >= Self.maximumRejections }

    mutating func append(_ event: ClientEvent, number: UInt64 = 0) {
        if case .progress = event { events.removeAll { if case .progress = $0.event { true } else { false } } }
        events.append((number, event))
        if keepsRejections, event.weight == ClientEvent.highestWeight { kept += 1 }
        guard events.count - kept > Self.maximum else { return }
        let least = events.indices.min { events[$0].event.weight < events[$1].event.weight } ?? 0
        events.remove(at: least)
    }

    mutating func popFirst() -> ClientEvent? {
        guard !events.isEmpty else { return nil }
        let event = events.removeFirst().event
        if keepsRejections, event.weight == ClientEvent.highestWeight { kept -= 1 }
        return event
    }
}

extension ClientEvent {
    fileprivate static let highestWeight = 2

    /// Events with a higher weight are kept longer for a slow listener.
    fileprivate var weight: Int {
        switch self {
        case .state, .progress: 0
        case .changesHeldUp, .mirrorProblem, .mirrorDamaged, .optionsRefused, .tokenRefused: 1
        case .changeRejected, .changesLost, .mirrorRecovered: Self.highestWeight
        }
    }

    fileprivate var isWorthTellingLater: Bool { weight > 0 }
}

/// The events of one listener. Thread safe.
final class EventMailbox: Sendable {
    private struct State {
        var backlog = EventBacklog(keepsRejections: true)
        var waiting: [CheckedContinuation<ClientEvent?, Never>] = []
        var isFinished = false
    }

    private let state = Locked(State())

    var isFull: Bool { state.withLock { $0.backlog.isFull } }

    func put(_ event: ClientEvent) {
        let waiter = state.withLock { state -> CheckedContinuation<ClientEvent?, Never>? in
            guard !state.isFinished else { return nil }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.backlog.append(event)
            return nil
        }
        waiter?.resume(returning: event)
    }

    /// Ends the events; waiting ones can still be received.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume(returning: nil) }
    }

    /// - Returns: `nil` at the end, and when the task is cancelled.
    func next(isolation: isolated (any Actor)? = #isolation) async -> ClientEvent? {
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
