import MarqueeTypes

/// The values of a facet, the most frequent first. Values are found by rank, and moved with O(log n) comparisons.
struct FacetTally: Sendable {
    private var slots: [FieldValue: UInt32] = [:]
    /// Free slots keep their last key.
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

    /// Sets the number of records with a value. A value without records is removed.
    ///
    /// - Parameter comparisons: increased by the number of keys compared.
    /// - Returns: the value's move; `nil` if the count didn't change.
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

/// A sort key of a facet's value; smaller keys come first.
private struct FacetKey: Comparable, Sendable {
    let value: FieldValue
    let count: Int
    /// Breaks ties between equal counts, ignoring case.
    private let key: FieldKey
    /// Breaks ties between equal keys. No two values of a field have the same text.
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

/// The effect of one record's change on one value of a facet.
struct FacetMove: Sendable {
    var family: RecordFamily
    var value: FieldValue
    /// The previous rank, from 0; `nil` if no record had the value.
    var from: Int?
    /// The new rank; `nil` if no record has the value any more.
    var to: Int?

    /// The first rank that may now hold another value, or the same one with another count.
    var firstRank: Int { min(from ?? .max, to ?? .max) }
}
