import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Changes to lists. A change to a single entry is planned as an edit, which the engine applies without reading the
/// list.
extension CommitPlan {
    typealias Stored = (RecordName) throws -> CatalogueRecord?

    /// A record other than a list, as the changes so far leave it.
    private func current(_ name: RecordName, _ stored: Stored) throws -> CatalogueRecord? {
        if let planned = records[name] { return planned.record }
        return try stored(name)
    }

    /// - Parameters:
    ///   - lists: the stored lists.
    ///   - stored: reads the record stored under a name.
    mutating func add(_ change: Change, of lists: any StoredLists, by types: TypeSet, _ stored: Stored) throws {
        switch change {
        case .list(let list):
            try put(try Self.refusing { types.canonical(list, noting: &$0) }, lists, stored)
        case .listItem(let edit) where edit.entry == nil:
            _ = try Self.refusing { types.declared(edit.list, noting: &$0) }
            try remove(edit, lists, stored)
        case .listItem(let edit): try put(edit, lists, types, stored)
        case .show(let list, let edition):
            let name = ListName(list, edition: edition)
            _ = try Self.refusing { types.declared(name, noting: &$0) }
            guard try count(of: name, lists) != nil else {
                let known = planned.editions(of: list, stored: try lists.editions(of: list)).compactMap { $0 }.sorted()
                throw Refusal(
                    reason: "the list '\(list)' has no edition '\(edition)' to show"
                        + NearestName.hint(for: edition, among: known))
            }
            let record = CatalogueRecord.shownEdition(list: list, edition: edition)
            guard try current(.shownEdition(list: list), stored) != record else { return }
            records.put(record, under: .shownEdition(list: list))
            made.append(change)
        case .removeList(let name):
            _ = try Self.refusing { types.declared(name, isWhole: true, noting: &$0) }
            try remove(name, lists, stored)
        default: break
        }
    }

    /// Whether a list declared under this name is stored. One that this commit removes still counts; its declaration
    /// can be removed in a later commit.
    func isStored(listsDeclaredAs name: String, _ lists: any StoredLists) throws -> Bool {
        if planned.touches(listsDeclaredAs: name) { return true }
        return try lists.hasList(declaredAs: name)
    }

    // MARK: - Whole lists

    private mutating func put(_ list: RecordList, _ lists: any StoredLists, _ stored: Stored) throws {
        switch planned[list.name] {
        case .whole(let known)? where known.list == list: return
        case nil: if try stored(.list(list.name)) == .list(list) { return }
        case .whole?, .removed?, .edited?: break
        }
        try checkEditions(with: list.name, lists)
        planned[list.name] = .whole(EditedList(list))
        made.append(.list(list))
    }

    private mutating func checkEditions(with name: ListName, _ lists: any StoredLists) throws {
        guard name.edition != nil, try count(of: name, lists) == nil,
            planned.editions(of: name.list, stored: try lists.editions(of: name.list)).count
                >= CatalogueBounds.listEditions
        else { return }
        throw Refusal(
            reason:
                "the list '\(name.list)' has \(CatalogueBounds.listEditions) editions already; remove one first, with "
                + "'removeList' and its 'edition'")
    }

    private mutating func remove(_ name: ListName, _ lists: any StoredLists, _ stored: Stored) throws {
        let removed: Set<String?> =
            try name.edition == nil
            ? planned.editions(of: name.list, stored: lists.editions(of: name.list)) : [name.edition]
        var isChanged = false
        for edition in removed {
            let name = ListName(name.list, edition: edition)
            guard try count(of: name, lists) != nil else { continue }
            isChanged = true
            planned[name] = .removed
            let shown = RecordName.shownEdition(list: name.list)
            if let edition, try current(shown, stored) == .shownEdition(list: name.list, edition: edition) {
                records.put(nil, under: shown)
            }
        }
        if isChanged { made.append(.removeList(name)) }
    }

    /// The editions of a list to remove: the oldest, which are those with the lowest names, such as dates.
    /// - Parameters:
    ///   - shown: the edition in force, which is always kept.
    ///   - limit: how many of the newest editions to keep; at least one is.
    static func surplus(of editions: some Sequence<String>, shown: String?, keeping limit: Int) -> [String] {
        editions.sorted().dropLast(max(1, limit)).filter { $0 != shown }
    }

