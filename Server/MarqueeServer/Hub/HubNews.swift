import MarqueeStore
import Synchronization

/// News from a store that its hub hasn't taken yet: the moves of users' logs, and the jobs that read the rest. Thread
/// safe.
final class HubNews: Sendable {
    private let moves = UserMoves()
    private let jobs = Mutex(HubJobs())
    /// The users who have sessions; may be called on any thread.
    private let present = Mutex<@Sendable () -> Set<String>>({ [] })

    /// - Parameter users: returns the users who have sessions; may be called on any thread.
    func begin(users: @escaping @Sendable () -> Set<String>) { present.withLock { $0 = users } }

    /// The users who have sessions.
    var users: Set<String> { present.withLock { $0 }() }

    /// Queues a move in a user's log.
    /// - Returns: whether the user's job has to be asked for, because no move was waiting.
    func add(_ move: MemberMove, of user: String) -> Bool { moves.add(move, of: user) }

    /// Removes and returns the moves that wait for a user, ascending, each once.
    func takeMoves(of user: String) -> [MemberMove] { moves.take(user) }

    func withJobs<Value: Sendable>(_ body: (inout HubJobs) -> Value) -> Value { jobs.withLock { body(&$0) } }
}
