import Dispatch
import MarqueeModel
package import MarqueeStore
import Synchronization

/// The one writer of a store: collects writes while a commit is under way and commits them together (group commit).
///
/// Thread safe. A confirmation comes only after the engine has made the write durable.
package final class Committer: Sendable {
    /// Writes that may wait; more are refused.
    package static let maximumWaiting = 4_096
    /// Writes of one commit.
    package static let maximumBatch = 512

    package typealias Completion = @Sendable (Result<StoreOutcome, StoreError>) -> Void

    private struct State {
        var waiting: [(write: StoreWrite, completion: Completion)] = []
        var isRunning = false
    }

    private let store: any StoreEngine
    private let queue: DispatchQueue?
    /// Runs work on the writing thread.
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    /// Writes on a thread of its own.
    package init(store: any StoreEngine) {
        let queue = DispatchQueue(label: "marquee.committer")
        self.store = store
        self.queue = queue
        execute = { queue.async(execute: $0) }
    }

    /// Writes wherever `execute` runs what it is given: in a simulation, when its schedule says so.
    package init(store: any StoreEngine, execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.store = store
        queue = nil
        self.execute = execute
    }

    /// Hands in a write.
    /// - Parameter completion: called once, from the writing thread.
    /// - Returns: `false` when too many writes wait; `completion` is not called then.
    package func submit(_ write: StoreWrite, completion: @escaping Completion) -> Bool {
        state.withLock { state in
            guard state.waiting.count < Self.maximumWaiting else { return false }
            state.waiting.append((write, completion))
            // Within the lock, so that a flush that comes after this call waits for it.
            if !state.isRunning { execute { self.run() } }
            state.isRunning = true
            return true
        }
    }

    /// Returns when everything handed in so far is committed or refused.
    package func flush() { queue?.sync {} }

    private func run() {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(Self.maximumBatch))
                state.waiting.removeFirst(batch.count)
                if batch.isEmpty { state.isRunning = false }
                return batch
            }
            if batch.isEmpty { return }
            do throws(StoreError) {
                let outcomes = try store.write(batch.map(\.write))
                for (entry, outcome) in zip(batch, outcomes) {
                    if case .failed(let error) = outcome {
                        entry.completion(.failure(error))
                    } else {
                        entry.completion(.success(outcome))
                    }
                }
            } catch {
                for entry in batch { entry.completion(.failure(error)) }
            }
        }
    }
}