    /// Removes the oldest editions of lists, as changes of the same commit.
    /// - Parameter limit: editions to keep of each list.
    mutating func dropEditions(
        beyond limit: Int, of names: Set<String>, lists: any StoredLists, stored: Stored
    ) throws {
        for list in names.sorted() {
            let editions = planned.editions(of: list, stored: try lists.editions(of: list)).compactMap { $0 }
            var shown: String?
            if case .shownEdition(_, let edition)? = try current(.shownEdition(list: list), stored) { shown = edition }
            for edition in Self.surplus(of: editions, shown: shown, keeping: limit) {
                try remove(ListName(list, edition: edition), lists, stored)
            }
        }
    }

    /// The lists to which this commit adds an edition, or an entry of an edition.
    var listsWithEditions: Set<String> {
        Set(
            made.compactMap { change in
                switch change {
                case .list(let list) where list.name.edition != nil: list.name.list
                case .listItem(let edit) where edit.list.edition != nil: edit.list.list
                default: nil
                }
            })
    }

    /// How many entries a list has after the changes so far; `nil` if there is no such list.
    private mutating func count(of name: ListName, _ lists: any StoredLists) throws -> Int? {
        switch planned[name] {
        case .whole(let list)?: return list.count
        case .removed?: return nil
        case .edited(let draft)?:
            return try (draft.stored ?? lists.entryCount(of: name)).map { $0 + draft.growth }
        case nil:
            if let count = looks[name]?.count { return count }
            let count = try lists.entryCount(of: name)
            if let count { looks[name, default: StoredLook()].count = count }
            return count
        }
    }

    // MARK: - Single entries

    private mutating func put(
        _ edit: EntryEdit, _ lists: any StoredLists, _ types: TypeSet, _ stored: Stored
    ) throws {
        let list = edit.list
        _ = try Self.refusing { types.declared(list, noting: &$0) }
        planned.index(list)
        guard var entry = edit.entry else { return }
        let known = try self.entry(edit.key, of: edit.list, stored)
        entry.record = entry.record ?? known?.record
        entry.place = entry.place ?? known?.place
        entry = try Self.refusing { types.canonical(entry, of: list, noting: &$0) }
        let edit = EntryEdit(edit.list, putting: entry, at: edit.rank)
        guard let count = try count(of: edit.list, lists) else {
            // A list is created by its first entry.
            try checkEditions(with: edit.list, lists)
            planned[edit.list] = .whole(EditedList(RecordList(edit.list, entries: [entry])))
            made.append(.listItem(edit))
            return
        }
        if known == entry, try stays(edit, count, lists, stored) { return }
        if known == nil, count >= CatalogueBounds.listEntries {
            throw Refusal(
                reason: "a list has at most \(CatalogueBounds.listEntries) entries, and '\(edit.list)' is full")
        }
        plan(edit, replaces: known != nil, of: count)
    }

    private mutating func remove(_ edit: EntryEdit, _ lists: any StoredLists, _ stored: Stored) throws {
        planned.index(edit.list)
        if try entry(edit.key, of: edit.list, stored) != nil { plan(edit, replaces: true, of: nil) }
    }

    private mutating func plan(_ edit: EntryEdit, replaces isPresent: Bool, of count: Int?) {
        if case .whole? = planned[edit.list] {
            planned.apply(edit)
        } else {
            planned.add(edit, replaces: isPresent, of: count)
        }
        made.append(.listItem(edit))
    }

    /// Whether an edit leaves an existing entry at its rank; `false` if only applying earlier edits of the commit would
    /// tell.
    private mutating func stays(
        _ edit: EntryEdit, _ count: Int, _ lists: any StoredLists, _ stored: Stored
    ) throws -> Bool {
        guard let rank = edit.rank.map({ min($0, count) }) else { return true }
        return switch planned[edit.list] {
        case .whole(let list)?: list.key(at: rank) == edit.key
        case .removed?, .edited?: false
        case nil: try storedKey(of: edit.list, at: rank, lists, stored) == edit.key
        }
    }

    /// The key at a rank of a stored list. If many edits ask about one list, it is read whole, once.
    private mutating func storedKey(
        of name: ListName, at rank: Int, _ lists: any StoredLists, _ stored: Stored
    ) throws -> String? {
        var look = looks.removeValue(forKey: name) ?? StoredLook()
        defer { looks[name] = look }
        look.places += 1
        if look.keys == nil, look.places > StoredLook.placesOneByOne, case .list(let list)? = try stored(.list(name)) {
            look.keys = list.entries.map(\.key)
        }
        guard let keys = look.keys else { return try lists.entryKey(of: name, at: rank) }
        return keys.indices.contains(rank - 1) ? keys[rank - 1] : nil
    }

