import GRDB
import MarqueeDiff
package import MarqueeModel

extension Mirror {
    /// Stores everything that one cut changes, in one transaction (G3): only the rows that are new, changed or removed.
    ///
    /// A crash of the process loses none of it. A power cut may undo the last commits, both their content and the
    /// removal of mutations: the mirror is then in the state of an earlier commit, but no earlier than `durable`.
    ///
    /// - Throws: `diskFull`, `io`, `corrupt`; `limit` for a section without an id. Nothing has changed then.
    package func commit(_ transaction: MirrorTransaction) throws(MirrorError) {
        try write(.later) { db in
            for view in transaction.views {
                let key = try ViewRow.store(view, cut: transaction.cut, savedAt: transaction.savedAt, db)
                if let list = view.list {
                    try SectionWriter(db: db, view: key, name: SectionRow.listName).write(
                        base: list.base, target: list.target)
                }
                for section in view.sections {
                    guard !section.id.isEmpty else {
                        throw MirrorError(.limit, "a section of \(view.id) has no id")
                    }
                    try SectionWriter(db: db, view: key, name: section.id).write(
                        base: section.base, target: section.target)
                }
                for name in view.removedSections where name != SectionRow.listName {
                    try db.execute(sql: "DELETE FROM section WHERE view = ? AND name = ?", arguments: [key, name])
                }
            }
            for id in transaction.currentViews {
                try ViewRow.move(id, to: transaction.cut, savedAt: transaction.savedAt, db)
            }
            try OutboxTable.remove(transaction.finishedMutations, db)
            try ViewRow.removeOldest(keeping: transaction.currentViews + transaction.views.map(\.id), db)
            var row = try MirrorRow.load(db)
            row.seen = (row.seen ?? transaction.cut).advanced(by: CutChange(transaction.cut))
            row.proven = (row.proven ?? Cut()).advanced(by: transaction.proven, at: transaction.cut)
            try row.store(db)
        }
    }

    /// Withdraws positions that servers have claimed and no cut has delivered. Used when no server reaches the claimed
    /// position.
    package func forgetUnproven() throws(MirrorError) {
        try write(.now) { db in
            var row = try MirrorRow.load(db)
            row.seen = row.proven
            try row.store(db)
        }
    }
}

extension Cut {
    /// Returns the position that is proven after the frames of a cut: the components that they name, in the epochs of
    /// the cut's position.
    package func advanced(by named: CutChange, at position: Cut) -> Cut {
        advanced(
            by: CutChange(
                catalogueEpoch: named.catalogueRevision == nil ? nil : position.catalogueEpoch,
                catalogueRevision: named.catalogueRevision,
                userEpoch: named.userRevision == nil ? nil : position.userEpoch, userRevision: named.userRevision))
    }
}
