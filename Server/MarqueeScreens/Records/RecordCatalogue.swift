import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// The records of all types.
struct RecordCatalogue: Sendable {
    private var records: [String: TypedRecords] = [:]
    /// The catalogue's time.
    private(set) var now: Moment?

    /// Keys compared since the start, a measure of work.
    var comparisons: UInt64 { records.values.reduce(0) { $0 + $1.comparisons } }

    /// Number of times a record was read for an order since the start, a measure of work.
    var reads: UInt64 { records.values.reduce(0) { $0 + $1.reads } }

    /// Number of records scanned to build orders since the start, a measure of work.
    var scanned: UInt64 { records.values.reduce(0) { $0 + $1.scanned } }

    subscript(id: RecordID) -> [UInt8]? { records[id.type]?.table[id.id] }

    func contains(_ id: RecordID) -> Bool { records[id.type]?.table.slot(of: id.id) != nil }

    func count(of type: String) -> Int { records[type]?.table.count ?? 0 }

    /// - Parameters:
    ///   - bytes: `nil` to remove the record.
    ///   - isWatched: whether to report an order's rank even if it did not change.
    mutating func replace(_ id: RecordID, by bytes: [UInt8]?, isWatched: (RecordOrder) -> Bool) -> RecordMove {
        records[id.type, default: TypedRecords(at: now)].replace(id, by: bytes, isWatched: isWatched)
    }

    // MARK: - Time

    /// Advances the catalogue's time to a moment. The orders stay as they were until `pass` has been called for each of
    /// the returned records, followed by `endPassing`.
    ///
    /// - Parameter moment: later than the current time.
    /// - Returns: the records that may be in other orders then.
    mutating func beginPassing(to moment: Moment) -> [RecordID] {
        now = moment
        return records.keys.sorted().flatMap { type in
            (records[type]?.beginPassing(to: moment) ?? []).map { RecordID(type: type, id: $0) }
        }
    }

    /// Moves a record in and out of orders as the new time requires.
    mutating func pass(_ id: RecordID) -> RecordMove {
        records[id.type, default: TypedRecords(at: now)].pass(id)
    }

    /// Sets the catalogue's time to any moment, even an earlier one. Costs a scan of the records.
    mutating func travel(to moment: Moment) {
        now = moment
        for type in records.keys { records[type]?.travel(to: moment) }
    }

    mutating func endPassing() {
        for type in records.keys { records[type]?.endPassing() }
    }

    /// Number of records that `beginPassing` would return, or more. Cheap.
    func countCrossing(until moment: Moment) -> Int {
        records.values.reduce(0) { $0 + $1.countCrossing(until: moment) }
    }

    /// The next moment at which a record may move in or out of an order; `nil` if time changes nothing more.
    var nextBoundary: Moment? { records.values.compactMap(\.nextBoundary).min() }

    /// The next moment at which texts of the time left until a field's values change; see `TypedRecords.nextTick`.
    func nextTick(of family: RecordFamily) -> Moment? { records[family.type]?.nextTick(of: family) }

    // MARK: - Orders

    /// Builds the orders of these families and drops all others. Reads each record of a type once.
    ///
    /// - Parameter tallied: families whose values are counted.
    mutating func keep(_ families: Set<RecordFamily>, tallied: Set<RecordFamily>) {
        let wanted = Dictionary(grouping: families.union(tallied), by: \.type)
        for type in Set(records.keys).union(wanted.keys) {
            records[type, default: TypedRecords(at: now)].keep(Set(wanted[type] ?? []), tallied: tallied)
        }
    }

    /// Counts the values of a family unless they are already counted.
    mutating func prepareTally(of family: RecordFamily) {
        records[family.type, default: TypedRecords(at: now)].prepareTally(of: family)
    }

    /// The most frequent values of a family whose tally was prepared.
    func facetValues(of family: RecordFamily, first limit: Int) -> [FieldValue] {
        records[family.type]?.facetValues(of: family, first: limit) ?? []
    }

    /// The number of records with a value, in a prepared family.
    func count(of value: FieldValue, in family: RecordFamily) -> Int {
        records[family.type]?.count(of: value, in: family) ?? 0
    }

    /// Builds the orders of a family unless they already exist.
    mutating func prepare(_ family: RecordFamily) {
        records[family.type, default: TypedRecords(at: now)].prepare(family)
    }

    /// The first records of a prepared order.
    func ids(in order: RecordOrder, first limit: Int) -> [String] {
        records[order.family.type]?.ids(in: order, first: limit) ?? []
    }

    /// The record at a rank of a prepared order; `nil` past its end.
    func id(in order: RecordOrder, at rank: Int) -> String? { records[order.family.type]?.id(in: order, at: rank) }

    /// The number of records in a prepared order.
    func count(in order: RecordOrder) -> Int { records[order.family.type]?.count(in: order) ?? 0 }

    /// The records at ranks of a prepared order. The ranks must be within the order.
    func ids(in order: RecordOrder, at ranks: Range<Int>) -> [String] {
        records[order.family.type]?.ids(in: order, at: ranks) ?? []
    }

    /// The number of records in a prepared order that come before a key.
    mutating func rank(of key: RecordKey, in order: RecordOrder) -> Int {
        records[order.family.type]?.rank(of: key, in: order) ?? 0
    }

    /// A record's key in the orders of a family, prepared or not.
    func key(of id: RecordID, in family: RecordFamily) -> RecordKey? {
        self[id].map { family.key(of: $0, id: id.id) }
    }

    /// The values for which a prepared family has a nonempty order.
    func values(of family: RecordFamily) -> [FieldValue] { records[family.type]?.values(of: family) ?? [] }
}
