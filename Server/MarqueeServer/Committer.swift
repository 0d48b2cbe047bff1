import Dispatch
import MarqueeModel
package import MarqueeStore
import Synchronization

/// The only writer of a store: collects writes during a commit, then commits them together (group commit).
///
/// Thread safe. A write is confirmed only once the engine has made it durable.
package final class Committer: Sendable {
    /// The most writes that may wait; further ones are refused.
    package static let maximumWaiting = 4_096
    /// The most writes in one commit.
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

    /// Writes wherever `execute` runs its work; a simulation decides when.
    package init(store: any StoreEngine, execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.store = store
        queue = nil
        self.execute = execute
    }

    /// Submits a write.
    /// - Parameter completion: called once, from the writing thread.
    /// - Returns: `false` when too many writes are waiting; `completion` is not called then.
    package func submit(_ write: StoreWrite, completion: @escaping Completion) -> Bool {
        state.withLock { state in
            guard state.waiting.count < Self.maximumWaiting else { return false }
            state.waiting.append((write, completion))
            // Inside the lock, so that a flush called after this waits for it.
            if !state.isRunning { execute { self.run() } }
            state.isRunning = true
            return true
        }
    }

    /// Returns when every write submitted so far is committed or refused.
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
