import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// The effect of a change on one record.
struct RecordMove: Sendable {
    var id: RecordID
    /// The canonical bytes before; `nil` for a new record.
    var old: [UInt8]?
    /// The canonical bytes now; `nil` for a removed record.
    var new: [UInt8]?
    /// The orders in which it moved, and the watched ones in which it stayed.
    var orders: [RecordOrderMove] = []
    /// The values of facets that appeared, disappeared, moved or changed their count.
    var facets: [FacetMove] = []
    /// The entries of lists that show it, in counted orders.
    var entries: [EntryMove] = []
}

/// The effect of one record's change on one order.
struct RecordOrderMove: Sendable {
    var order: RecordOrder
    /// The rank before; `nil` if the record was not in the order.
    var from: Int?
    /// The rank now; `nil` if the record is no longer in the order.
    var to: Int?
    /// Whether the record kept its key, and so its place among the others.
    var keepsKey = false

    /// The first rank that may now hold another record, or the same one with new content.
    var firstRank: Int { min(from ?? .max, to ?? .max) }
}

/// The records of one type and their orders in use. A changed record costs O(log n) comparisons for each order, and
/// none for an order in which its key is unchanged.
struct TypedRecords: Sendable {
    private struct Kept {
        var family: RecordFamily
        /// The family's conditions, at the catalogue's time.
        var conditions: [RecordCondition]
        /// The conditions at the previous time, while records are moved one by one to the new time.
        var conditionsBefore: [RecordCondition]?
        /// The table's columns of the parts of the family's sort.
        var columns: [Int] = []
        /// The nonempty lists of the family, by the value that it is grouped by.
        var lists: [FieldValue?: RankedList] = [:]
        /// The values by frequency; `nil` if not needed.
        var tally: FacetTally?

        func count(of value: FieldValue) -> Int { lists[value]?.count ?? 0 }
    }

    private(set) var table = RecordTable()
    private var families: [Kept] = []
    /// The bounds of the families' conditions that move with time.
    private var movingBounds: Set<MovingBound> = []
    /// The catalogue's time.
    private(set) var now: Moment?
    /// Keys compared since the start, a measure of work.
    private(set) var comparisons: UInt64 = 0
    /// Number of times a record was read for a key or for its orders, a measure of work.
    private(set) var reads: UInt64 = 0
    /// Number of records scanned to build orders, a measure of work.
    private(set) var scanned: UInt64 = 0

    /// - Parameter now: the catalogue's time.
    init(at now: Moment?) { self.now = now }

    // MARK: - One record changes

    /// - Parameters:
    ///   - new: the canonical bytes; `nil` to remove the record.
    ///   - isWatched: whether to report an order's rank even if it did not change.
    mutating func replace(_ id: RecordID, by new: [UInt8]?, isWatched: (RecordOrder) -> Bool) -> RecordMove {
        let old = table[id.id]
        var move = RecordMove(id: id, old: old, new: new)
        // Keys are read once for all families that sort by the same field.
        let oldKeys = old.map { keys(of: $0) } ?? []
        let newKeys = new.map { keys(of: $0) } ?? []
        func key(_ keys: [FieldKey], _ columns: [Int]) -> RecordKey {
            RecordKey(
                key: columns.first.map { keys[$0] } ?? .same, others: columns.dropFirst().map { keys[$0] }, id: id.id)
        }
        // Removals are located before the table changes, insertions afterwards.
        var entering: [(index: Int, order: RecordOrder, key: RecordKey, from: Int?)] = []
        for index in families.indices {
            let (family, columns) = (families[index].family, families[index].columns)
            let conditions = families[index].conditions
            let before = old.map { groups(of: $0, in: family, conditions) } ?? []
            let after = new.map { groups(of: $0, in: family, conditions) } ?? []
            for value in after where !before.contains(value) {
                entering.append((index, RecordOrder(family: family, value: value), key(newKeys, columns), nil))
            }
            for value in before {
                let order = RecordOrder(family: family, value: value)
                let isIn = after.contains(value)
                let oldKey = key(oldKeys, columns)
                if isIn, columns.allSatisfy({ oldKeys[$0] == newKeys[$0] }) {
                    guard isWatched(order) else { continue }
                    let rank = rank(of: oldKey, at: index, value)
                    move.orders.append(RecordOrderMove(order: order, from: rank, to: rank, keepsKey: true))
                    continue
                }
                let from = rank(of: oldKey, at: index, value)
                remove(rank: from, at: index, value)
                if isIn {
                    entering.append((index, order, key(newKeys, columns), from))
                } else {
                    move.orders.append(RecordOrderMove(order: order, from: from, to: nil))
                }
            }
        }
        guard let new else {
            table.remove(id.id)
            tally(&move)
            return move
        }
        let slot = table.set(id.id, new, keys: newKeys)
        for (index, order, key, from) in entering {
            let to = rank(of: key, at: index, order.value)
            families[index].lists[order.value, default: RankedList()].insert(slot, at: to)
            move.orders.append(RecordOrderMove(order: order, from: from, to: to))
        }
        tally(&move)
        return move
    }

