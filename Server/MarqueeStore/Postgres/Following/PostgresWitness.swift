import Synchronization

/// What this process knows to have been committed, so that it notices when a database has lost it: one that was
/// restored from an older backup, or a standby that was promoted although it lagged. Thread safe.
///
/// PostgreSQL loses the end of its log and nothing in between, so the newest of what is known stands for all of it.
final class PostgresWitness: Sendable {
    struct Known: Sendable {
        /// The catalogue's newest revision.
        var catalogue: UInt64 = 0
        /// The user whose log moved last, and where to.
        var user: (name: String, revision: UInt64)?
    }

    private let state = Mutex(Known())

    var known: Known { state.withLock { $0 } }

    func note(catalogue revision: UInt64) { state.withLock { $0.catalogue = max($0.catalogue, revision) } }

    func note(user: String, revision: UInt64) { state.withLock { $0.user = (user, revision) } }

    /// Notes what a batch of writes has made.
    func note(_ writes: [StoreWrite], _ outcomes: [StoreOutcome]) {
        for (write, outcome) in zip(writes, outcomes) {
            guard case .done(let revision, changed: true) = outcome else { continue }
            switch write {
            case .catalogue: note(catalogue: revision)
            case .member(let user, _, _): note(user: user, revision: revision)
            }
        }
    }
}
