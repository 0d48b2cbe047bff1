package import MarqueeCatalogue
import MarqueeModel

/// The catalogue in memory: the sum of its log's commits. A value with one owner.
///
/// The changes that build it from a snapshot may come in any order.
package struct Catalogue: Sendable {
    private var pages: [String: Page] = [:]
    private(set) var records = RecordCatalogue()
    private(set) var lists = ListCatalogue()
    /// Choices by their pools.
    private var choices: [String: Choice] = [:]
    /// The newest types of records of the log.
    package private(set) var types: TypesDocument?
    /// The newest programme file of the log.
    package private(set) var programmeText: String?

    package init() {}

    // MARK: - Changing

    /// Applies one change.
    ///
    /// - Parameter isWatched: orders in which the rank of a record is wanted even when it did not change.
    /// - Returns: what became of a record or a list, if the change was of one.
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
        // The log holds neither: the store makes puts of canonical bytes of both.
        case .put(_, .json), .merge: break
        case .list, .listItem, .show, .removeList: return lists.apply(change).map { .list($0) }
        }
        return nil
    }

    private mutating func replace(
        _ id: RecordID, by new: [UInt8]?, _ isWatched: (OrderID) -> Bool
    ) -> RecordMove {
        records.replace(id, by: new) { isWatched(.records($0)) }
    }

    // MARK: - Reading

    /// What was chosen for a pool; it may no longer exist.
    func choice(of pool: String) -> Choice? { choices[pool] }

    package func page(_ id: String) -> Page? { pages[id] }

    // MARK: - Orders

    /// Keys compared since the start, a measure of work.
    var comparisons: UInt64 { records.comparisons + lists.comparisons }

    /// Makes the orders of these families of records and drops all others. Reads each record of a type once.
    ///
    /// - Parameter tallied: those whose values are to be counted.
    mutating func keepOrders(_ families: Set<RecordFamily>, tallied: Set<RecordFamily>) {
        records.keep(families, tallied: tallied)
    }

    /// Counts the values of a family where they are not counted yet.
    mutating func prepareTally(of family: RecordFamily) { records.prepareTally(of: family) }

    /// Makes the orders of a family where they are not there yet.
    mutating func prepare(_ family: RecordFamily) { records.prepare(family) }
}

/// What a change did to what orders hold.
enum CatalogueMove: Sendable {
    case record(RecordMove)
    case list(ListMove)
}

/// What was chosen for a pool.
enum Choice: Hashable, Sendable {
    case record(RecordID)
    /// The key of a list's entry.
    case entry(String)
}
