import Synchronization

/// Asks the app for tokens, anew for each attempt to connect. A closure that never comes back holds nobody up, and no
/// more than a few of them are left hanging.
final class TokenSource: Sendable {
    /// Calls that have not come back. While so many hang no further one is made.
    static let maximumHanging = 4

    private let provide: @Sendable () async throws -> String
    private let hanging = Mutex(0)

    init(_ provide: @escaping @Sendable () async throws -> String) { self.provide = provide }

    /// - Parameter completion: called once, from any thread, unless the request is given up before.
    /// - Returns: `nil` when too many calls have not come back.
    func ask(_ completion: @escaping @Sendable (Result<String, any Error>) -> Void) -> TokenRequest? {
        let mayAsk = hanging.withLock { hanging in
            guard hanging < Self.maximumHanging else { return false }
            hanging += 1
            return true
        }
        guard mayAsk else { return nil }
        let request = TokenRequest(completion)
        request.run { [self] in
            defer { hanging.withLock { $0 -= 1 } }
            return try await provide()
        }
        return request
    }
}

/// A token that was asked for. Thread safe.
final class TokenRequest: Sendable {
    typealias Completion = @Sendable (Result<String, any Error>) -> Void

    private struct State {
        var completion: Completion?
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>

    fileprivate init(_ completion: @escaping Completion) { state = Mutex(State(completion: completion)) }

    fileprivate func run(_ provide: @escaping @Sendable () async throws -> String) {
        // The request is not kept by what may hang for ever, and neither is who waits for it.
        let task = Task { [weak self] in
            let result: Result<String, any Error>
            do { result = .success(try await provide()) } catch { result = .failure(error) }
            self?.take()?(result)
        }
        state.withLock { $0.task = task }
    }

    /// Gives the request up; a later result is dropped.
    func giveUp() {
        _ = take()
        state.withLock { $0.task }?.cancel()
    }

    private func take() -> Completion? {
        state.withLock { state in
            defer { state.completion = nil }
            return state.completion
        }
    }
}
