import MarqueeCatalogue
import MarqueeModel

/// The catalogue at one revision, computed from the changes alone, in the simplest way.
struct CatalogueState {
    /// As publishers write it, and as the log holds it.
    private struct Record {
        var fields: [String: JSONValue]
        var bytes: [UInt8]
    }

    private var records: [RecordID: Record] = [:]
    private var lists: [ListName: [ListEntry]] = [:]
    private var editions: [String: String] = [:]
    private(set) var choices: [String: RecordID] = [:]
    private(set) var programme: String?
    private var types: TypesDocument?
    /// The newest moment.
    private(set) var now: Moment?

    /// 2014-01-01, in days since 1970.
    static let firstDay: Int64 = 16_071

    /// The current day in the form that records have it, and the one before; empty before there is a time.
    var days: [String] {
        guard let now else { return [] }
        let day = now.milliseconds / 86_400_000 - Self.firstDay + 1
        return [day - 1, day].map { "2014-01-0\($0)" }
    }

    /// Milliseconds since the beginning of the first day; `nil` before there is a time.
    var timeOfFirstDay: Int64? { now.map { $0.milliseconds - Self.firstDay * 86_400_000 } }

    mutating func apply(_ change: Change) {
        switch change {
        case .put(let id, .json(.object(let members))): put(id, [:], members)
        case .merge(let id, .json(.object(let members)), let clear, _):
            put(id, (records[id]?.fields ?? [:]).filter { !clear.contains($0.key) }, members)
        case .remove(let id): records[id] = nil
        case .list(let list): lists[list.name] = list.entries
        case .listItem(let change): edit(change)
        case .show(let list, let edition): editions[list] = edition
        case .chooseRecord(let pool, let record): choices[pool] = record
        case .programme(let text): programme = text
        case .types(let document): types = document
        case .time(let moment): now = max(now ?? moment, moment)
        default: preconditionFailure("no schedule makes the change \(change)")
        }
    }

    private mutating func put(_ id: RecordID, _ fields: [String: JSONValue], _ members: [JSONValue.Member]) {
        var fields = fields
        for member in members { fields[member.name] = member.value }
        records[id] = Record(fields: fields, bytes: Types.bytes(of: id.type, fields))
    }

    private mutating func edit(_ edit: EntryEdit) {
        var entries = lists[edit.list] ?? []
        let place = entries.firstIndex { $0.key == edit.key }
        let known = place.map { entries.remove(at: $0) }
        if var entry = edit.entry {
            entry.record = entry.record ?? known?.record
            entry.place = entry.place ?? known?.place
            entries.insert(entry, at: min(edit.rank.map { $0 - 1 } ?? place ?? .max, entries.count))
        }
        lists[edit.list] = entries
    }

    /// A record as publishers write it.
    subscript(type: String, id: String) -> [String: JSONValue]? { records[RecordID(type: type, id: id)]?.fields }

    func ids(of type: String) -> [String] { records.keys.filter { $0.type == type }.map(\.id).sorted() }

    /// The entries of the edition that a list shows.
    func shown(of list: String) -> [ListEntry] {
        editions[list].flatMap { lists[ListName(list, edition: $0)] } ?? []
    }

    /// Changes that build this catalogue from scratch, except for the programme.
    var changes: [Change] {
        var changes: [Change] = []
        if let types { changes.append(.types(types)) }
        if let now { changes.append(.time(now)) }
        for (id, record) in records.sorted(by: { $0.key.subject.name < $1.key.subject.name }) {
            changes.append(.put(id, .bytes(record.bytes)))
        }
        for (name, entries) in lists.sorted(by: { $0.key.description < $1.key.description }) {
            changes.append(.list(RecordList(name, entries: entries.map(Types.stored))))
        }
        for (list, edition) in editions.sorted(by: { $0.key < $1.key }) {
            changes.append(.show(list: list, edition: edition))
        }
        for (pool, record) in choices.sorted(by: { $0.key < $1.key }) {
            changes.append(.chooseRecord(pool: pool, record: record))
        }
        return changes
    }
}
