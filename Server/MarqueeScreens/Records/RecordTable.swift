import MarqueeModel

/// All records of a type, each in one block, and columns with the values compared by orders.
///
/// A record keeps its slot, a small number, for as long as it exists; free slots are reused.
struct RecordTable: Sendable {
    /// The values that decide most comparisons of the keys of one part of an order, by slot.
    private struct Column {
        let part: RecordSort.Part
        let decision: FieldKey.Decision
        var ordinals: [UInt64]
        /// Empty if the ordinals decide. Without them, records whose titles begin alike would be read for every
        /// comparison.
        var minors: [UInt64]

        init(_ column: RecordPass.Column) {
            part = column.part
            decision = column.part.field.decision
            ordinals = column.ordinals
            minors = column.minors
        }

        mutating func append(_ key: FieldKey) {
            ordinals.append(key.ordinal)
            if decision != .ordinal { minors.append(key.minor) }
        }

        mutating func replace(at slot: Int, by key: FieldKey) {
            ordinals[slot] = key.ordinal
            if decision != .ordinal { minors[slot] = key.minor }
        }
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

    /// The number of slots, free ones included.
    var capacity: Int { contents.count }

    /// The slots of all records, in no particular order.
    var slotsInUse: [UInt32] { Array(slots.values) }

    /// Calls `body` with all slots, ascending, and their records; `nil` for a free slot.
    func forEachSlot(_ body: (Int, [UInt8]?) -> Void) {
        let free = Set(free)
        for slot in contents.indices { body(slot, free.contains(UInt32(slot)) ? nil : contents[slot]) }
    }

    // MARK: - Orders

    /// Whether the record in a slot comes before a key.
    ///
    /// - Parameters:
    ///   - columns: those of the parts of the key's order; none for the order by id.
    ///   - reads: increased by the number of records read.
    func precedes(_ slot: UInt32, _ key: RecordKey, columns places: [Int], _ reads: inout UInt64) -> Bool {
        for (part, column) in places.enumerated() {
            let wanted = key[part]
            // Most comparisons end here.
            let own = columns[column].ordinals[Int(slot)]
            if own != wanted.ordinal { return own < wanted.ordinal }
            let decision = columns[column].decision
            if decision != .ordinal {
                let own = columns[column].minors[Int(slot)]
                if own != wanted.minor { return own < wanted.minor }
            }
            // A missing value shares the largest.
            if decision != .whole, own != .max { continue }
            reads += 1
            let whole = columns[column].part.key(of: contents[Int(slot)])
            if whole != wanted { return whole < wanted }
        }
        return ids[Int(slot)] < key.id
    }

    private func column(for part: RecordSort.Part) -> Int? { columns.firstIndex { $0.part == part } }

    /// The columns of an order's parts.
    func columns(for sort: RecordSort?) -> [Int] { sort?.parts.compactMap { column(for: $0) } ?? [] }

    /// The keys of a record in all columns.
    func keys(of bytes: [UInt8]) -> [FieldKey] { columns.map { $0.part.key(of: bytes) } }

    /// Drops all other columns.
    mutating func keepColumns(_ parts: Set<RecordSort.Part>) { columns.removeAll { !parts.contains($0.part) } }

    /// Adds a column unless the table already has it.
    mutating func addColumn(_ column: RecordPass.Column) {
        guard self.column(for: column.part) == nil else { return }
        columns.append(Column(column))
    }

    // MARK: - Changing

    /// Adds a record or replaces the one with its id.
    ///
    /// - Parameter keys: the record's keys, as returned by `keys(of:)`.
    /// - Returns: its slot.
    mutating func set(_ id: String, _ bytes: [UInt8], keys: [FieldKey]) -> UInt32 {
        let slot = slots[id] ?? free.popLast() ?? UInt32(contents.count)
        if Int(slot) == contents.count {
            ids.append(id)
            contents.append(bytes)
            for index in columns.indices { columns[index].append(keys[index]) }
        } else {
            ids[Int(slot)] = id
            contents[Int(slot)] = bytes
            for index in columns.indices { columns[index].replace(at: Int(slot), by: keys[index]) }
        }
        slots[id] = slot
        return slot
    }

    mutating func remove(_ id: String) {
        guard let slot = slots.removeValue(forKey: id) else { return }
        free.append(slot)
    }
}
