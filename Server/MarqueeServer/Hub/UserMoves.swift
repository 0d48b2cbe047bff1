package import MarqueeStore
import Synchronization

/// Moves of users' logs that the hub has not processed yet, by user. However many are waiting, one call on the hub
/// takes them all.
///
/// Moves that other processes make in a shared store arrive later than this process's own, and some of them arrive
/// twice. Thread safe.
package final class UserMoves: Sendable {
    /// The most moves that wait for one user. Moves dropped beyond that are read from the store.
    package static let maximumPerUser = 1_024

    private let waiting = Mutex<[String: [MemberMove]]>([:])

    package init() {}

    /// Queues the effect of a mutation.
    /// - Returns: whether to ask the hub to take the moves: this is needed only for the first one waiting.
    package func add(_ move: MemberMove, of user: String) -> Bool {
        waiting.withLock { waiting in
            guard let count = waiting[user]?.count else {
                waiting[user] = [move]
                return true
            }
            if count >= Self.maximumPerUser { waiting[user]?.removeFirst(count / 2) }
            waiting[user]?.append(move)
            return false
        }
    }

    /// Removes and returns the moves that wait for a user, ascending, each once.
    package func take(_ user: String) -> [MemberMove] {
        let moves = waiting.withLock { $0.removeValue(forKey: user) } ?? []
        let isAscending = zip(moves, moves.dropFirst()).allSatisfy { $0.revision < $1.revision }
        if isAscending { return moves }
        var newest: UInt64 = 0
        return moves.sorted { $0.revision < $1.revision }.filter { move in
            defer { newest = move.revision }
            return move.revision > newest
        }
    }
}

extension StoreWrite {
    /// The move that a write made in a user's log; `nil` if it made none.
    package func memberMove(_ outcome: StoreOutcome) -> (user: String, move: MemberMove)? {
        guard case .member(let user, let change, _) = self, case .done(let revision, changed: true) = outcome else {
            return nil
        }
        return (user, MemberMove(change, revision: revision))
    }
}
