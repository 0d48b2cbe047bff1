/// A bounded queue of events for one reader: when it is full, the oldest dispensable event is dropped, never another.
struct EventQueue<Event: Sendable>: Sendable {
    /// The events for the reader, in order.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let bound: Int
    private let isExpendable: @Sendable (Event) -> Bool

    /// - Parameters:
    ///   - bound: maximum events that wait.
    ///   - isExpendable: whether an event may be dropped because a later one says the same.
    init(bound: Int, isExpendable: @escaping @Sendable (Event) -> Bool) {
        (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(bound))
        self.bound = bound
        self.isExpendable = isExpendable
    }

    /// Adds an event. Thread safe.
    func callAsFunction(_ event: Event) {
        var next = event
        // An event that must not be lost moves to the back, and the next oldest is tried instead.
        for _ in 0..<bound {
            guard case .dropped(let oldest) = continuation.yield(next), !isExpendable(oldest) else { return }
            next = oldest
        }
    }
}
