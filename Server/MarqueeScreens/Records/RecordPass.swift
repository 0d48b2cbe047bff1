import MarqueeModel
import MarqueeTypes

/// Scans the records of a type once to find the members of several families' orders. However many orders there are, a
/// record is read once for each field that decides its position.
struct RecordPass {
    /// The keys of one part of a sort, by slot.
    struct Column {
        let part: RecordSort.Part
        fileprivate(set) var ordinals: [UInt64]
        /// Empty if the ordinals decide.
        var minors: [UInt64] { keys.map(\.minor) }
        /// A missing value shares the largest ordinal.
        fileprivate var isMissing: [Bool]
        /// Empty if the ordinals decide.
        fileprivate var keys: [FieldKey]

        /// - Returns: `nil` if the keys in both slots are equal.
        fileprivate func precedes(_ first: Int, _ second: Int) -> Bool? {
            if ordinals[first] != ordinals[second] { return ordinals[first] < ordinals[second] }
            if isMissing[first] != isMissing[second] { return isMissing[second] }
            if !keys.isEmpty, keys[first] != keys[second] { return keys[first] < keys[second] }
            return nil
        }
    }

    /// The orders that each record belongs to, for all families that differ only in their sort.
    private struct Selection {
        let conditions: [Int]
        /// The field by whose values records are grouped.
        let group: Int?
        /// The start of each slot's range in `numbers`, and then the end of the last range.
        var starts = [0]
        /// Numbers of the group's values; 0 without a group.
        var numbers: [UInt32] = []
    }

    /// A field that decides about conditions or groups. Values that matter are numbered: all if records are grouped by
    /// the field, otherwise those that conditions name.
    private struct Field {
        let path: FieldPath
        var isGrouped = false
        var values: [FieldValue] = []
        var numbers: [FieldValue: UInt32] = [:]
        /// The numbers of the current record's values, each once; valid once the record has been read for the field.
        var current: [UInt32] = []
        var isRead = false

        mutating func read(_ bytes: [UInt8]) {
            isRead = true
            var current: [UInt32] = []
            swap(&current, &self.current)
            current.removeAll(keepingCapacity: true)
            path.forEachValue(in: bytes) { value in
                guard let number = numbers[value] ?? (isGrouped ? add(value) : nil) else { return }
                if !current.contains(number) { current.append(number) }
            }
            swap(&current, &self.current)
        }

        /// - Returns: the value's number.
        mutating func add(_ value: FieldValue) -> UInt32 {
            if let known = numbers[value] { return known }
            let number = UInt32(values.count)
            values.append(value)
            numbers[value] = number
            return number
        }
    }

    private struct Condition {
        let condition: RecordCondition
        /// The field whose values decide; `nil` for conditions of other kinds.
        let field: Int?
        let isNegated: Bool
        /// Whether the condition names a value of the field, by the value's number. It names no values with later
        /// numbers.
        let isNamed: [Bool]
        /// Whether the current record meets it, once that is known.
        var holds: Bool?

        init(_ condition: RecordCondition, field: Int?, named: [UInt32]) {
            self.condition = condition
            self.field = field
            if case .isNone = condition { isNegated = true } else { isNegated = false }
            var isNamed = [Bool](repeating: false, count: named.max().map { Int($0) + 1 } ?? 0)
            for number in named { isNamed[Int(number)] = true }
            self.isNamed = isNamed
        }

        /// - Parameter values: the numbers of the record's values.
        mutating func judge(_ values: [UInt32]) {
            holds = values.contains { $0 < isNamed.count && isNamed[Int($0)] } != isNegated
        }
    }

    /// Number of times a record was read.
    private(set) var reads: UInt64 = 0
    private(set) var columns: [Column] = []
    private var fields: [Field] = []
    private var conditions: [Condition] = []
    private var selections: [Selection] = []
    /// The selection of each family.
    private var places: [RecordFamily: Int] = [:]

