import MarqueeLocks

/// Requests a new token from the app for each connection attempt. A closure that never returns blocks nothing, and only
/// a few calls are left hanging.
package final class TokenSource: Sendable {
    /// The most calls that may hang. At this number, no further call is made.
    static let maximumHanging = 4

    private enum Provider {
        case app(@Sendable () async throws -> String)
        /// Always has a token ready.
        case ready(@Sendable () -> String)
    }

    private let provider: Provider
    private let hanging = Locked(0)

    init(_ provide: @escaping @Sendable () async throws -> String) { provider = .app(provide) }

    /// Creates a source for simulations, which run without threads.
    package init(ready provide: @escaping @Sendable () -> String) { provider = .ready(provide) }

    /// - Parameter completion: called once, from any thread, unless the request is abandoned first.
    /// - Returns: `nil` when too many calls are hanging.
    func ask(_ completion: @escaping @Sendable (Result<String, any Error>) -> Void) -> TokenRequest? {
        let mayAsk = hanging.withLock { hanging in
            guard hanging < Self.maximumHanging else { return false }
            hanging += 1
            return true
        }
        guard mayAsk else { return nil }
        let request = TokenRequest(completion)
        switch provider {
        case .app(let provide):
            request.run { [self] in
                defer { hanging.withLock { $0 -= 1 } }
                return try await provide()
            }
        case .ready(let provide):
            hanging.withLock { $0 -= 1 }
            request.complete(.success(provide()))
        }
        return request
    }
}

/// A request for a token. Thread safe.
final class TokenRequest: Sendable {
    typealias Completion = @Sendable (Result<String, any Error>) -> Void

    private struct State {
        var completion: Completion?
        var task: Task<Void, Never>?
    }

    private let state: Locked<State>

    fileprivate init(_ completion: @escaping Completion) { state = Locked(State(completion: completion)) }

    fileprivate func run(_ provide: @escaping @Sendable () async throws -> String) {
        // A closure that never returns keeps neither the request nor its completion alive.
        let task = Task { [weak self] in
            let result: Result<String, any Error>
            do { result = .success(try await provide()) } catch { result = .failure(error) }
            self?.removeCompletion()?(result)
        }
        state.withLock { $0.task = task }
    }

    fileprivate func complete(_ result: Result<String, any Error>) { removeCompletion()?(result) }

    /// Abandons the request; a later result is dropped.
    func giveUp() {
        _ = removeCompletion()
        state.withLock { $0.task }?.cancel()
    }

    private func removeCompletion() -> Completion? {
        state.withLock { state in
            defer { state.completion = nil }
            return state.completion
        }
    }
}
