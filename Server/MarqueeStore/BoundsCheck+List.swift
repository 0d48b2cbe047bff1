import MarqueeCatalogue
import MarqueeModel

/// Checks of lists, their entries and edits.
extension BoundsCheck {
    mutating func list(_ name: ListName) {
        self.name(name.list, of: "list")
        if let edition = name.edition { self.edition(edition) }
    }

    mutating func edition(_ edition: String) {
        identifier(edition, "the name of an edition", limit: CatalogueBounds.edition)
    }

    mutating func list(_ list: RecordList) {
        self.list(list.name)
        count(list.entries.count, "the list", CatalogueBounds.listEntries)
        var keys = Set<String>()
        for entry in list.entries {
            self.entry(entry)
            if !keys.insert(entry.key).inserted { fail("the list has the entry '\(entry.key)' twice") }
        }
    }

    mutating func edit(_ edit: EntryEdit) {
        list(edit.list)
        if let entry = edit.entry { self.entry(entry) } else { key(edit.key) }
        if let rank = edit.rank, rank < 1 { fail("'at' is a rank, and ranks begin with 1, not \(rank)") }
    }

    private mutating func entry(_ entry: ListEntry) {
        key(entry.key)
        if let record = entry.record { self.record(record) }
    }

    mutating func key(_ key: String) {
        identifier(key, "the key of a list's entry", limit: CatalogueBounds.listKey)
    }
}
