import MarqueeClient

/// Sends a server one request, without storing anything.
enum ServerCall {
    /// Runs `ask` with a client that is closed afterwards. Fails at once if the server can't be reached or refuses the
    /// token; a script that wants to wait can retry.
    static func run<Answer: Sendable>(
        _ connection: Connection, timeout: Seconds, _ ask: (MarqueeClient) async throws -> Answer
    ) async throws -> Answer {
        let client = MarqueeClient(connection.configuration(mirror: .memory, timeout: timeout.duration))
        return try await withThrowingTaskGroup(of: Failure?.self) { group in
            group.addTask {
                let failure = await whyNot(connection, client)
                // Ends the waiting call.
                if failure != nil { await client.close() }
                return failure
            }
            let result: Result<Answer, any Error>
            do {
                result = .success(try await ask(client))
            } catch {
                result = .failure(error)
            }
            group.cancelAll()
            await client.close()
            if case .failure = result, let failure = try await group.next() ?? nil { throw failure }
            return try result.get()
        }
    }

    /// The reason why the client can't connect; `nil` once it has.
    private static func whyNot(_ connection: Connection, _ client: MarqueeClient) async -> Failure? {
        for await event in client.events {
            switch event {
            case .state(.connected): return nil
            // The server was reached, so naming another one wouldn't help.
            case .tokenRefused(let error): return Failure(error)
            case .state(.waiting(let error, _)):
                // A first doubt about the server's welcome has the refusal as its cause.
                if let failure = refusal((error.cause as? ClientError) ?? error, connection) { return failure }
                return Failure(.unavailable, "\(connection.server.absence(error)); --server names another")
            default: continue
            }
        }
        return nil
    }

    /// The failure of a client that has no usable token, or that the server was reached by and refuses.
    private static func refusal(_ error: ClientError, _ connection: Connection) -> Failure? {
        if error.code == .tokenUnavailable { return Failure(error) }
        guard let status = error.status, [.unauthenticated, .permissionDenied].contains(status.code) else { return nil }
        var failure = Failure(error)
        if status.reason == "OTHER_USER", connection.user == nil {
            failure.message += "; give your user name with --user"
        }
        return failure
    }
}
