import Foundation
import MarqueeMirror
import MarqueeModel
import NIOCore

/// Waiting for the server to confirm changes of collections.
extension ClientEngine {
    /// The change, or the changes, that a caller waits for.
    enum ChangeGoal {
        case one(SubmittedChange)
        /// All changes, including those made while waiting.
        case all
    }

    /// A caller that waits.
    struct ChangeWaiter {
        var goal: ChangeGoal
        var timeout: Scheduled<Void>
        var completion: @Sendable (Result<ChangeResult, ClientError>) -> Void
    }

    /// Calls back once, when a change has ended, or can't end before the server is asked again.
    /// - Returns: an argument for `stopWaiting`; `nil` when it has already called back.
    @discardableResult
    func whenSettled(
        _ goal: ChangeGoal, within timeout: Duration,
        completion: @escaping @Sendable (Result<ChangeResult, ClientError>) -> Void
    ) -> Int? {
        if isStopped {
            completion(.failure(.closed))
            return nil
        }
        if let result = outcome(of: goal) {
            completion(result)
            return nil
        }
        if let error = finalRefusal {
            completion(.failure(error))
            return nil
        }
        guard changeWaiters.count < Self.maximumCalls else {
            completion(.failure(ClientError(.busy, "\(Self.maximumCalls) calls are already waiting")))
            return nil
        }
        nextCall += 1
        let id = nextCall
        let me = NIOLoopBound(self, eventLoop: loop)
        let scheduled = loop.scheduleTask(in: TimeAmount(timeout)) {
            me.value.stopWaiting(id, ClientError(.timeout, "the server did not confirm it in time"))
        }
        changeWaiters[id] = ChangeWaiter(goal: goal, timeout: scheduled, completion: completion)
        connectIfNeeded()
        return id
    }

    func stopWaiting(_ id: Int, _ error: ClientError) {
        guard let waiter = changeWaiters.removeValue(forKey: id) else { return }
        waiter.timeout.cancel()
        waiter.completion(.failure(error))
    }

    /// Answers the callers whose changes have ended.
    func answerChangeWaiters() {
        for (id, waiter) in changeWaiters.sorted(by: { $0.key < $1.key }) {
            guard let result = outcome(of: waiter.goal) else { continue }
            changeWaiters[id] = nil
            waiter.timeout.cancel()
            waiter.completion(result)
        }
    }

    /// Fails all callers, because no change can end now.
    func failChangeWaiters(_ error: ClientError) {
        for id in changeWaiters.keys.sorted() { stopWaiting(id, error) }
    }

    /// The server's refusal, while nothing is sent until the app requests something again.
    private var finalRefusal: ClientError? {
        if case .failed(let error) = link, retries.next == nil { error } else { nil }
    }

    /// - Returns: `nil` while it isn't known.
    private func outcome(of goal: ChangeGoal) -> Result<ChangeResult, ClientError>? {
        switch goal {
        case .all: return overlay.pendingCount == 0 ? .success(.confirmed) : nil
        case .one(let change):
            if let result = ledger.result(of: change.number) { return .success(result) }
            let number = ledger.current(change.number)
            if overlay[change.collection].isPending(number) { return nil }
            // It ended long ago, or in an earlier run.
            do throws(MirrorError) {
                let rejected = try mirror.rejections().last { $0.number == number }
                return .success(rejected.map { .rejected($0.error) } ?? .confirmed)
            } catch {
                return .failure(ClientError(mirror: error))
            }
        }
    }
}
