import MarqueeStore

/// Clients that have seen newer positions than the store has, to be recorded in the store.
struct ClientsAhead {
    private var waiting: [[UInt8]: ClientAhead] = [:]
    /// Whether some are being written; others wait for that.
    var isWriting = false

    /// The most that may wait.
    private static let bound = 1_024

    /// Drops clients above the bound: they are added again when they reconnect.
    mutating func add(_ client: ClientAhead) {
        guard waiting[client.client] != nil || waiting.count < Self.bound else { return }
        waiting[client.client] = client
    }

    /// - Returns: those to write now.
    mutating func take() -> [ClientAhead] {
        guard !isWriting, !waiting.isEmpty else { return [] }
        isWriting = true
        defer { waiting = [:] }
        return waiting.values.sorted { $0.client.lexicographicallyPrecedes($1.client) }
    }
}
