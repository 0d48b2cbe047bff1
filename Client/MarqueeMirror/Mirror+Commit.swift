import GRDB
import MarqueeDiff
import MarqueeModel

extension Mirror {
    /// Stores everything that one cut changes, in one transaction (G3): rows that are new, changed or gone, and no others.
    ///
    /// - Throws: `diskFull`, `io`, `corrupt`; `limit` for a section without an id. Nothing has changed then.
    package func commit(_ transaction: MirrorTransaction) throws(MirrorError) {
        try write { db in
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
            try row.store(db)
        }
    }
}
