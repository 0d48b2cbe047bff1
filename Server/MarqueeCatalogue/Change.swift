package import MarqueeModel

/// One change to the catalogue. A commit is a list of them.
///
/// Its JSON form, also used by `publish` and the stores' logs, is an object with one key, the change's name:
/// `{"remove": {"type": "episode", "id": "e1"}}`. Removing something that isn't there changes nothing, but its type or
/// list must be declared.
package enum Change: Hashable, Sendable {
    /// Chooses the entry to show, by its key, for sections with a list as their pool.
    case chooseEntry(pool: String, entry: String)
    /// Chooses the record to show, for sections with a pool of records.
    case chooseRecord(pool: String, record: RecordID)
    /// Clears the choice for a pool.
    case removeChoice(pool: String)
    /// Stores a page: its sections, and the list that each of them shows.
    case page(Page)
    case removePage(String)
    /// Replaces the programme with the text of a programme file.
    case programme(String)
    /// Replaces the types of records.
    case types(TypesDocument)
    /// Stores a record, replacing it whole.
    case put(RecordID, RecordContent)
    /// Changes the fields of a record that are present in `content`, and removes those named by `clear`; the rest stay.
    /// If the record doesn't exist it is created or, if `creates` is `false`, the change is refused.
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
    /// Sets the catalogue's time. Servers commit it when it affects what screens show; publications can't contain it.
    case time(Moment)
    /// Moves a source's position, together with the changes of a publication that names its source. Documents from
    /// outside can't contain it.
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