    /// - Parameter now: the catalogue's time.
    init(over table: RecordTable, for families: some Collection<RecordFamily>, at now: Moment?) {
        for family in families { add(family, slots: table.capacity, at: now) }
        table.forEachSlot { slot, bytes in
            if let bytes { read(bytes, at: slot) }
            for index in selections.indices { selections[index].starts.append(selections[index].numbers.count) }
        }
    }

    private mutating func add(_ family: RecordFamily, slots: Int, at now: Moment?) {
        for part in family.sort?.parts ?? [] where !columns.contains(where: { $0.part == part }) {
            let isDecided = part.field.decision == .ordinal
            columns.append(
                Column(
                    part: part, ordinals: [UInt64](repeating: 0, count: slots),
                    isMissing: [Bool](repeating: false, count: slots),
                    keys: isDecided ? [] : [FieldKey](repeating: .same, count: slots)))
        }
        let required = family.conditions.resolved(at: now).map { add($0) }
        let group = family.group.map { place(of: $0) }
        if let group { fields[group].isGrouped = true }
        if let known = selections.firstIndex(where: { $0.conditions == required && $0.group == group }) {
            places[family] = known
        } else {
            places[family] = selections.count
            selections.append(Selection(conditions: required, group: group))
        }
    }

    private mutating func add(_ condition: RecordCondition) -> Int {
        if let known = conditions.firstIndex(where: { $0.condition == condition }) { return known }
        let field = condition.path.map { place(of: $0) }
        var named: [UInt32] = []
        if let field {
            for value in condition.named { named.append(fields[field].add(value)) }
        }
        conditions.append(Condition(condition, field: field, named: named))
        return conditions.count - 1
    }

    private mutating func place(of path: FieldPath) -> Int {
        if let known = fields.firstIndex(where: { $0.path == path }) { return known }
        fields.append(Field(path: path))
        return fields.count - 1
    }

    // MARK: - One record

    private mutating func read(_ bytes: [UInt8], at slot: Int) {
        for index in columns.indices {
            let key = columns[index].part.key(of: bytes)
            columns[index].ordinals[slot] = key.ordinal
            columns[index].isMissing[slot] = key.isMissing
            if !columns[index].keys.isEmpty { columns[index].keys[slot] = key }
        }
        reads += UInt64(columns.count)
        for index in fields.indices { fields[index].isRead = false }
        for index in conditions.indices { conditions[index].holds = nil }
        for index in selections.indices where isMet(selections[index].conditions, by: bytes) {
            if let group = selections[index].group {
                readOnce(group, in: bytes)
                selections[index].numbers += fields[group].current
            } else {
                selections[index].numbers.append(0)
            }
        }
    }

    private mutating func isMet(_ required: [Int], by bytes: [UInt8]) -> Bool {
        for index in required {
            if conditions[index].holds == nil {
                if let field = conditions[index].field {
                    readOnce(field, in: bytes)
                    conditions[index].judge(fields[field].current)
                } else {
                    conditions[index].holds = conditions[index].condition.holds(for: bytes)
                    reads += conditions[index].condition.reads
                }
            }
            if conditions[index].holds == false { return false }
        }
        return true
    }

    private mutating func readOnce(_ field: Int, in bytes: [UInt8]) {
        if fields[field].isRead { return }
        reads += 1
        fields[field].read(bytes)
    }

    // MARK: - Results

    /// All slots in use, in the order of one of the families' sorts.
    func slots(of table: RecordTable, by sort: RecordSort?) -> [UInt32] {
        let slots = table.slotsInUse
        let deciding = sort?.parts.compactMap { part in columns.first { $0.part == part } } ?? []
        return slots.sorted { a, b in
            for index in deciding.indices {
                if let isFirst = deciding[index].precedes(Int(a), Int(b)) { return isFirst }
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
        let values = selection.group.map { fields[$0].values.map(Optional.some) } ?? [nil]
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
