import MarqueeModel

/// All records of a type, each in one block, with the values that orders compare beside it.
///
/// A record keeps its slot, a small number, for as long as it exists; free slots are reused.
struct RecordTable: Sendable {
    /// The ordinals of one order's keys, by slot.
    private struct Column {
        let sort: RecordSort
        let isDecidedByOrdinal: Bool
        var ordinals: [UInt64]
    }

    private var slots: [String: UInt32] = [:]
    /// Free slots keep their last value.
    private var ids: [String] = []
    private var contents: [[UInt8]] = []
    private var columns: [Column] = []
    private var free: [UInt32] = []

    var count: Int { slots.count }

    func slot(of id: String) -> UInt32? { slots[id] }

    subscript(id: String) -> [UInt8]? { slots[id].map { contents[Int($0)] } }

    func id(at slot: UInt32) -> String { ids[Int(slot)] }

    func bytes(at slot: UInt32) -> [UInt8] { contents[Int(slot)] }

    // MARK: - Orders

    /// Whether the record in a slot comes before a key.
    ///
    /// - Parameters:
    ///   - column: the column of the key's order; `nil` for the order by id.
    ///   - reads: grows by the records read.
    func precedes(_ slot: UInt32, _ key: RecordKey, column: Int?, _ reads: inout UInt64) -> Bool {
        guard let column else { return ids[Int(slot)] < key.id }
        // Most comparisons end here.
        let own = columns[column].ordinals[Int(slot)]
        if own != key.key.ordinal { return own < key.key.ordinal }
        // A missing value shares the largest ordinal.
        if columns[column].isDecidedByOrdinal, own != .max { return ids[Int(slot)] < key.id }
        reads += 1
        return columns[column].sort.key(of: contents[Int(slot)], id: ids[Int(slot)]) < key
    }

    /// The column with the ordinals of an order.
    func column(for sort: RecordSort?) -> Int? { sort.flatMap { sort in columns.firstIndex { $0.sort == sort } } }

    /// The keys of a record in the orders of all columns.
    func keys(of bytes: [UInt8]) -> [FieldKey] { columns.map { $0.sort.key(of: bytes) } }

    /// Keeps the ordinals of these orders at most.
    mutating func keepColumns(_ sorts: Set<RecordSort>) { columns.removeAll { !sorts.contains($0.sort) } }

    /// All slots in use in an order, for which there is a column from now on. Reads each record once.
    mutating func sort(by sort: RecordSort?) -> [UInt32] {
        guard let sort else { return slots.values.sorted { ids[Int($0)] < ids[Int($1)] } }
        var keys: [(key: FieldKey, slot: UInt32)] = []
        keys.reserveCapacity(slots.count)
        var ordinals = [UInt64](repeating: 0, count: contents.count)
        for slot in slots.values {
            let key = sort.key(of: contents[Int(slot)])
            ordinals[Int(slot)] = key.ordinal
            keys.append((key, slot))
        }
        if column(for: sort) == nil {
            columns.append(
                Column(sort: sort, isDecidedByOrdinal: sort.field.isDecidedByOrdinal, ordinals: ordinals))
        }
        keys.sort { $0.key == $1.key ? ids[Int($0.slot)] < ids[Int($1.slot)] : $0.key < $1.key }
        return keys.map(\.slot)
    }

    // MARK: - Changing

    /// Adds a record or replaces the one with its id.
    ///
    /// - Parameter keys: as `keys(of:)` returns them.
    /// - Returns: its slot.
    mutating func set(_ id: String, _ bytes: [UInt8], keys: [FieldKey]) -> UInt32 {
        let slot = slots[id] ?? free.popLast() ?? UInt32(contents.count)
        if Int(slot) == contents.count {
            ids.append(id)
            contents.append(bytes)
            for index in columns.indices { columns[index].ordinals.append(keys[index].ordinal) }
        } else {
            ids[Int(slot)] = id
            contents[Int(slot)] = bytes
            for index in columns.indices { columns[index].ordinals[Int(slot)] = keys[index].ordinal }
        }
        slots[id] = slot
        return slot
    }

    mutating func remove(_ id: String) {
        guard let slot = slots.removeValue(forKey: id) else { return }
        free.append(slot)
    }
}
