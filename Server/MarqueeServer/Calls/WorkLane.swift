import Dispatch
import Synchronization

extension ConnectionID {
    /// The connection id of a relay's guest, for lanes where connections take turns. No connection has it.
    func lane(of guest: UInt32) -> ConnectionID { 1 << 63 | (self & 0x7FFF_FFFF) << 32 | UInt64(guest) }
}

/// Runs connections' requests on one thread, one job at a time. Connections take turns, those whose jobs have taken the
/// least time first. A connection's waiting jobs are dropped when it closes.
///
/// Thread safe. Callers must respect `allowance`: a connection that has used it up stops being read.
final class WorkLane: Sendable {
    typealias Job = @Sendable () -> Void

    /// Counts since start.
    struct Counters: Hashable, Sendable {
        /// Jobs that were run.
        var done: UInt64 = 0
        /// Jobs of connections that closed before their turn came.
        var dropped: UInt64 = 0
        /// The most jobs that ever waited at once.
        var mostWaiting = 0
    }

    /// When the lane leaves its processor to others for a moment.
    struct Rest: Sendable {
        /// The CPU time of jobs after which it does so, in nanoseconds.
        var after: UInt64 = 50_000
        /// Whether it is needed; called on the lane's thread.
        var isNeeded: @Sendable () -> Bool
        /// Runs its argument on the lane's thread after a pause.
        var pause: @Sendable (@escaping @Sendable () -> Void) -> Void
    }

    private struct State {
        var queue: FairQueue<ConnectionID, Job>
        var isRunning = false
        /// The connection whose job is running; `nil` if it has closed meanwhile.
        var current: ConnectionID?
        /// The CPU time of jobs since the lane last rested, or checked whether to, in nanoseconds.
        var worked: UInt64 = 0
        var counters = Counters()
    }

    private let state: Mutex<State>
    private let used: @Sendable () -> UInt64
    private let rest: Rest?
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - used: the current thread's CPU time in nanoseconds. It makes what a job is charged independent of the
    ///     machine's other load.
    ///   - rest: `nil` if the lane never rests.
    ///   - execute: runs its argument later, on the lane's thread, in the order of the calls.
    init(
        bounds: FairQueue<ConnectionID, Job>.Bounds = .init(),
        used: @escaping @Sendable () -> UInt64 = ThreadTime.used, rest: Rest? = nil,
        execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        state = Mutex(State(queue: FairQueue(bounds: bounds)))
        self.used = used
        self.rest = rest
        self.execute = execute
    }

    /// A lane with a thread of its own.
    static func onDedicatedThread(_ label: String) -> WorkLane {
        let queue = DispatchQueue(label: label)
        return WorkLane { queue.async(execute: $0) }
    }

    var counters: Counters { state.withLock { $0.counters } }
    /// The number of waiting jobs.
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

    /// Queues the continuation of the running job: it runs when it is its connection's turn again, before the
    /// connection's other jobs. Called by the job itself, once, as its last step.
    func resume(for connection: ConnectionID, _ job: @escaping Job) {
        state.withLock { state in
            if state.current == connection {
                state.queue.prepend(job, for: connection)
            } else {
                state.counters.dropped += 1
            }
        }
    }

    /// Drops the waiting jobs of a connection that has closed.
    func drop(_ connection: ConnectionID) {
        state.withLock { state in
            state.counters.dropped += UInt64(state.queue.remove(connection))
            if state.current == connection { state.current = nil }
        }
    }

    /// Returns once nothing is waiting or running.
    func flush() async {
        while state.withLock({ $0.isRunning }) {
            await withCheckedContinuation { continuation in execute { continuation.resume() } }
        }
    }

    /// Runs one job; work handed to the thread meanwhile comes before the next one.
    private func turn() {
        let job = state.withLock { state in
            let next = state.queue.nextOfOwner()
            state.current = next?.owner
            if next == nil { state.isRunning = false } else { state.counters.done += 1 }
            return next?.work
        }
        guard let job else { return }
        let before = used()
        job()
        let time = max(before, used()) - before
        let mayRest = state.withLock { state in
            state.queue.charge(time)
            state.current = nil
            state.worked += time
            guard let rest, state.worked >= rest.after else { return false }
            state.worked = 0
            return true
        }
        if mayRest, let rest, rest.isNeeded() { rest.pause { self.turn() } } else { execute { self.turn() } }
    }
}
