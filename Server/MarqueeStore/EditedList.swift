import MarqueeCatalogue

/// A list that a commit both writes whole and edits. The first edit builds an index; after that, an edit compares no
/// keys and moves four bytes for each entry behind it.
struct EditedList {
    /// The list, while nothing has edited it.
    private var plain: RecordList?
    private let name: ListName
    /// The entries by slot; those that were removed keep theirs.
    private var entries: [ListEntry] = []
    private var slots: [String: UInt32] = [:]
    /// The slots in the order of their ranks.
    private var order: [UInt32] = []

    init(_ list: RecordList) {
        plain = list
        name = list.name
    }

    var list: RecordList { plain ?? RecordList(name, entries: order.map { entries[Int($0)] }) }

    var count: Int { plain?.entries.count ?? order.count }

    /// The entry with a key. Fast once the list is indexed.
    subscript(key: String) -> ListEntry? {
        if let plain { return plain.entries.first { $0.key == key } }
        return slots[key].map { entries[Int($0)] }
    }

    /// The key at a rank, from 1; `nil` beyond the end.
    func key(at rank: Int) -> String? {
        if let plain { return plain.entries.indices.contains(rank - 1) ? plain.entries[rank - 1].key : nil }
        return order.indices.contains(rank - 1) ? entries[Int(order[rank - 1])].key : nil
    }

    /// Builds the index, which makes lookups and edits fast.
    mutating func index() {
        guard let list = plain else { return }
        plain = nil
        entries = list.entries
        order = entries.indices.map { UInt32($0) }
        slots = Dictionary(zip(entries.lazy.map(\.key), order), uniquingKeysWith: { first, _ in first })
    }

    mutating func apply(_ edit: EntryEdit) {
        index()
        let slot = slots[edit.key]
        if let slot, edit.rank == nil, let entry = edit.entry {
            entries[Int(slot)] = entry
            return
        }
        if let slot, let place = order.firstIndex(of: slot) {
            order.remove(at: place)
            slots[edit.key] = nil
        }
        guard let entry = edit.entry else { return }
        let place = slot ?? UInt32(entries.count)
        if slot == nil { entries.append(entry) } else { entries[Int(place)] = entry }
        slots[edit.key] = place
        order.insert(place, at: max(0, min((edit.rank ?? .max) - 1, order.count)))
    }
}

extension RecordList {
    /// The list after some edits, applied in order.
    func applying(_ edits: [EntryEdit]) -> RecordList {
        var edited = EditedList(self)
        for edit in edits { edited.apply(edit) }
        return edited.list
    }
}
