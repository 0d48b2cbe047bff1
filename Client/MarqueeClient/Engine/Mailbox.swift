import MarqueeLocks

/// Holds the newest state of something until its reader takes it. Thread safe.
///
/// Copies of an iterator share one mailbox, so several tasks may wait on it: all of them get the next state.
final class Mailbox<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value?, ClientError>, Never>

    private enum Content {
        case empty
        case state(Value)
        case finished(ClientError?)
    }

    private struct State {
        var content = Content.empty
        var waiting: [Waiter] = []

        mutating func takeWaiting() -> [Waiter] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Locked(State())
    private let isWanted: @Sendable (Value) -> Bool

    /// - Parameter isWanted: whether the reader wants a state at all; others are ignored.
    init(isWanted: @escaping @Sendable (Value) -> Bool = { _ in true }) { self.isWanted = isWanted }

    /// Tasks that wait for the next state.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func put(_ new: Value) {
        guard isWanted(new) else { return }
        let waiting = state.withLock { state -> [Waiter] in
            if case .finished = state.content { return [] }
            if state.waiting.isEmpty { state.content = .state(new) }
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.resume(returning: .success(new)) }
    }

    func finish(_ error: ClientError?) {
        let waiting = state.withLock { state -> [Waiter] in
            if case .finished = state.content { return [] }
            state.content = .finished(state.waiting.isEmpty ? error : nil)
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.resume(returning: error.map { .failure($0) } ?? .success(nil)) }
    }

    func next(isolation: isolated (any Actor)? = #isolation) async throws(ClientError) -> Value? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Result<Value?, ClientError>? in
                    switch state.content {
                    case .state(let new):
                        state.content = .empty
                        return .success(new)
                    case .finished(let error):
                        state.content = .finished(nil)
                        return error.map { .failure($0) } ?? .success(nil)
                    case .empty:
                        if Task.isCancelled { return .success(nil) }
                        state.waiting.append(continuation)
                        return nil
                    }
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            finish(nil)
        }
        return try result.get()
    }
}

typealias ScreenMailbox = Mailbox<ScreenState>

extension Mailbox: ScreenObserver where Value == ScreenState {}
