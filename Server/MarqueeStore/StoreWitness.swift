import Synchronization

/// What this process knows to have been committed, so that it notices when a database has lost it: one that was
/// restored from an older backup, or a standby that was promoted although it lagged. Thread safe.
///
/// A database loses the end of its log and nothing in between, so the newest of what is known stands for all of it.
package final class StoreWitness: Sendable {
    package struct Known: Sendable {
        /// The catalogue's newest revision.
        package var catalogue: UInt64 = 0
        /// The user whose log moved last, and where to.
        package var user: (name: String, revision: UInt64)?

        /// Whether a database lacks some of it.
        /// - Parameters:
        ///   - catalogue: the database's newest revision.
        ///   - user: that of the user's log; `nil` if there is none.
        package func isAhead(ofCatalogue catalogue: UInt64, user: UInt64?) -> Bool {
            catalogue < self.catalogue || self.user.map { user ?? 0 < $0.revision } == true
        }
    }

    private let state = Mutex(Known())

    package init() {}

    package var known: Known { state.withLock { $0 } }

    package func note(catalogue revision: UInt64) { state.withLock { $0.catalogue = max($0.catalogue, revision) } }

    package func note(user: String, revision: UInt64) { state.withLock { $0.user = (user, revision) } }

    /// Notes what a batch of writes has made.
    package func note(_ writes: [StoreWrite], _ outcomes: [StoreOutcome]) {
        for (write, outcome) in zip(writes, outcomes) {
            guard case .done(let revision, changed: true) = outcome else { continue }
            switch write {
            case .catalogue: note(catalogue: revision)
            case .member(let user, _, _): note(user: user, revision: revision)
            }
        }
    }
}
