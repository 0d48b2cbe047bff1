package import MarqueeCatalogue
import MarqueeModel

/// A piece of the catalogue as it is, and as it would be with a draft.
package struct DraftDifference: Sendable {
    /// For people: `episode/e1`, `list/top`.
    package var name: String
    /// `nil` if the piece isn't a record.
    package var record: RecordID?
    /// The changes that would create it, before and after the draft; `nil` where it doesn't exist.
    package var before: Change?
    package var after: Change?
    /// Whether it has changed in the catalogue since the draft first changed it.
    package var isConflict: Bool
}

extension Draft {
    /// The pieces that the draft changes, and those in which it conflicts with the catalogue.
    /// - Parameters:
    ///   - before: the catalogue's state.
    ///   - after: the state with the draft's changes.
    package func differences(
        from before: some CatalogueState, to after: some CatalogueState
    ) -> [DraftDifference] {
        let (old, new) = (PlannedState(state: before), PlannedState(state: after))
        let conflicts = Set(conflicts(stored: old.record))
        return touched.compactMap { name in
            let (before, after) = (old.record(name), new.record(name))
            guard before != after || conflicts.contains(name) else { return nil }
            var record: RecordID?
            if case .typed(let id) = name { record = id }
            return DraftDifference(
                name: name.label, record: record, before: before?.change, after: after?.change,
                isConflict: conflicts.contains(name))
        }
    }
}
