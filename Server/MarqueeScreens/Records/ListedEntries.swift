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
    /// The slots of the entries that sections can show, counted for each rule in use.
    private var counted: [EntryRule: RankedList] = [:]
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

    /// - Parameter isThere: whether a record exists.
    /// - Returns: the entry's move; `nil` if nothing changed.
    mutating func apply(_ edit: EntryEdit, isThere: (RecordID) -> Bool) -> ListMove? {
        let left = leaveOrders(edit.key)
        guard var move = moved(by: edit) else { return nil }
        let isShowable = edit.entry?.record.map(isThere) ?? true
        let entered = isShowable ? enterOrders(edit.key) : [:]
        move.orders = Set(left.keys).union(entered.keys).map { rule in
            EntryMove(
                order: EntryOrder(list: edit.list, rule: rule), key: edit.key, from: left[rule], to: entered[rule])
        }
        return move
    }

    private mutating func moved(by edit: EntryEdit) -> ListMove? {
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

    private mutating func place(of number: Int64) -> Int { place(of: number, in: order) }

    private mutating func place(of number: Int64, in order: RankedList) -> Int {
        var compared: UInt64 = 0
        defer { comparisons += compared }
        return order.rank { slot in
            compared += 1
            return numbers[Int(slot)] < number
        }
    }
}

/// Which of its entries a section can show, if their records exist.
struct EntryRule: Hashable, Sendable {
    /// The types of records that have a body; `RecordPresentation.placeBody` for entries without a record.
    var types: Set<String>
    /// Those of them whose body is a copy of the entry's place.
    var placed: Set<String>

    func shows(_ entry: ListEntry) -> Bool {
        let type = entry.record?.type ?? RecordPresentation.placeBody
        return types.contains(type) && (entry.placeBytes != nil || !placed.contains(type))
    }
}

/// The entries of a list that meet a rule and whose records exist, in the list's order.
struct EntryOrder: Hashable, Sendable {
    var list: ListName
    var rule: EntryRule
}

/// The effect of a change on one entry in a counted order.
struct EntryMove: Sendable {
    var order: EntryOrder
    var key: String
    /// The rank before; `nil` if the entry was not in the order.
    var from: Int?
    /// The rank now; `nil` if the entry is no longer in the order.
    var to: Int?
}

/// Counted orders: which entry has a rank among those that a section can show, and which rank an entry has.
extension ListedEntries {
    var rules: Set<EntryRule> { Set(counted.keys) }

    /// The records of all entries.
    var records: Set<RecordID> { Set(order.prefix(order.count).compactMap { entries[Int($0)].record }) }

    subscript(key: String) -> ListEntry? { slots[key].map { entries[Int($0)] } }

    mutating func count(by rule: EntryRule, isThere: (RecordID) -> Bool) {
        let slots = order.prefix(order.count).filter { slot in
            let entry = entries[Int(slot)]
            return rule.shows(entry) && (entry.record.map(isThere) ?? true)
        }
        counted[rule] = RankedList(slots)
    }

    mutating func stopCounting(by rule: EntryRule) { counted[rule] = nil }

    func count(by rule: EntryRule) -> Int { counted[rule]?.count ?? 0 }

    /// - Parameter ranks: within the order.
    func keys(at ranks: Range<Int>, by rule: EntryRule) -> [String] {
        (counted[rule]?[ranks] ?? []).map { entries[Int($0)].key }
    }

    /// - Returns: `nil` if the entry isn't in the order.
    mutating func rank(of key: String, by rule: EntryRule) -> Int? {
        guard let order = counted[rule], let slot = slots[key] else { return nil }
        let rank = place(of: numbers[Int(slot)], in: order)
        return rank < order.count && order[rank] == slot ? rank : nil
    }

    /// Removes an entry from the counted orders.
    ///
    /// - Returns: the rank that it had in each.
    fileprivate mutating func leaveOrders(_ key: String) -> [EntryRule: Int] {
        var left: [EntryRule: Int] = [:]
        // Iterating over the dictionary itself would make each change copy an order.
        for rule in Array(counted.keys) {
            guard let rank = rank(of: key, by: rule) else { continue }
            counted[rule]?.remove(at: rank)
            left[rule] = rank
        }
        return left
    }

    /// Adds an entry whose record exists to the counted orders that it isn't in.
    ///
    /// - Returns: the rank that it now has in each.
    fileprivate mutating func enterOrders(_ key: String) -> [EntryRule: Int] {
        var entered: [EntryRule: Int] = [:]
        guard let slot = slots[key] else { return [:] }
        for rule in Array(counted.keys) where rule.shows(entries[Int(slot)]) {
            let rank = place(of: numbers[Int(slot)], in: counted[rule] ?? RankedList())
            counted[rule]?.insert(slot, at: rank)
            entered[rule] = rank
        }
        return entered
    }

    /// Follows a change of an entry's record.
    mutating func follow(_ key: String, of list: ListName, wasThere: Bool, isThere: Bool) -> [EntryMove] {
        let before = wasThere ? ranks(of: key) : [:]
        if wasThere, !isThere { _ = leaveOrders(key) }
        let after = isThere ? (wasThere ? before : enterOrders(key)) : [:]
        return Set(before.keys).union(after.keys).map { rule in
            EntryMove(order: EntryOrder(list: list, rule: rule), key: key, from: before[rule], to: after[rule])
        }
    }

    private mutating func ranks(of key: String) -> [EntryRule: Int] {
        var ranks: [EntryRule: Int] = [:]
        for rule in Array(counted.keys) { ranks[rule] = rank(of: key, by: rule) }
        return ranks
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
    /// Its moves in counted orders.
    var orders: [EntryMove] = []

    /// The first rank that may now hold another entry, or the same one with new content.
    var firstRank: Int { min(from ?? .max, to ?? .max) }
}
