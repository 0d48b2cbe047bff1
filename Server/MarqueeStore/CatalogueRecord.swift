import MarqueeCatalogue
import MarqueeModel

/// The name of one record of the catalogue's state.
enum RecordName: Hashable, Sendable {
    case choice(pool: String)
    case page(String)
    case programme
    case types
    /// A record of one of the operator's types.
    case typed(RecordID)
    /// A list, or an edition of it, with all its entries.
    case list(ListName)
    /// One entry of a list, with its rank.
    case listEntry(ListName, key: String)
    /// The edition of a list that is in force.
    case shownEdition(list: String)
    case time
    case source(String)
}

extension RecordName: Comparable {
    /// Orders names by kind; within a kind, as their table's key does.
    static func < (a: RecordName, b: RecordName) -> Bool {
        // Large commits consist mostly of records; this compares them without taking each name apart.
        if case .typed(let a) = a, case .typed(let b) = b { return a.type == b.type ? a.id < b.id : a.type < b.type }
        return a.sortKey < b.sortKey
    }

    private var sortKey: (kind: Int, String, String, String) {
        switch self {
        case .types: (0, "", "", "")
        case .typed(let id): (1, id.type, id.id, "")
        case .list(let name): (2, name.list, name.edition ?? "", "")
        case .listEntry(let name, let key): (3, name.list, name.edition ?? "", key)
        case .shownEdition(let list): (4, list, "", "")
        case .choice(let pool): (5, pool, "", "")
        case .page(let id): (6, id, "", "")
        case .programme: (7, "", "", "")
        case .time: (8, "", "", "")
        case .source(let name): (9, name, "", "")
        }
    }
}

/// The content of one record. Writing a record equal to the stored one changes nothing.
enum CatalogueRecord: Hashable, Sendable {
    /// An entry chosen from a pool of a list's entries, by its key.
    case chosenEntry(pool: String, entry: String)
    case page(Page)
    case programme(String)
    case types(TypesDocument)
    /// Canonical bytes.
    case typed(RecordID, [UInt8])
    case list(RecordList)
    case listEntry(ListName, ListEntry)
    case shownEdition(list: String, edition: String)
    /// A record chosen from a pool of records.
    case chosenRecord(pool: String, record: RecordID)
    case time(Moment)
    case source(SourcePosition)

    /// The change that creates this record from nothing.
    var change: Change {
        switch self {
        case .chosenEntry(let pool, let entry): .chooseEntry(pool: pool, entry: entry)
        case .page(let page): .page(page)
        case .programme(let text): .programme(text)
        case .types(let types): .types(types)
        case .typed(let id, let bytes): .put(id, .bytes(bytes))
        case .list(let list): .list(list)
        case .listEntry(let list, let entry): .listItem(EntryEdit(list, putting: entry))
        case .shownEdition(let list, let edition): .show(list: list, edition: edition)
        case .chosenRecord(let pool, let record): .chooseRecord(pool: pool, record: record)
        case .time(let moment): .time(moment)
        case .source(let position): .source(position)
        }
    }
}
