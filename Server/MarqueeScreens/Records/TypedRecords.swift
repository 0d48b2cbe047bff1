import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// The effect of a change on one record.
struct RecordMove: Sendable {
    var id: RecordID
    /// The canonical bytes; `nil` for a new one.
    var old: [UInt8]?
    /// `nil` for a removed one.
    var new: [UInt8]?
    /// The orders in which it moved, and the watched ones in which it stayed.
    var orders: [RecordOrderMove] = []
    /// The values of facets that came, went, moved, or count another number of records.
    var facets: [FacetMove] = []
}

/// The effect of one record's change on one order.
struct RecordOrderMove: Sendable {
    var order: RecordOrder
    /// The rank before; `nil` if the record was not in the order.
    var from: Int?
    /// The rank now; `nil` if the record is no longer in the order.
    var to: Int?

    /// The first rank that may now hold another record, or the same one with new content.
    var firstRank: Int { min(from ?? .max, to ?? .max) }
}

/// The records of one type and their orders in use. A changed record costs O(log n) comparisons for each order, and
/// none for an order in which its key is unchanged.
struct TypedRecords: Sendable {
    private struct Kept {
        var family: RecordFamily
        /// The table's column with the ordinals of its sort.
        var column: Int?
        /// By the value that the family is grouped by; none is empty.
        var lists: [FieldValue?: RankedList] = [:]
        /// The values by how many records have them; `nil` where nobody asks for that.
        var tally: FacetTally?

        func count(of value: FieldValue) -> Int { lists[value]?.count ?? 0 }
    }

    private(set) var table = RecordTable()
    private var families: [Kept] = []
    /// Keys compared since the start, a measure of work.
    private(set) var comparisons: UInt64 = 0

    // MARK: - One record changes

    /// - Parameters:
    ///   - bytes: `nil` to remove it.
    ///   - isWatched: whether to report an order's rank even if it did not change.
    mutating func replace(_ id: RecordID, by new: [UInt8]?, isWatched: (RecordOrder) -> Bool) -> RecordMove {
        let old = table[id.id]
        var move = RecordMove(id: id, old: old, new: new)
        // Removals are found in the table before the change, insertions in the one after.
        var entering: [(index: Int, order: RecordOrder, key: RecordKey, from: Int?)] = []
        for index in families.indices {
            let family = families[index].family
            let before = old.map { family.groups(of: $0) } ?? []
            let after = new.map { family.groups(of: $0) } ?? []
            if before.isEmpty, after.isEmpty { continue }
            let oldKey = old.map { family.key(of: $0, id: id.id) }
            let newKey = new.map { family.key(of: $0, id: id.id) }
            for value in before.union(after) {
                let order = RecordOrder(family: family, value: value)
                let isIn = after.contains(value)
                guard let oldKey, before.contains(value) else {
                    if isIn, let newKey { entering.append((index, order, newKey, nil)) }
                    continue
                }
                if isIn, let newKey, newKey == oldKey {
                    guard isWatched(order) else { continue }
                    let rank = rank(of: newKey, at: index, value)
                    move.orders.append(RecordOrderMove(order: order, from: rank, to: rank))
                    continue
                }
                let from = rank(of: oldKey, at: index, value)
                remove(rank: from, at: index, value)
                if isIn, let newKey {
                    entering.append((index, order, newKey, from))
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
        let slot = table.set(id.id, new)
        for (index, order, key, from) in entering {
            let to = rank(of: key, at: index, order.value)
            families[index].lists[order.value, default: RankedList()].insert(slot, at: to)
            move.orders.append(RecordOrderMove(order: order, from: from, to: to))
        }
        tally(&move)
        return move
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

    /// How many records of an order come before a key.
    private mutating func rank(of key: RecordKey, at index: Int, _ value: FieldValue?) -> Int {
        guard let list = families[index].lists[value] else { return 0 }
        let (column, ordinal) = (families[index].column, key.key.ordinal)
        var compared: UInt64 = 0
        defer { comparisons += compared }
        return list.rank { slot in
            compared += 1
            return table.precedes(slot, key, ordinal: ordinal, column: column)
        }
    }

    // MARK: - Orders

    /// Makes these orders and drops all others. Reads each record once.
    ///
    /// - Parameter tallied: those whose values are to be counted.
    mutating func keep(_ wanted: Set<RecordFamily>, tallied: Set<RecordFamily>) {
        families.removeAll { !wanted.contains($0.family) }
        add(wanted)
        for index in families.indices {
            if !tallied.contains(families[index].family) {
                families[index].tally = nil
            } else if families[index].tally == nil {
                families[index].tally = FacetTally(of: families[index].lists)
            }
        }
    }

    /// Creates the orders of a family if there are none yet.
    mutating func prepare(_ family: RecordFamily) {
        if place(of: family) == nil { add([family]) }
    }

    /// Counts the values of a family where they are not counted yet.
    mutating func prepareTally(of family: RecordFamily) {
        prepare(family)
        guard let index = place(of: family), families[index].tally == nil else { return }
        families[index].tally = FacetTally(of: families[index].lists)
    }

    /// The values that most records have, of a family whose tally was prepared.
    func facetValues(of family: RecordFamily, first limit: Int) -> [FieldValue] {
        place(of: family).flatMap { families[$0].tally?.prefix(limit) } ?? []
    }

    /// How many records of a family that was prepared have a value.
    func count(of value: FieldValue, in family: RecordFamily) -> Int {
        place(of: family).map { families[$0].count(of: value) } ?? 0
    }

    private mutating func add(_ wanted: Set<RecordFamily>) {
        let missing = wanted.filter { place(of: $0) == nil }
        table.keepColumns(Set(families.compactMap(\.family.sort)).union(missing.compactMap(\.sort)))
        let table = table
        for index in families.indices { families[index].column = table.column(for: families[index].family.sort) }
        families += missing.map { family in
            var members: [FieldValue?: [(key: RecordKey, slot: UInt32)]] = [:]
            for slot in table.slotsInUse {
                let bytes = table.bytes(at: slot)
                let groups = family.groups(of: bytes)
                if groups.isEmpty { continue }
                let key = family.key(of: bytes, id: table.id(at: slot))
                for value in groups { members[value, default: []].append((key, slot)) }
            }
            return Kept(
                family: family, column: table.column(for: family.sort),
                lists: members.mapValues { RankedList($0.sorted { $0.key < $1.key }.map(\.slot)) })
        }
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

    /// The values for which a prepared family has a nonempty order.
    func values(of family: RecordFamily) -> [FieldValue] {
        place(of: family).map { families[$0].lists.keys.compactMap { $0 } } ?? []
    }
}
