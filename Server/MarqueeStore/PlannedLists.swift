import MarqueeCatalogue
import MarqueeModel

/// A commit's changes to lists, by list and by key, so that each of many changes costs no more than one alone.
struct PlannedLists {
    /// Edits of a stored list.
    struct StoredListEdits {
        /// In order.
        var edits: [EntryEdit] = []
        /// The entries touched, as the edits leave them; `nil` if removed.
        var entries: [String: ListEntry?] = [:]
        /// How many entries the edits add, less those they remove.
        var growth = 0
        /// How many entries the stored list has, if an edit had to know.
        var stored: Int?
    }

    /// The changes to one list.
    enum Plan {
        case whole(EditedList)
        case removed
        case edited(StoredListEdits)
    }

    private var plans: [String: [String?: Plan]] = [:]

    subscript(name: ListName) -> Plan? {
        get { plans[name.list]?[name.edition] }
        set { plans[name.list, default: [:]][name.edition] = newValue }
    }

    /// Whether the commit touches a list that is declared under a name.
    func touches(listsDeclaredAs name: String) -> Bool {
        plans.contains { !$1.isEmpty && ListName($0).declared == name }
    }

    /// The editions of a list after the changes.
    func editions(of list: String, stored: [String?]) -> Set<String?> {
        var editions = Set(stored)
        for (edition, plan) in plans[list] ?? [:] {
            switch plan {
            case .whole, .edited: editions.insert(edition)
            case .removed: editions.remove(edition)
            }
        }
        return editions
    }

    /// Lists to write whole or to remove.
    var records: [RecordName: CatalogueRecord?] {
        var records: [RecordName: CatalogueRecord?] = [:]
        for (list, editions) in plans {
            for (edition, plan) in editions {
                let name = RecordName.list(ListName(list, edition: edition))
                switch plan {
                case .whole(let list): records.updateValue(.list(list.list), forKey: name)
                case .removed: records.updateValue(nil, forKey: name)
                case .edited: break
                }
            }
        }
        return records
    }

    /// Edits of the lists that aren't written whole; those of each list are in order.
    var edits: [EntryEdit] {
        plans.values.flatMap(\.values).flatMap { plan in
            if case .edited(let draft) = plan { draft.edits } else { [EntryEdit]() }
        }
    }

    /// Adds an edit of a stored list.
    ///
    /// - Parameters:
    ///   - isPresent: whether the list has an entry with its key before the edit.
    ///   - count: how many entries the list has before the edit; `nil` if that wasn't needed.
    mutating func add(_ edit: EntryEdit, replaces isPresent: Bool, of count: Int?) {
        var draft = StoredListEdits()
        if case .edited(let known)? = self[edit.list] {
            draft = known
            // `draft` is now the only reference, so nothing is copied.
            self[edit.list] = nil
        }
        draft.stored = draft.stored ?? count.map { $0 - draft.growth }
        draft.edits.append(edit)
        draft.entries.updateValue(edit.entry, forKey: edit.key)
        draft.growth += (edit.entry == nil ? 0 : 1) - (isPresent ? 1 : 0)
        self[edit.list] = .edited(draft)
    }

    /// Speeds up edits of a list that is written whole.
    mutating func index(_ name: ListName) {
        guard case .whole(var list)? = self[name] else { return }
        self[name] = nil
        list.index()
        self[name] = .whole(list)
    }

    /// Applies an edit to a list that is written whole.
    mutating func apply(_ edit: EntryEdit) {
        guard case .whole(var list)? = self[edit.list] else { return }
        self[edit.list] = nil
        list.apply(edit)
        self[edit.list] = .whole(list)
    }
}
