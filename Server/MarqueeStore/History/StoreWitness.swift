import Synchronization

/// The commits that this process knows to be in a database to which others write too. They reveal a database with
/// another history. Thread safe.
package final class StoreWitness: Sendable {
    private let state = Mutex(SeenHistory())
    private let final = Mutex<HistoryProof?>(nil)

    package init() {}

    package var seen: SeenHistory { state.withLock { $0 } }

    /// The first permanent verdict, which later answers don't change; `nil` if there was none.
    package var end: HistoryProof? { final.withLock { $0 } }

    package func note(catalogue point: LogPoint) {
        state.withLock { seen in
            if let known = seen.catalogue, known.revision >= point.revision { return }
            seen.catalogue = point
        }
    }

    package func note(user: String, _ point: LogPoint) { state.withLock { $0.note(user: user, point) } }

    /// Notes the place of the current primary, unless this process already knows a place.
    package func note(place: HistoryPlace) { state.withLock { if $0.place == nil { $0.place = place } } }

    /// Notes a user's log that was read.
    package func note(readUser user: String, _ point: LogPoint) {
        state.withLock { $0.note(readUser: user, point) }
    }

    /// Notes the epochs that this process serves.
    package func note(epochs: LogEpochs) { state.withLock { $0.epochs = epochs } }

    /// Judges a database's answer about `seen`, and remembers the database's place if it has that history.
    ///
    /// Once commits are found to be lost, no database is accepted any more: a former primary still has them, and a
    /// connection to it may remain.
    package func judge(_ found: FoundHistory, asked seen: SeenHistory) -> HistoryProof {
        let proof = HistoryProof.judge(seen, found)
        if let end = final.withLock({ end in
            if end == nil, proof.isFinal { end = proof }
            return end
        }) {
            return end
        }
        guard proof.isAccepted else { return proof }
        return state.withLock { current in
            // Another thread may have met the primary of a newer timeline meanwhile.
            if let place = current.place, place.system == found.place.system, place.timeline > found.place.timeline {
                return .olderTimeline(found: found.place.timeline, seen: place.timeline)
            }
            current.place = found.place
            return proof
        }
    }
}