    private mutating func keys(of bytes: [UInt8]) -> [FieldKey] {
        let keys = table.keys(of: bytes)
        reads += UInt64(keys.count)
        return keys
    }

    private mutating func groups(
        of bytes: [UInt8], in family: RecordFamily, _ conditions: [RecordCondition]
    ) -> [FieldValue?] {
        reads += family.readsPerRecord
        return family.groups(of: bytes, meeting: conditions)
    }

    /// Counts the values that a record gained or lost.
    private mutating func tally(_ move: inout RecordMove) {
        for index in families.indices where families[index].tally != nil {
            let family = families[index].family
            let touched = move.orders.filter { ($0.from == nil || $0.to == nil) && $0.order.family == family }
            for value in touched.compactMap(\.order.value) {
                let count = families[index].count(of: value)
                if let facet = families[index].tally?.set(value, count, of: family, &comparisons) {
                    move.facets.append(facet)
                }
            }
        }
    }

    private mutating func remove(rank: Int, at index: Int, _ value: FieldValue?) {
        families[index].lists[value]?.remove(at: rank)
        if families[index].lists[value]?.count == 0 { families[index].lists[value] = nil }
    }

    /// The number of records in an order that come before a key.
    private mutating func rank(of key: RecordKey, at index: Int, _ value: FieldValue?) -> Int {
        guard let list = families[index].lists[value] else { return 0 }
        var columns = families[index].columns
        if columns.count > 1 + key.others.count { columns.removeLast(columns.count - 1 - key.others.count) }
        var (compared, read): (UInt64, UInt64) = (0, 0)
        defer { (comparisons, reads) = (comparisons + compared, reads + read) }
        return list.rank { slot in
            compared += 1
            return table.precedes(slot, key, columns: columns, &read)
        }
    }

    // MARK: - Orders

    /// Builds these orders and drops all others.
    ///
    /// - Parameter tallied: families whose values are counted.
    mutating func keep(_ wanted: Set<RecordFamily>, tallied: Set<RecordFamily>) {
        let wanted = Self.withTheirTimes(wanted)
        families.removeAll { !wanted.contains($0.family) }
        table.keepColumns(Set(families.flatMap { $0.family.sort?.parts ?? [] }))
        add(wanted)
        for index in families.indices {
            if !tallied.contains(families[index].family) {
                families[index].tally = nil
            } else if families[index].tally == nil {
                families[index].tally = FacetTally(of: families[index].lists)
            }
        }
    }

    /// Builds the orders of a family unless they already exist.
    mutating func prepare(_ family: RecordFamily) {
        if place(of: family) == nil { add(Self.withTheirTimes([family])) }
    }

    /// Counts the values of a family unless they are already counted.
    mutating func prepareTally(of family: RecordFamily) {
        prepare(family)
        guard let index = place(of: family), families[index].tally == nil else { return }
        families[index].tally = FacetTally(of: families[index].lists)
    }

    /// The most frequent values of a family whose tally was prepared.
    func facetValues(of family: RecordFamily, first limit: Int) -> [FieldValue] {
        place(of: family).flatMap { families[$0].tally?.prefix(limit) } ?? []
    }

