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
    /// Keys compared since the start, a measure of work.
    private(set) var comparisons: UInt64 = 0
    /// Number of times a record was read for a key or for its orders, a measure of work.
    private(set) var reads: UInt64 = 0
    /// Number of records scanned to build orders, a measure of work.
    private(set) var scanned: UInt64 = 0

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
            let before = old.map { groups(of: $0, in: family) } ?? []
            let after = new.map { groups(of: $0, in: family) } ?? []
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
                    move.orders.append(RecordOrderMove(order: order, from: rank, to: rank))
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

    private mutating func groups(of bytes: [UInt8], in family: RecordFamily) -> [FieldValue?] {
        reads += family.readsPerRecord
        return family.groups(of: bytes)
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
        let columns = families[index].columns
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
        if place(of: family) == nil { add([family]) }
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
            let pass = RecordPass(over: table, for: missing)
            (scanned, reads) = (scanned + UInt64(table.count), reads + pass.reads)
            for column in pass.columns { table.addColumn(column) }
            for (sort, families) in Dictionary(grouping: missing, by: \.sort) {
                let slots = pass.slots(of: table, by: sort)
                for family in families {
                    self.families.append(Kept(family: family, lists: pass.lists(of: family, from: slots)))
                }
            }
        }
        for index in families.indices { families[index].columns = table.columns(for: families[index].family.sort) }
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
