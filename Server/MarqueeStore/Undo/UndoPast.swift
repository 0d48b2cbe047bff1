import MarqueeCatalogue
import MarqueeModel

/// The pieces of the catalogue that a commit touched, as they were before it.
struct UndoPast {
    /// Whether the log has all commits, so that a piece that it doesn't name didn't exist.
    let isComplete: Bool
    /// The pieces that the log names; `nil` for one that was removed.
    private var known: [RecordName: CatalogueRecord?] = [:]

    init(isComplete: Bool) { self.isComplete = isComplete }

    /// - Returns: `nil` for a piece of unknown content.
    private subscript(name: RecordName) -> CatalogueRecord?? {
        known[name] ?? (isComplete ? .some(nil) : nil)
    }

    /// - Returns: the names that it touched.
    @discardableResult
    mutating func apply(_ change: Change) -> [RecordName] {
        let name: RecordName
        let record: CatalogueRecord?
        switch change {
        case .put(let id, .bytes(let bytes)): (name, record) = (.typed(id), .typed(id, bytes))
        case .remove(let id): (name, record) = (.typed(id), nil)
        case .chooseEntry(let pool, let entry):
            (name, record) = (.choice(pool: pool), .chosenEntry(pool: pool, entry: entry))
        case .chooseRecord(let pool, let id):
            (name, record) = (.choice(pool: pool), .chosenRecord(pool: pool, record: id))
        case .removeChoice(let pool): (name, record) = (.choice(pool: pool), nil)
        case .page(let page): (name, record) = (.page(page.id), .page(page))
        case .removePage(let id): (name, record) = (.page(id), nil)
        case .programme(let text): (name, record) = (.programme, .programme(text))
        case .types(let document): (name, record) = (.types, .types(document))
        case .list(let list): (name, record) = (.list(list.name), .list(list))
        case .show(let list, let edition):
            (name, record) = (.shownEdition(list: list), .shownEdition(list: list, edition: edition))
        case .listItem(let edit):
            // If the list isn't known, what is left of it isn't known either.
            guard let before = self[.list(edit.list)] else { return [.list(edit.list)] }
            var list = RecordList(edit.list, entries: [])
            if case .list(let stored)? = before { list = stored }
            list.apply(edit)
            (name, record) = (.list(edit.list), .list(list))
        case .removeList(let removed): return remove(removed)
        // The log has neither of the first two. The time and the positions of sources aren't undone: a source continues
        // from its position.
        case .put, .merge, .time, .source: return []
        }
        known.updateValue(record, forKey: name)
        return [name]
    }

    /// Removes a list with all its editions, or one edition. A removed edition is no longer shown.
    private mutating func remove(_ list: ListName) -> [RecordName] {
        var names = [RecordName.list(list)]
        if list.edition == nil {
            let editions = known.keys.filter {
                if case .list(let name) = $0 { name.list == list.list && name != list } else { false }
            }
            names += editions.sorted()
        }
        let shown = RecordName.shownEdition(list: list.list)
        if case .shownEdition(_, let edition)?? = known[shown], list.edition == nil || list.edition == edition {
            names.append(shown)
        }
        for name in names { known.updateValue(nil, forKey: name) }
        return names
    }

    /// The changes that restore what a commit changed, in an order in which all of them are allowed.
    ///
    /// - Parameter first: the revision with which the log begins.
    /// - Throws: `Undo.Refusal` if the log doesn't say what was there, or no change can restore it.
    func restoring(_ commit: CatalogueCommit, logBegins first: UInt64) throws(Undo.Refusal) -> [Change] {
        var after = self
        var names: [RecordName] = []
        var seen: Set<RecordName> = []
        for change in commit.changes {
            if case .removeList(let list) = change, list.edition == nil, !isComplete {
                throw Undo.Refusal(
                    reason: "the log begins at revision \(first) and doesn't say which editions \(change.key.words) had"
                )
            }
            if case .removeList(let list) = change, list.edition != nil, after[.shownEdition(list: list.list)] == nil {
                throw Undo.Refusal(
                    reason:
                        "the log begins at revision \(first) and doesn't say which edition of '\(list.list)' was shown")
            }
            names += after.apply(change).filter { seen.insert($0).inserted }
        }
        var restored: [(order: Int, change: Change)] = []
        for name in names {
            guard let old = self[name], let new = after[name] else {
                throw Undo.Refusal(
                    reason:
                        "the log begins at revision \(first) and doesn't say what \(name.words) was before revision "
                        + "\(commit.revision)")
            }
            guard old != new else { continue }
            if let old {
                restored.append((name.order(isRemoved: false), old.change))
            } else if let change = name.removal {
                restored.append((name.order(isRemoved: true), change))
            } else if case .shownEdition(let list, let edition)? = new,
                self[.list(ListName(list, edition: edition))] == .some(nil)
            {
                // The commit created the edition; once that is removed, it isn't shown either.
                continue
            } else {
                throw Undo.Refusal(
                    reason:
                        "there was nothing before revision \(commit.revision) in place of \(name.words), which can be "
                        + "replaced but not removed")
            }
        }
        return restored.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
            .map(\.element.change)
    }
}

extension RecordName {
    /// The change that removes it; `nil` if no change can.
    fileprivate var removal: Change? {
        switch self {
        case .typed(let id): .remove(id)
        case .choice(let pool): .removeChoice(pool: pool)
        case .page(let id): .removePage(id)
        case .list(let name): .removeList(name)
        case .programme, .types, .listEntry, .shownEdition, .time, .source: nil
        }
    }

    /// Its turn in the order of restoring: a list before whatever shows it; types after removed records and before
    /// restored ones.
    fileprivate func order(isRemoved: Bool) -> Int {
        switch self {
        case .typed: isRemoved ? 0 : 2
        case .types: 1
        case .list, .listEntry: isRemoved ? 5 : 3
        case .shownEdition: 4
        case .choice, .page: 6
        case .programme, .time, .source: 7
        }
    }

    /// The piece's name in messages.
    fileprivate var words: String {
        switch self {
        case .choice(let pool): CatalogueKey.pool(pool).words
        case .page(let id): CatalogueKey.page(id).words
        case .programme: CatalogueKey.programme.words
        case .types: CatalogueKey.types.words
        case .typed(let id): CatalogueKey.typed(id).words
        case .list(let name), .listEntry(let name, _): "the list '\(name)'"
        case .shownEdition(let list): "the edition that \(CatalogueKey.list(list).words) shows"
        case .time: CatalogueKey.time.words
        case .source(let name): CatalogueKey.source(name).words
        }
    }
}