    /// The number of records with a value, in a prepared family.
    func count(of value: FieldValue, in family: RecordFamily) -> Int {
        place(of: family).map { families[$0].count(of: value) } ?? 0
    }

    /// Builds the orders of all new families in one scan of the records.
    private mutating func add(_ wanted: Set<RecordFamily>) {
        let missing = wanted.filter { place(of: $0) == nil }
        if !missing.isEmpty {
            let pass = RecordPass(over: table, for: missing, at: now)
            (scanned, reads) = (scanned + UInt64(table.count), reads + pass.reads)
            for column in pass.columns { table.addColumn(column) }
            for (sort, families) in Dictionary(grouping: missing, by: \.sort) {
                let slots = pass.slots(of: table, by: sort)
                for family in families {
                    self.families.append(
                        Kept(
                            family: family, conditions: family.conditions.resolved(at: now),
                            lists: pass.lists(of: family, from: slots)))
                }
            }
        }
        for index in families.indices { families[index].columns = table.columns(for: families[index].family.sort) }
        movingBounds = Set(families.flatMap(\.family.movingBounds))
    }

    private func place(of family: RecordFamily) -> Int? { families.firstIndex { $0.family == family } }

    private func list(of order: RecordOrder) -> RankedList? {
        place(of: order.family).flatMap { families[$0].lists[order.value] }
    }

    /// The first records of a prepared order.
    func ids(in order: RecordOrder, first limit: Int) -> [String] {
        (list(of: order)?.prefix(limit) ?? []).map { table.id(at: $0) }
    }

    /// The record at a rank of a prepared order; `nil` past its end.
    func id(in order: RecordOrder, at rank: Int) -> String? {
        guard let list = list(of: order), rank < list.count else { return nil }
        return table.id(at: list[rank])
    }

    /// The number of records in a prepared order.
    func count(in order: RecordOrder) -> Int { list(of: order)?.count ?? 0 }

    /// The records at ranks of a prepared order.
    ///
    /// - Parameter ranks: within the order.
    func ids(in order: RecordOrder, at ranks: Range<Int>) -> [String] {
        (list(of: order)?[ranks] ?? []).map { table.id(at: $0) }
    }

    /// The number of records in a prepared order that come before a key.
    ///
    /// - Parameter key: a key without the last parts of the order comes before all keys that are equal in its parts.
    mutating func rank(of key: RecordKey, in order: RecordOrder) -> Int {
        place(of: order.family).map { rank(of: key, at: $0, order.value) } ?? 0
    }

    /// The values for which a prepared family has a nonempty order.
    func values(of family: RecordFamily) -> [FieldValue] {
        place(of: family).map { families[$0].lists.keys.compactMap { $0 } } ?? []
    }
}

// MARK: - Time

extension TypedRecords {
    /// Families, with the orders in which records cross the bounds of their conditions that move with time.
    private static func withTheirTimes(_ families: Set<RecordFamily>) -> Set<RecordFamily> {
        families.union(families.flatMap { $0.movingBounds.map(\.order.family) })
    }

    /// Advances the catalogue's time to a moment. The orders stay as they were until `pass` has been called for each of
    /// the returned records, followed by `endPassing`.
    ///
    /// - Parameter moment: not earlier than the current time.
    /// - Returns: ids of the records that may be in other orders then, ascending.
    mutating func beginPassing(to moment: Moment) -> [String] {
        let crossing = slotsCrossing(until: moment)
        now = moment
        for index in families.indices where !families[index].family.movingBounds.isEmpty {
            families[index].conditionsBefore = families[index].conditions
            families[index].conditions = families[index].family.conditions.resolved(at: moment)
        }
        return crossing.map { table.id(at: $0) }.sorted()
    }

