import MarqueeStore

/// Clients that have seen more than the store has, and that are to be noted in it.
struct ClientsAhead {
    private var waiting: [[UInt8]: ClientAhead] = [:]
    /// Whether some are being written; others wait until they are.
    var isWriting = false

    /// The most that wait.
    private static let bound = 1_024

    /// Further ones are left out: they come again.
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
