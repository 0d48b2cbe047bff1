import Dispatch
import MarqueeModel
package import MarqueeStore
import Synchronization

/// The only writer of a store: collects writes during a commit, then commits them together (group commit).
///
/// Each log has a queue and a thread of its own, so a large publication doesn't hold collections up. Writes of one log
/// are committed in the order in which they were submitted, except that connections which publish take turns. Thread
/// safe. A write is confirmed only once the engine has made it durable.
package final class Committer: Sendable {
    /// The most writes that may wait in each queue; further ones are refused. Their bytes are bounded elsewhere: a
    /// publication holds its share of the server's budget for calls until it is answered.
    package static let maximumWaiting = 4_096
    /// The most writes in one commit.
    package static let maximumBatch = 512
    /// The most changes in one commit of several writes, about ten milliseconds' worth. A write with more is committed
    /// alone, so that nobody waits for a large publication submitted later.
    package static let changesPerBatch = 1_024

    package typealias Completion = @Sendable (Result<StoreOutcome, StoreError>) -> Void

    private let catalogue: CommitQueue
    private let users: CommitQueue

    /// Writes on threads of its own.
    package init(store: any StoreEngine) {
        catalogue = CommitQueue(store: store, thread: DispatchQueue(label: "marquee.committer.catalogue"))
        users = CommitQueue(store: store, thread: DispatchQueue(label: "marquee.committer.users"))
    }

    /// Writes wherever `execute` runs its work, so that a simulation can decide when.
    package init(store: any StoreEngine, execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        catalogue = CommitQueue(store: store, execute: execute)
        users = CommitQueue(store: store, execute: execute)
    }

    /// Submits a write.
    /// - Parameters:
    ///   - publisher: the connection that publishes it; `nil` for a write that is committed even if its client's
    ///     connection closes.
    ///   - completion: called once, from the log's writing thread, unless the publisher leaves first.
    /// - Returns: `false` when too many writes are waiting; `completion` is not called then.
    package func submit(
        _ write: StoreWrite, from publisher: ConnectionID? = nil, completion: @escaping Completion
    ) -> Bool {
        switch write.log {
        case .catalogue: catalogue.submit(write, from: publisher, completion: completion)
        case .users: users.submit(write, from: publisher, completion: completion)
        }
    }

    /// Runs work while no write of the catalogue is being committed.
    /// - Parameter work: called on the thread that writes the catalogue.
    func alone(_ work: @escaping @Sendable () -> Void) { catalogue.alone(work) }

    /// Drops the waiting writes of a publisher that has left: it will resend whatever wasn't answered.
    package func drop(_ publisher: ConnectionID) { catalogue.drop(publisher) }

    /// Figures of the writes since start, by log.
    package var figures: [String: CommitFigures] { ["catalogue": catalogue.figures, "users": users.figures] }

    /// Returns when every write submitted so far is committed or refused.
    package func flush() {
        catalogue.flush()
        users.flush()
    }
}

/// The writes that wait for one log.
private final class CommitQueue: Sendable {
    private struct Entry {
        var write: StoreWrite
        var publisher: ConnectionID?
        var completion: Committer.Completion
    }

    private struct State {
        var waiting = FairQueue<ConnectionID?, Entry>()
        /// The write that was next but didn't fit; the next commit begins with it.
        var next: Entry?
        var isRunning = false
        var figures = CommitFigures()
        /// The failures since a batch was last stored: their reason, and when the first and the last of them happened.
        var failing: (reason: String, first: DispatchTime, last: DispatchTime)?

        var count: Int { waiting.count + (next == nil ? 0 : 1) }

        /// Takes writes by turns, up to the bounds of a commit.
        mutating func takeBatch() -> [Entry] {
            var batch: [Entry] = []
            var changes = 0
            while batch.count < Committer.maximumBatch, let entry = next.take() ?? nextByTurns() {
                guard batch.isEmpty || changes + entry.write.changeCount <= Committer.changesPerBatch else {
                    next = entry
                    break
                }
                changes += entry.write.changeCount
                batch.append(entry)
            }
            return batch
        }

        private mutating func nextByTurns() -> Entry? {
            guard let entry = waiting.next() else { return nil }
            waiting.charge(UInt64(entry.write.changeCount))
            return entry
        }
    }