    /// Moves a record in and out of orders as the new time requires.
    mutating func pass(_ id: RecordID) -> RecordMove {
        let bytes = table[id.id]
        var move = RecordMove(id: id, old: bytes, new: bytes)
        guard let bytes, let slot = table.slot(of: id.id) else { return move }
        for index in families.indices {
            guard let conditionsBefore = families[index].conditionsBefore else { continue }
            let family = families[index].family
            let before = groups(of: bytes, in: family, conditionsBefore)
            let after = groups(of: bytes, in: family, families[index].conditions)
            guard before != after else { continue }
            let key = family.key(of: bytes, id: id.id)
            for value in before where !after.contains(value) {
                let rank = rank(of: key, at: index, value)
                remove(rank: rank, at: index, value)
                let order = RecordOrder(family: family, value: value)
                move.orders.append(RecordOrderMove(order: order, from: rank, to: nil))
            }
            for value in after where !before.contains(value) {
                let rank = rank(of: key, at: index, value)
                families[index].lists[value, default: RankedList()].insert(slot, at: rank)
                let order = RecordOrder(family: family, value: value)
                move.orders.append(RecordOrderMove(order: order, from: nil, to: rank))
            }
        }
        tally(&move)
        return move
    }

    /// Sets the catalogue's time to any moment, even an earlier one. Costs a scan of the records.
    mutating func travel(to moment: Moment) {
        now = moment
        let moving = families.filter { !$0.family.movingBounds.isEmpty }
        families.removeAll { !$0.family.movingBounds.isEmpty }
        add(Set(moving.map(\.family)))
        for kept in moving where kept.tally != nil { prepareTally(of: kept.family) }
    }

    mutating func endPassing() {
        for index in families.indices { families[index].conditionsBefore = nil }
    }

    /// Number of records that `beginPassing` would return, or more. Cheap.
    func countCrossing(until moment: Moment) -> Int {
        guard now != nil else { return movingBounds.isEmpty ? 0 : table.count }
        return movingBounds.reduce(0) { $0 + ranksCrossing($1, until: moment).count }
    }

    private func slotsCrossing(until moment: Moment) -> Set<UInt32> {
        guard !movingBounds.isEmpty else { return [] }
        guard now != nil else { return Set(table.slotsInUse) }
        var slots: Set<UInt32> = []
        for bound in movingBounds {
            guard let list = list(of: bound.order) else { continue }
            for rank in ranksCrossing(bound, until: moment) { slots.insert(list[rank]) }
        }
        return slots
    }

    /// The ranks, in the order of a bound's field, of records that may be on its other side at a later moment.
    private func ranksCrossing(_ bound: MovingBound, until moment: Moment) -> Range<Int> {
        guard let now else { return 0..<0 }
        let first = crossingRank(of: bound, bound.term.values(at: now, of: bound.field).first)
        let end = crossingRank(of: bound, bound.term.values(at: moment, of: bound.field).end)
        return first..<max(first, end)
    }

    /// The number of records whose value is less.
    private func crossingRank(of bound: MovingBound, _ value: FieldValue) -> Int {
        guard let list = list(of: bound.order) else { return 0 }
        let columns = table.columns(for: bound.order.family.sort)
        let key = RecordKey(key: FieldKey(value), id: "")
        var reads: UInt64 = 0
        return list.rank { table.precedes($0, key, columns: columns, &reads) }
    }

    /// The first moment after another one in an order by moments; `nil` if there is none.
    func value(after moment: Moment, in order: RecordOrder) -> Moment? {
        guard let list = list(of: order), let field = order.family.sort?.first.field else { return nil }
        let columns = table.columns(for: order.family.sort)
        let key = RecordKey(key: FieldKey(moment.justAfter), id: "")
        var reads: UInt64 = 0
        let rank = list.rank { table.precedes($0, key, columns: columns, &reads) }
        guard rank < list.count else { return nil }
        return Moment.around(field.path.value(in: table.bytes(at: list[rank])))?.after
    }

    /// The next moment at which a record may move in or out of an order.
    ///
    /// - Returns: `nil` if time changes nothing more; a moment long ago if there is no time yet and it matters.
    var nextBoundary: Moment? {
        guard let now else { return movingBounds.isEmpty ? nil : Moment(milliseconds: .min) }
        return movingBounds.compactMap { bound in
            if let step = bound.term.step(after: now) { return step }
            let limit = bound.term.moment(at: now)
            guard let list = list(of: bound.order) else { return nil }
            let rank = crossingRank(of: bound, bound.isAfterValue ? limit.value : limit.justAfter)
            guard rank < list.count else { return nil }
            return bound.crossing(of: table.bytes(at: list[rank]))
        }.min()
    }
}
