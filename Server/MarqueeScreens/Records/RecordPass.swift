import MarqueeTypes

/// Scans the records of a type once to find the members of several families' orders. However many orders there are, a
/// record is read once for each field that decides its position.
struct RecordPass {
    /// The keys of one sort, by slot.
    struct Column {
        let sort: RecordSort
        fileprivate(set) var ordinals: [UInt64]
        /// A missing value shares the largest ordinal.
        fileprivate var isMissing: [Bool]
        /// Empty if the ordinals decide.
        fileprivate var keys: [FieldKey]
    }

    /// The orders that each record belongs to, for all families that differ only in their sort.
    private struct Selection {
        let conditions: [Int]
        let group: Int?
        /// The start of each slot's range in `numbers`, and then the end of the last range.
        var starts = [0]
        /// Numbers of the group's values; 0 without a group.
        var numbers: [UInt32] = []
    }

    /// The values of a field, numbered.
    private struct Group {
        let path: FieldPath
        var values: [FieldValue] = []
        var known: [FieldValue: UInt32] = [:]
        /// The numbers of the current record's values; `nil` until it has been read for this group.
        var current: [UInt32]?
    }

    /// Number of times a record was read.
    private(set) var reads: UInt64 = 0
    private(set) var columns: [Column] = []
    private var conditions: [(condition: RecordCondition, holds: Bool?)] = []
    private var groups: [Group] = []
    private var selections: [Selection] = []
    /// The selection of each family.
    private var places: [RecordFamily: Int] = [:]

    init(over table: RecordTable, for families: some Collection<RecordFamily>) {
        for family in families { add(family, slots: table.capacity) }
        table.forEachSlot { slot, bytes in
            if let bytes { read(bytes, at: slot) }
            for index in selections.indices { selections[index].starts.append(selections[index].numbers.count) }
        }
    }

    private mutating func add(_ family: RecordFamily, slots: Int) {
        if let sort = family.sort, !columns.contains(where: { $0.sort == sort }) {
            let isDecided = sort.field.isDecidedByOrdinal
            columns.append(
                Column(
                    sort: sort, ordinals: [UInt64](repeating: 0, count: slots),
                    isMissing: [Bool](repeating: false, count: slots),
                    keys: isDecided ? [] : [FieldKey](repeating: .same, count: slots)))
        }
        let required = family.conditions.map { condition in
            if let known = conditions.firstIndex(where: { $0.condition == condition }) { return known }
            conditions.append((condition, nil))
            return conditions.count - 1
        }
        let group = family.group.map { path in
            if let known = groups.firstIndex(where: { $0.path == path }) { return known }
            groups.append(Group(path: path))
            return groups.count - 1
        }
        if let known = selections.firstIndex(where: { $0.conditions == required && $0.group == group }) {
            places[family] = known
        } else {
            places[family] = selections.count
            selections.append(Selection(conditions: required, group: group))
        }
    }

    // MARK: - One record

    private mutating func read(_ bytes: [UInt8], at slot: Int) {
        for index in columns.indices {
            let key = columns[index].sort.key(of: bytes)
            columns[index].ordinals[slot] = key.ordinal
            columns[index].isMissing[slot] = key.isMissing
            if !columns[index].keys.isEmpty { columns[index].keys[slot] = key }
        }
        reads += UInt64(columns.count)
        for index in conditions.indices { conditions[index].holds = nil }
        for index in groups.indices { groups[index].current = nil }
        for index in selections.indices where isMet(selections[index].conditions, by: bytes) {
            if let group = selections[index].group {
                selections[index].numbers += numbers(of: group, in: bytes)
            } else {
                selections[index].numbers.append(0)
            }
        }
    }

    private mutating func isMet(_ required: [Int], by bytes: [UInt8]) -> Bool {
        for index in required {
            if conditions[index].holds == nil {
                conditions[index].holds = conditions[index].condition.holds(for: bytes)
                reads += 1
            }
            if conditions[index].holds == false { return false }
        }
        return true
    }

    /// The numbers of a record's values, each once.
    private mutating func numbers(of group: Int, in bytes: [UInt8]) -> [UInt32] {
        if let current = groups[group].current { return current }
        reads += 1
        var numbers: [UInt32] = []
        groups[group].path.forEachValue(in: bytes) { value in
            let number = groups[group].known[value] ?? UInt32(groups[group].values.count)
            if Int(number) == groups[group].values.count {
                groups[group].values.append(value)
                groups[group].known[value] = number
            }
            if !numbers.contains(number) { numbers.append(number) }
        }
        groups[group].current = numbers
        return numbers
    }

    // MARK: - What was found

    /// All slots in use, in the order of one of the families' sorts.
    func slots(of table: RecordTable, by sort: RecordSort?) -> [UInt32] {
        let slots = table.slotsInUse
        guard let column = columns.first(where: { $0.sort == sort }) else {
            return slots.sorted { table.id(at: $0) < table.id(at: $1) }
        }
        return slots.sorted { a, b in
            let (first, second) = (Int(a), Int(b))
            if column.ordinals[first] != column.ordinals[second] {
                return column.ordinals[first] < column.ordinals[second]
            }
            if column.isMissing[first] != column.isMissing[second] { return column.isMissing[second] }
            if !column.keys.isEmpty, column.keys[first] != column.keys[second] {
                return column.keys[first] < column.keys[second]
            }
            return table.id(at: a) < table.id(at: b)
        }
    }

    /// The orders of a family, by value.
    ///
    /// - Parameter slots: all slots in use, in the family's order.
    func lists(of family: RecordFamily, from slots: [UInt32]) -> [FieldValue?: RankedList] {
        guard let place = places[family] else { return [:] }
        let selection = selections[place]
        let values = selection.group.map { groups[$0].values.map(Optional.some) } ?? [nil]
        var members = [[UInt32]](repeating: [], count: values.count)
        for slot in slots {
            for number in selection.numbers[selection.starts[Int(slot)]..<selection.starts[Int(slot) + 1]] {
                members[Int(number)].append(slot)
            }
        }
        var lists: [FieldValue?: RankedList] = [:]
        for (value, members) in zip(values, members) where !members.isEmpty { lists[value] = RankedList(members) }
        return lists
    }
}
