package import MarqueeStore
import Synchronization

/// What users' logs have moved by and the hub has not looked at yet, by user: however many moves wait, one visit to the
/// hub takes them all.
///
/// Thread safe.
package final class UserMoves: Sendable {
    private let waiting = Mutex<[String: [FavoriteMove]]>([:])

    package init() {}

    /// Notes the effect of a mutation.
    /// - Returns: whether the hub has to be asked to take them: the first that waits asks for all.
    package func add(_ move: FavoriteMove, of user: String) -> Bool {
        waiting.withLock { waiting in
            waiting[user, default: []].append(move)
            return waiting[user]?.count == 1
        }
    }

    /// Everything that waits for a user, ascending.
    package func take(_ user: String) -> [FavoriteMove] {
        waiting.withLock { $0.removeValue(forKey: user) } ?? []
    }
}

extension StoreWrite {
    /// What a write did to a user's favorites.
    package func favoriteMove(_ outcome: StoreOutcome) -> (user: String, move: FavoriteMove)? {
        guard case .favorite(let user, let subject, let isSet, _) = self,
            case .done(let revision, changed: true) = outcome
        else { return nil }
        return (user, FavoriteMove(subject: subject, isSet: isSet, revision: revision))
    }
}
