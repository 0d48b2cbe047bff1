/// Events for one reader, bounded: where too many wait, the oldest one that can be spared goes, and no other.
struct EventQueue<Event: Sendable>: Sendable {
    /// What the reader takes, in order.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let bound: Int
    private let canBeSpared: @Sendable (Event) -> Bool

    /// - Parameters:
    ///   - bound: events that wait, at most.
    ///   - canBeSpared: whether an event may be lost, as a later one says the same.
    init(bound: Int, canBeSpared: @escaping @Sendable (Event) -> Bool) {
        (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(bound))
        self.bound = bound
        self.canBeSpared = canBeSpared
    }

    /// Adds an event. Thread safe.
    func callAsFunction(_ event: Event) {
        var next = event
        // One that must not be lost goes behind the others, and drives out the next oldest instead.
        for _ in 0..<bound {
            guard case .dropped(let oldest) = continuation.yield(next), !canBeSpared(oldest) else { return }
            next = oldest
        }
    }
}
