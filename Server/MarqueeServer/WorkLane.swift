import Dispatch
import Synchronization

/// Names a connection for as long as the server runs.
typealias ConnectionID = UInt64

/// Does what connections ask for on one thread, one job at a time; the connections take turns. What a connection has
/// waiting is dropped when it closes.
///
/// Thread safe. How much may wait is for the connections to respect, see `allowance`: they stop reading.
final class WorkLane: Sendable {
    typealias Job = @Sendable () -> Void

    /// Counts since start.
    struct Counters: Hashable, Sendable {
        /// Jobs that were done.
        var done: UInt64 = 0
        /// Jobs of connections that closed before their turn came.
        var dropped: UInt64 = 0
        /// The most jobs that ever waited at once.
        var mostWaiting = 0
    }

    private struct State {
        var queue: FairQueue<ConnectionID, Job>
        var isRunning = false
        var counters = Counters()
    }

    private let state: Mutex<State>
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter execute: runs what it is given later, on the lane's thread, in the order in which it was given.
    init(
        bounds: FairQueue<ConnectionID, Job>.Bounds = .init(),
        execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        state = Mutex(State(queue: FairQueue(bounds: bounds)))
        self.execute = execute
    }

    /// A lane with a thread of its own.
    static func onItsOwnThread(_ label: String) -> WorkLane {
        let queue = DispatchQueue(label: label)
        return WorkLane { queue.async(execute: $0) }
    }

    var counters: Counters { state.withLock { $0.counters } }
    /// Jobs that wait now.
    var waiting: Int { state.withLock { $0.queue.count } }
    /// How many jobs a connection may have waiting now.
    var allowance: Int { state.withLock { $0.queue.allowance } }

    func submit(for connection: ConnectionID, _ job: @escaping Job) {
        let starts = state.withLock { state in
            state.queue.append(job, for: connection)
            state.counters.mostWaiting = max(state.counters.mostWaiting, state.queue.count)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { execute { self.turn() } }
    }

    /// A connection has closed: what it asked for is of no use any more.
    func drop(_ connection: ConnectionID) {
        state.withLock { state in state.counters.dropped += UInt64(state.queue.remove(connection)) }
    }

    /// Returns when nothing waits and nothing is being done.
    func flush() async {
        while state.withLock({ $0.isRunning }) {
            await withCheckedContinuation { continuation in execute { continuation.resume() } }
        }
    }

    /// One job; whatever else was handed to the thread meanwhile comes before the next one.
    private func turn() {
        let job = state.withLock { state in
            let job = state.queue.next()
            if job == nil { state.isRunning = false } else { state.counters.done += 1 }
            return job
        }
        guard let job else { return }
        job()
        execute { self.turn() }
    }
}