    /// How long a failure counts. After that, nothing tells whether the next write would succeed.
    private static let failureSeconds = 60.0

    private let store: any StoreEngine
    private let thread: DispatchQueue?
    /// Runs work on the writing thread.
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    init(store: any StoreEngine, thread: DispatchQueue) {
        self.store = store
        self.thread = thread
        execute = { thread.async(execute: $0) }
    }

    init(store: any StoreEngine, execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.store = store
        thread = nil
        self.execute = execute
    }

    func submit(
        _ write: StoreWrite, from publisher: ConnectionID?, completion: @escaping Committer.Completion
    ) -> Bool {
        state.withLock { state in
            guard state.count < Committer.maximumWaiting else {
                state.figures.refused += 1
                return false
            }
            state.waiting.append(Entry(write: write, publisher: publisher, completion: completion), for: publisher)
            // Inside the lock, so that a flush called after this waits for it.
            if !state.isRunning { execute { self.run() } }
            state.isRunning = true
            return true
        }
    }

    func drop(_ publisher: ConnectionID) {
        state.withLock { state in
            state.waiting.remove(publisher)
            if state.next?.publisher == publisher { state.next = nil }
        }
    }

    func flush() { thread?.sync {} }

    func alone(_ work: @escaping @Sendable () -> Void) { execute(work) }

    var figures: CommitFigures {
        state.withLock { state in
            var figures = state.figures
            figures.waiting = state.count
            let now = DispatchTime.now()
            if let failing = state.failing, failing.last.seconds(until: now) < Self.failureSeconds {
                figures.failing = SourceOutage(
                    age: UInt64(failing.first.seconds(until: now) * 1_000), reason: failing.reason)
            }
            return figures
        }
    }

    /// Counts a batch that was handed to the store.
    /// - Parameters:
    ///   - failed: how many of its writes weren't stored.
    ///   - error: the reason, if none of the writes was stored.
    private func count(_ batch: Int, failed: Int, since start: DispatchTime, _ error: StoreError? = nil) {
        let now = DispatchTime.now()
        state.withLock { state in
            state.figures.seconds.add(start.seconds(until: now))
            state.figures.writes += UInt64(batch)
            state.figures.failures += UInt64(failed)
            switch error?.code {
            case nil: state.failing = nil
            // Only the data that this batch builds on is damaged: other writes can be stored.
            case .corrupt?, .invalid?: break
            default: state.failing = (error?.description ?? "", state.failing?.first ?? start, now)
            }
        }
    }

    private func run() {
        while true {
            let batch = state.withLock { state in
                let batch = state.takeBatch()
                if batch.isEmpty { state.isRunning = false }
                return batch
            }
            if batch.isEmpty { return }
            let start = DispatchTime.now()
            do throws(StoreError) {
                let outcomes = try store.write(batch.map(\.write))
                count(batch.count, failed: outcomes.count { $0.isFailure }, since: start)
                for (entry, outcome) in zip(batch, outcomes) {
                    if case .failed(let error) = outcome {
                        entry.completion(.failure(error))
                    } else {
                        entry.completion(.success(outcome))
                    }
                }
            } catch {
                count(batch.count, failed: batch.count, since: start, error)
                for entry in batch { entry.completion(.failure(error)) }
            }
        }
    }
}

extension DispatchTime {
    fileprivate func seconds(until later: DispatchTime) -> Double {
        Double(later.uptimeNanoseconds - min(later.uptimeNanoseconds, uptimeNanoseconds)) / 1e9
    }
}

extension StoreWrite {
    /// How many changes it makes; the time it takes is in proportion.
    fileprivate var changeCount: Int {
        switch self {
        case .catalogue(_, let changes, _): max(1, changes.count)
        case .member: 1
        // Of one that is published nobody knows here.
        case .draft(let edit, _): if case .add(let changes, _) = edit.action { max(1, changes.count) } else { 1 }
        case .observed(let batch, _): max(1, batch.observations.count)
        }
    }
}

extension StoreOutcome {
    /// Whether this write couldn't be stored although others of its batch were.
    fileprivate var isFailure: Bool {
        if case .failed = self { true } else { false }
    }
}
