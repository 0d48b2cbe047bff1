/// One session's share of the server's counters, so that each change is counted once.
struct SessionTally {
    private var deliveries: UInt64 = 0
    private var subscriptions = 0
    private var isUsed = false

    /// Counts what has changed since the last call.
    mutating func update(
        deliveries: UInt64, subscriptions: Int, isUsed: Bool, of connection: ConnectionID, in services: ServerServices
    ) {
        services.counts.deliveries.add(deliveries - self.deliveries, ordering: .relaxed)
        self.deliveries = deliveries
        if subscriptions != self.subscriptions {
            services.counts.subscriptions.add(subscriptions - self.subscriptions, ordering: .relaxed)
            self.subscriptions = subscriptions
        }
        if isUsed != self.isUsed {
            services.connections.set(connection, isUsed: isUsed)
            self.isUsed = isUsed
        }
    }

    /// Stops counting the subscriptions of a session that has ended.
    mutating func forget(in services: ServerServices) {
        services.counts.subscriptions.subtract(subscriptions, ordering: .relaxed)
        subscriptions = 0
    }
}
