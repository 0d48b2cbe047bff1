package import MarqueeCatalogue
package import MarqueeModel

/// The catalogue in memory: the result of all commits in its log. A value with one owner.
///
/// The changes of a snapshot may be applied in any order.
package struct Catalogue: Sendable {
    private var pages: [String: Page] = [:]
    private(set) var records = RecordCatalogue()
    private(set) var lists = ListCatalogue()
    /// Choices by their pools.
    private var choices: [String: Choice] = [:]
    /// The newest record types in the log.
    package private(set) var types: TypesDocument?
    /// The newest programme file in the log.
    package private(set) var programmeText: String?

    package init() {}

    // MARK: - Changing

    /// Applies one change.
    ///
    /// - Parameter isWatched: whether an order is watched, so that a record's rank is reported even if it didn't
    ///   change.
    /// - Returns: the effect on a record or list, if the change was to one.
    mutating func apply(_ change: Change, isWatched: (OrderID) -> Bool = { _ in false }) -> CatalogueMove? {
        switch change {
        case .chooseEntry(let pool, let entry): choices[pool] = .entry(entry)
        case .chooseRecord(let pool, let record): choices[pool] = .record(record)
        case .removeChoice(let pool): choices[pool] = nil
        case .page(let page): pages[page.id] = page
        case .removePage(let id): pages[id] = nil
        case .programme(let text): programmeText = text
        case .types(let document): types = document
        case .put(let id, .bytes(let bytes)): return .record(replace(id, by: bytes, isWatched))
        case .remove(let id): return .record(replace(id, by: nil, isWatched))
        // The log contains neither: the store turns both into puts of canonical bytes.
        case .put(_, .json), .merge: break
        case .list, .listItem, .show, .removeList:
            return lists.apply(change, isThere: records.contains).map { .list($0) }
        case .time(let moment):
            for id in beginPassing(to: moment) { _ = pass(id) }
            endPassing()
        case .source: break
        }
        return nil
    }

    private mutating func replace(
        _ id: RecordID, by new: [UInt8]?, _ isWatched: (OrderID) -> Bool
    ) -> RecordMove {
        var move = records.replace(id, by: new) { isWatched(.records($0)) }
        move.entries = lists.follow(id, wasThere: move.old != nil, isThere: new != nil)
        return move
    }

    // MARK: - Time

    /// The time of the log: the newest moment that was committed. `nil` if none was yet.
    package var now: Moment? { records.now }

    /// Advances the catalogue's time to a moment, unless it is at or past that. The orders stay as they were until
    /// `pass` has been called for each of the returned records, followed by `endPassing`.
    mutating func beginPassing(to moment: Moment) -> [RecordID] {
        now.map { $0 < moment } ?? true ? records.beginPassing(to: moment) : []
    }

    /// Moves a record in and out of orders as the new time requires.
    mutating func pass(_ id: RecordID) -> RecordMove { records.pass(id) }

    mutating func endPassing() { records.endPassing() }

    /// Sets the catalogue's time to any moment, even an earlier one. Costs a scan of the records.
    mutating func travel(to moment: Moment) { records.travel(to: moment) }

    // MARK: - Reading

    /// The choice for a pool. The record or entry may no longer exist.
    func choice(of pool: String) -> Choice? { choices[pool] }

    package func page(_ id: String) -> Page? { pages[id] }

    // MARK: - Orders

    /// Number of keys compared since the start, a measure of work.
    var comparisons: UInt64 { records.comparisons + lists.comparisons }

    /// Builds the orders of these record families and drops all others. Reads each record of a type once.
    ///
    /// - Parameters:
    ///   - tallied: families whose values are counted.
    ///   - entries: orders of lists' entries.
    mutating func keepOrders(_ families: Set<RecordFamily>, tallied: Set<RecordFamily>, entries: Set<EntryOrder>) {
        records.keep(families, tallied: tallied)
        lists.keepOrders(entries)
    }

    /// Counts the entries of an order unless they are already counted. Reads each entry of the list once.
    mutating func prepare(_ order: EntryOrder) { lists.prepare(order, isThere: records.contains) }

    /// Counts the values of a family unless they are already counted.
    mutating func prepareTally(of family: RecordFamily) { records.prepareTally(of: family) }

    /// Builds the orders of a family unless they already exist.
    mutating func prepare(_ family: RecordFamily) { records.prepare(family) }

    /// The number of records in a prepared order that come before a key.
    mutating func rank(of key: RecordKey, in order: RecordOrder) -> Int { records.rank(of: key, in: order) }

    /// The rank of an entry in a prepared order; `nil` if it isn't there.
    mutating func rank(of key: String, in order: EntryOrder) -> Int? { lists.rank(of: key, in: order) }
}

/// The effect of a change on records or lists and their orders.
enum CatalogueMove: Sendable {
    case record(RecordMove)
    case list(ListMove)
}

/// A choice for a pool.
enum Choice: Hashable, Sendable {
    case record(RecordID)
    /// The key of a list's entry.
    case entry(String)
}
