package import MarqueeStore
import Synchronization

/// Moves of users' logs that the hub has not processed yet, by user: however many are waiting, one visit to the hub
/// takes them all.
///
/// Thread safe.
package final class UserMoves: Sendable {
    private let waiting = Mutex<[String: [MemberMove]]>([:])

    package init() {}

    /// Notes the effect of a mutation.
    /// - Returns: whether the hub has to be asked to take them: the first that waits asks for all.
    package func add(_ move: MemberMove, of user: String) -> Bool {
        waiting.withLock { waiting in
            waiting[user, default: []].append(move)
            return waiting[user]?.count == 1
        }
    }

    /// Everything that waits for a user, ascending.
    package func take(_ user: String) -> [MemberMove] {
        waiting.withLock { $0.removeValue(forKey: user) } ?? []
    }
}

extension StoreWrite {
    /// What a write did to a user's collections.
    package func memberMove(_ outcome: StoreOutcome) -> (user: String, move: MemberMove)? {
        guard case .member(let user, let change, _) = self, case .done(let revision, changed: true) = outcome else {
            return nil
        }
        return (user, MemberMove(change, revision: revision))
    }
}
