package import MarqueeCatalogue
package import MarqueeModel
package import MarqueeStore

extension Screens {
    /// The screens as they would be after a commit of some changes.
    ///
    /// - Returns: `nil` if the commit would change nothing.
    /// - Throws: `invalidArgument` for a change that would be refused.
    package func after(_ changes: [Change]) throws(Status) -> Screens? {
        let effect = try CommitPlan.effect(of: changes, on: catalogue, programmeCheck: ProgrammeValidator.check)
        guard !effect.isEmpty else { return nil }
        var next = self
        _ = try next.apply(CatalogueCommit(revision: head.revision + 1, key: nil, changes: effect))
        return next
    }
}

extension Screens {
    /// The pieces that a draft changes.
    /// - Parameter next: the screens with the draft.
    package func differences(of draft: Draft, to next: Screens) -> [DraftDifference] {
        draft.differences(from: catalogue, to: next.catalogue)
    }
}

extension Catalogue: CatalogueState {
    package func record(_ id: RecordID) -> [UInt8]? { records[id] }

    package func hasRecords(ofType alias: String) -> Bool { records.count(of: alias) > 0 }

    package func choosing(of pool: String) -> Change? {
        switch choice(of: pool) {
        case .record(let record)?: .chooseRecord(pool: pool, record: record)
        case .entry(let entry)?: .chooseEntry(pool: pool, entry: entry)
        case nil: nil
        }
    }

    package func entries(of list: ListName) -> [ListEntry]? { lists[list].map { $0.prefix($0.count) } }

    package var listNames: [ListName] { lists.names }

    package func shownEdition(of list: String) -> String? { lists.shownEdition(of: list) }
}
