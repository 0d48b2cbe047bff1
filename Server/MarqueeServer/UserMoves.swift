package import MarqueeStore
import Synchronization

/// Moves of users' logs that the hub has not processed yet, by user: however many are waiting, one visit to the hub
/// takes them all.
///
/// Thread safe.
package final class UserMoves: Sendable {
    private let waiting = Mutex<[String: [MemberMove]]>([:])

    package init() {}

    /// Queues the effect of a mutation.
    /// - Returns: whether to ask the hub to take the moves: only the first one waiting has to.
    package func add(_ move: MemberMove, of user: String) -> Bool {
        waiting.withLock { waiting in
            waiting[user, default: []].append(move)
            return waiting[user]?.count == 1
        }
    }

    /// Removes and returns the moves that wait for a user, ascending.
    package func take(_ user: String) -> [MemberMove] {
        waiting.withLock { $0.removeValue(forKey: user) } ?? []
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
