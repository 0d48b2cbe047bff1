import MarqueeClient

/// Sends a server one request, without storing anything.
enum ServerCall {
    /// Runs `ask` with a client that is closed afterwards. Fails at once if the server can't be reached; a script that
    /// wants to wait can retry.
    static func run<Answer: Sendable>(
        _ connection: Connection, timeout: Seconds, _ ask: (MarqueeClient) async throws -> Answer
    ) async throws -> Answer {
        let client = MarqueeClient(connection.configuration(mirror: .memory, timeout: timeout.duration))
        return try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask {
                for await case .state(let state) in client.events {
                    if case .connected = state { return nil }
                    guard case .waiting(let reason, _) = state else { continue }
                    // Ends the waiting call.
                    await client.close()
                    return reason
                }
                return nil
            }
            let result: Result<Answer, any Error>
            do {
                result = .success(try await ask(client))
            } catch {
                result = .failure(error)
            }
            group.cancelAll()
            await client.close()
            if case .failure = result, let reason = try await group.next() ?? nil {
                throw Failure(
                    .unavailable, "can't reach a server at \(connection.server): \(reason); --server names another")
            }
            return try result.get()
        }
    }
}
