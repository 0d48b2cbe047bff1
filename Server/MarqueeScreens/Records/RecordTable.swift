import MarqueeModel

/// All records of a type, each in one block, with the values that orders compare beside it.
///
/// A record keeps its slot, a small number, for as long as it exists; free slots are reused.
struct RecordTable: Sendable {
    /// The ordinals of one order's keys, by slot.
    private struct Column {
        var sort: RecordSort
        var ordinals: [UInt64]
    }

    private var slots: [String: UInt32] = [:]
    /// Free slots keep their last value.
    private var ids: [String] = []
    private var contents: [[UInt8]] = []
    private var columns: [Column] = []
    private var free: [UInt32] = []

    var count: Int { slots.count }

    /// Slots in use, in no particular order.
    var slotsInUse: some Collection<UInt32> { slots.values }

    func slot(of id: String) -> UInt32? { slots[id] }

    subscript(id: String) -> [UInt8]? { slots[id].map { contents[Int($0)] } }

    func id(at slot: UInt32) -> String { ids[Int(slot)] }

    func bytes(at slot: UInt32) -> [UInt8] { contents[Int(slot)] }

    // MARK: - Comparing

    /// Whether the record in a slot comes before a key.
    ///
    /// - Parameters:
    ///   - ordinal: the key's ordinal.
    ///   - column: the column of the key's order; `nil` for the order by id.
    func precedes(_ slot: UInt32, _ key: RecordKey, ordinal: UInt64, column: Int?) -> Bool {
        guard let column else { return ids[Int(slot)] < key.id }
        // Most comparisons end here.
        let own = columns[column].ordinals[Int(slot)]
        if own != ordinal { return own < ordinal }
        return columns[column].sort.key(of: contents[Int(slot)], id: ids[Int(slot)]) < key
    }

    /// The column with the ordinals of an order.
    func column(for sort: RecordSort?) -> Int? { sort.flatMap { sort in columns.firstIndex { $0.sort == sort } } }

    /// Keeps the ordinals of these orders and no others. Reads each record once for the new ones.
    mutating func keepColumns(_ sorts: Set<RecordSort>) {
        columns.removeAll { !sorts.contains($0.sort) }
        let missing = sorts.filter { column(for: $0) == nil }
        for sort in missing { columns.append(Column(sort: sort, ordinals: contents.map { sort.ordinal(of: $0) })) }
    }

    // MARK: - Changing

    /// Adds a record or replaces the one with its id.
    ///
    /// - Returns: its slot.
    mutating func set(_ id: String, _ bytes: [UInt8]) -> UInt32 {
        let slot = slots[id] ?? free.popLast() ?? UInt32(contents.count)
        if Int(slot) == contents.count {
            ids.append(id)
            contents.append(bytes)
            for index in columns.indices { columns[index].ordinals.append(columns[index].sort.ordinal(of: bytes)) }
        } else {
            ids[Int(slot)] = id
            contents[Int(slot)] = bytes
            for index in columns.indices { columns[index].ordinals[Int(slot)] = columns[index].sort.ordinal(of: bytes) }
        }
        slots[id] = slot
        return slot
    }

    mutating func remove(_ id: String) {
        guard let slot = slots.removeValue(forKey: id) else { return }
        free.append(slot)
    }
}

extension RecordSort {
    /// The part of a record's key that a table keeps.
    fileprivate func ordinal(of bytes: [UInt8]) -> UInt64 { key(of: bytes, id: "").key.ordinal }
}
