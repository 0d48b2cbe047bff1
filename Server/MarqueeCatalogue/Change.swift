package import MarqueeModel

/// One change to the catalogue. A commit is a list of them.
///
/// Its JSON form is an object with one key, the change's name, which is also what `publish` and the stores' logs
/// contain: `{"remove": {"type": "episode", "id": "e1"}}`. Removing what isn't there changes nothing; its type or list
/// has to be declared.
package enum Change: Hashable, Sendable {
    /// Chooses the entry, by its key, shown by a section whose pool is a list.
    case chooseEntry(pool: String, entry: String)
    /// Chooses the record shown by a section with a pool of records.
    case chooseRecord(pool: String, record: RecordID)
    /// Clears the choice for a pool.
    case removeChoice(pool: String)
    /// Stores a list of sections, each with its list.
    case page(Page)
    case removePage(String)
    /// Replaces the programme with the text of a programme file.
    case programme(String)
    /// Replaces the types of records.
    case types(TypesDocument)
    /// Puts a record, whole.
    case put(RecordID, RecordContent)
    /// Changes the fields of a record that are present in `content`, and removes those named by `clear`; the rest
    /// stays. If the record isn't there it is created, or the change is refused unless it `creates`.
    case merge(RecordID, RecordContent, clear: [String], creates: Bool = true)
    case remove(RecordID)
    /// Stores a list, or an edition of one, whole. Storing an edition doesn't show it.
    case list(RecordList)
    /// Puts, changes, moves or removes one entry of a list.
    case listItem(EntryEdit)
    /// Selects the edition of a list that is in force.
    case show(list: String, edition: String)
    /// Removes an edition of a list or, if none is named, the list with all its editions.
    case removeList(ListName)
    /// Makes a moment the catalogue's time. Servers commit it when it decides about what screens show; publications
    /// can't.
    case time(Moment)
    /// Moves a source. It comes with the publications that say which source they are of; no document has it.
    case source(SourcePosition)
}

/// Names a piece of the catalogue that a commit touched.
package enum CatalogueKey: Hashable, Sendable {
    case pool(String)
    case page(String)
    case programme
    case types
    /// A record of one of the operator's types.
    case typed(RecordID)
    /// A list with its editions.
    case list(String)
    case time
    case source(String)
}

extension Change {
    /// The piece of the catalogue that the change touches.
    package var key: CatalogueKey {
        switch self {
        case .chooseEntry(let pool, _), .chooseRecord(let pool, _), .removeChoice(let pool): .pool(pool)
        case .page(let page): .page(page.id)
        case .removePage(let id): .page(id)
        case .programme: .programme
        case .types: .types
        case .put(let id, _), .merge(let id, _, _, _), .remove(let id): .typed(id)
        case .list(let list): .list(list.name.list)
        case .listItem(let edit): .list(edit.list.list)
        case .show(let list, _): .list(list)
        case .removeList(let name): .list(name.list)
        case .time: .time
        case .source(let position): .source(position.source)
        }
    }
}
