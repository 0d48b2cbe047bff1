import MarqueeCatalogue
import MarqueeModel

/// The entries of one list. An edit costs O(log n) comparisons, and any prefix can be read.
struct ListedEntries: Sendable {
    private var slots: [String: UInt32] = [:]
    /// Free slots keep their last entry.
    private var entries: [ListEntry] = []
    /// A number for each slot, ascending by rank.
    private var numbers: [Int64] = []
    private var free: [UInt32] = []
    private var order = RankedList()
    /// Numbers compared since the start, a measure of work.
    private(set) var comparisons: UInt64 = 0

    init(_ entries: [ListEntry] = []) {
        self.entries = entries
        numbers = entries.indices.map { PlaceNumber.whole(rank: $0) }
        for (slot, entry) in entries.enumerated() { slots[entry.key] = UInt32(slot) }
        order = RankedList(entries.indices.map { UInt32($0) })
    }

    var count: Int { order.count }

    /// The first entries, in order.
    func prefix(_ limit: Int) -> [ListEntry] { order.prefix(limit).map { entries[Int($0)] } }

    /// - Returns: the entry's move; `nil` if nothing changed.
    mutating func apply(_ edit: EntryEdit) -> ListMove? {
        let slot = slots[edit.key]
        let from = slot.map { place(of: numbers[Int($0)]) }
        var move = ListMove(list: edit.list, old: slot.map { entries[Int($0)] }, new: edit.entry, from: from, to: nil)
        if let from, let slot, edit.rank == nil, let entry = edit.entry {
            entries[Int(slot)] = entry
            move.to = from
            return move
        }
        if let from, let slot {
            order.remove(at: from)
            slots[edit.key] = nil
            free.append(slot)
        }
        guard let entry = edit.entry else { return from == nil ? nil : move }
        let rank = min((edit.rank ?? Int.max) - 1, order.count)
        insert(entry, at: rank)
        move.to = rank
        return move
    }

    private mutating func insert(_ entry: ListEntry, at rank: Int) {
        let before = rank > 0 ? numbers[Int(order[rank - 1])] : nil
        let after = rank < order.count ? numbers[Int(order[rank])] : nil
        let slot = free.popLast() ?? UInt32(entries.count)
        if Int(slot) == entries.count {
            entries.append(entry)
            numbers.append(0)
        } else {
            entries[Int(slot)] = entry
        }
        slots[entry.key] = slot
        order.insert(slot, at: rank)
        if let number = PlaceNumber.between(before, after) {
            numbers[Int(slot)] = number
        } else {
            for (rank, slot) in order.prefix(order.count).enumerated() {
                numbers[Int(slot)] = PlaceNumber.whole(rank: rank)
            }
        }
    }

    private mutating func place(of number: Int64) -> Int {
        var compared: UInt64 = 0
        defer { comparisons += compared }
        return order.rank { slot in
            compared += 1
            return numbers[Int(slot)] < number
        }
    }
}

/// The effect of an edit on a list.
struct ListMove: Sendable {
    var list: ListName
    /// `nil` for a new entry.
    var old: ListEntry?
    /// `nil` for a removed entry.
    var new: ListEntry?
    /// The previous rank, from 0.
    var from: Int?
    /// The new rank.
    var to: Int?

    /// The first rank that may now hold another entry, or the same one with new content.
    var firstRank: Int { min(from ?? .max, to ?? .max) }
}

/// All lists with their editions, and the current edition of each list.
struct ListCatalogue: Sendable {
    private var lists: [String: [String?: ListedEntries]] = [:]
    private var shown: [String: String] = [:]
    /// Comparisons by lists that were replaced.
    private var earlierComparisons: UInt64 = 0

    /// Numbers compared since the start, a measure of work.
    var comparisons: UInt64 {
        lists.values.reduce(earlierComparisons) { $1.values.reduce($0) { $0 + $1.comparisons } }
    }

    /// The entries of a list, or of an edition of it.
    subscript(name: ListName) -> ListedEntries? { lists[name.list]?[name.edition] }

    /// The names of all lists and editions, in any order.
    var names: [ListName] {
        lists.flatMap { list, editions in editions.keys.map { ListName(list, edition: $0) } }
    }

    /// The current edition of a list.
    func shownEdition(of list: String) -> String? { shown[list] }

    /// Applies a change of a list. Other changes have no effect.
    ///
    /// - Returns: the entry's move, if the change edits an entry of an existing list.
    mutating func apply(_ change: Change) -> ListMove? {
        switch change {
        case .list(let list):
            earlierComparisons += self[list.name]?.comparisons ?? 0
            lists[list.name.list, default: [:]][list.name.edition] = ListedEntries(list.entries)
        case .listItem(let edit):
            if lists[edit.list.list]?[edit.list.edition] == nil {
                // The first entry creates the list.
                guard let entry = edit.entry else { return nil }
                lists[edit.list.list, default: [:]][edit.list.edition] = ListedEntries([entry])
                return nil
            }
            return lists[edit.list.list]?[edit.list.edition]?.apply(edit)
        case .show(let list, let edition): shown[list] = edition
        case .removeList(let name):
            if let edition = name.edition {
                let removed = lists[name.list]?.removeValue(forKey: edition)
                earlierComparisons += removed?.comparisons ?? 0
                if shown[name.list] == edition { shown[name.list] = nil }
            } else {
                let removed = lists.removeValue(forKey: name.list)
                earlierComparisons += removed?.values.reduce(0) { $0 + $1.comparisons } ?? 0
                shown[name.list] = nil
            }
        default: break
        }
        return nil
    }
}