    /// An entry, as the changes so far leave it.
    private func entry(_ key: String, of list: ListName, _ stored: Stored) throws -> ListEntry? {
        switch planned[list] {
        case .whole(let list)?: return list[key]
        case .removed?: return nil
        case .edited(let draft)?: if let known = draft.entries[key] { return known }
        case nil: break
        }
        guard case .listEntry(_, let entry)? = try stored(.listEntry(list, key: key)) else { return nil }
        return entry
    }
}

// MARK: - The types' rules

/// The rules that the types in force set for changes to lists. Each notes the mistakes in a change. A result that comes
/// with mistakes is good only for finding more of them.
extension TypeSet {
    /// The declaration of a list.
    /// - Parameter isWhole: whether a name without an edition means the list with all its editions.
    func declared(
        _ name: ListName, isWhole: Bool = false, noting mistakes: inout RecordMistakes
    ) -> ListDeclaration? {
        func note(_ member: NamingMember, _ reason: String) {
            mistakes.note(RecordError(path: member.rawValue, reason))
        }
        guard let declaration = list(name.declared) else {
            let known = lists.map(\.name).sorted()
            let hint = NearestName.hint(for: name.declared, among: known)
            let all = known.isEmpty ? "; none is declared" : "; the declared lists are \(known.joined(separator: ", "))"
            note(.list, "there is no list '\(name.declared)'\(hint.isEmpty ? all : hint)")
            return nil
        }
        switch (declaration.hasEditions, name.edition) {
        case (true, nil) where !isWhole:
            note(.edition, "the list '\(name.list)' has editions; name one with 'edition'")
        case (false, _?):
            note(.edition, "the list '\(name.list)' has no editions; declare it with 'editions: true' to have some")
        default: break
        }
        return declaration
    }

    /// A list with the canonical bytes of its places.
    func canonical(_ list: RecordList, noting mistakes: inout RecordMistakes) -> RecordList? {
        guard let declaration = declared(list.name, noting: &mistakes) else { return nil }
        var entries: [ListEntry] = []
        entries.reserveCapacity(list.entries.count)
        for (index, entry) in list.entries.enumerated() where !mistakes.isFull {
            let known = mistakes.all.count
            entries.append(declaration.canonical(entry, isWhole: true, noting: &mistakes))
            mistakes.enclose(in: "entries[\(index)]", from: known)
        }
        return RecordList(list.name, entries: entries)
    }

    /// An entry to be put into a list, with the canonical bytes of its place.
    /// - Parameter isWhole: whether the entry is complete. If not, an existing entry may supply the rest.
    func canonical(
        _ entry: ListEntry, of list: ListName, isWhole: Bool = true, noting mistakes: inout RecordMistakes
    ) -> ListEntry? {
        guard let declaration = declared(list, noting: &mistakes) else { return nil }
        let known = mistakes.all.count
        let entry = declaration.canonical(entry, isWhole: isWhole, noting: &mistakes)
        mistakes.enclose(in: "item", from: known)
        return entry
    }
}

extension ListDeclaration {
    /// An entry with the canonical bytes of its place.
    fileprivate func canonical(
        _ entry: ListEntry, isWhole: Bool, noting mistakes: inout RecordMistakes
    ) -> ListEntry {
        if let record = entry.record {
            if !types.contains(record.type) {
                let known =
                    types.isEmpty ? "; its entries are places only" : "; it takes \(types.joined(separator: ", "))"
                let hint = NearestName.hint(for: record.type, among: types)
                mistakes.note(
                    RecordError(
                        path: NamingMember.record.rawValue,
                        "the list '\(name)' takes no '\(record.type.prefix(64))'\(hint.isEmpty ? known : hint)"))
            }
        } else if isWhole, place == nil {
            mistakes.note(
                RecordError(
                    "the entry '\(entry.key)' of '\(name)' needs a 'record': the list declares no 'place'"))
        }
        var entry = entry
        switch entry.place {
        case .json(let value)?: entry.place = place(json: value, noting: &mistakes).map { .bytes($0) }
        case .bytes(let bytes)?: entry.place = place(bytes: bytes, noting: &mistakes).map { .bytes($0) }
        case nil: break
        }
        // An empty place counts as none.
        if entry.record != nil, entry.placeBytes?.isEmpty == true { entry.place = nil }
        return entry
    }
}
