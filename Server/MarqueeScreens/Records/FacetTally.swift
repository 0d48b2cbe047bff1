import MarqueeTypes

/// The values of a facet, those that most records have first: found by rank, and moved by O(log n) comparisons.
struct FacetTally: Sendable {
    private var slots: [FieldValue: UInt32] = [:]
    /// Those of free slots hold what was there last.
    private var keys: [FacetKey] = []
    private var free: [UInt32] = []
    private var order = RankedList()

    /// - Parameter lists: the records of each value.
    init(of lists: [FieldValue?: RankedList]) {
        keys = lists.compactMap { value, list in value.map { FacetKey(value: $0, count: list.count) } }.sorted()
        for (slot, key) in keys.enumerated() { slots[key.value] = UInt32(slot) }
        order = RankedList(keys.indices.map { UInt32($0) })
    }

    /// The first values, in order.
    func prefix(_ limit: Int) -> [FieldValue] { order.prefix(limit).map { keys[Int($0)].value } }

    /// Sets how many records have a value; one that none has is gone.
    ///
    /// - Parameter comparisons: grows by the keys compared.
    /// - Returns: what became of the value; `nil` where nothing changed.
    mutating func set(
        _ value: FieldValue, _ count: Int, of family: RecordFamily, _ comparisons: inout UInt64
    ) -> FacetMove? {
        let slot = slots[value]
        guard (slot.map { keys[Int($0)].count } ?? 0) != count else { return nil }
        var move = FacetMove(family: family, value: value)
        if let slot {
            let rank = rank(of: keys[Int(slot)], &comparisons)
            move.from = rank
            order.remove(at: rank)
            slots[value] = nil
            free.append(slot)
        }
        guard count > 0 else { return move }
        let key = FacetKey(value: value, count: count)
        let rank = rank(of: key, &comparisons)
        let target = free.popLast() ?? UInt32(keys.count)
        if Int(target) == keys.count { keys.append(key) } else { keys[Int(target)] = key }
        slots[value] = target
        order.insert(target, at: rank)
        move.to = rank
        return move
    }

    private func rank(of key: FacetKey, _ comparisons: inout UInt64) -> Int {
        order.rank { slot in
            comparisons += 1
            return keys[Int(slot)] < key
        }
    }
}

/// A place among the values of a facet; smaller keys stand first.
private struct FacetKey: Comparable, Sendable {
    let value: FieldValue
    let count: Int
    /// What decides between equal counts, without regard to case.
    private let key: FieldKey
    /// What decides between equal keys: no two values of a field have the same.
    private let text: String

    init(value: FieldValue, count: Int) {
        self.value = value
        self.count = count
        key = FieldKey(value)
        text = value.text ?? ""
    }

    static func < (a: FacetKey, b: FacetKey) -> Bool {
        if a.count != b.count { return a.count > b.count }
        return a.key == b.key ? a.text < b.text : a.key < b.key
    }
}

/// What a change of one record did to one value of a facet.
struct FacetMove: Sendable {
    var family: RecordFamily
    var value: FieldValue
    /// The rank before, from 0; `nil` for a value that no record had.
    var from: Int?
    /// `nil` for a value that no record has any more.
    var to: Int?

    /// The first rank at which another value may stand now, or the same with another count.
    var firstRank: Int { min(from ?? .max, to ?? .max) }
}
