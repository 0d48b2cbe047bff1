import MarqueeCatalogue
import MarqueeModel

/// The order in which a query has its records. Which one that is may depend on a value of the screen's record.
struct QueriedOrder {
    let query: Programme.RecordQuery
    let family: RecordFamily
    private let scope: RecordScope
    private let presentation: RecordPresentation
    /// `nil` if the value that the query depends on is missing.
    private(set) var order: RecordOrder?
    private var isRecordGone = false

    /// - Parameters:
    ///   - sort: the order chosen by a subscriber; `nil` if the section offers none. A query may have one of its own.
    ///   - locales: in order of preference.
    init(
        _ query: Programme.RecordQuery, sort: RecordSort?, locales: [String], scope: RecordScope,
        presentation: RecordPresentation
    ) {
        self.query = query
        family = query.family(sort: (query.sort ?? sort)?.shown(in: locales))
        (self.scope, self.presentation) = (scope, presentation)
        if query.dependsOnRecord { return }
        order = query.order(of: family, in: scope, record: nil)
    }

    var triggers: Set<Trigger> { query.triggers(in: scope) }
    var journal: [OrderWatch] { order.map { [OrderWatch(journalOf: .records($0))] } ?? [] }
    var fault: SectionFault? { isRecordGone ? .recordIsGone : nil }

    /// Ids of records that are left out for every user.
    var excluded: Set<String> { Set(query.excluded.compactMap { $0.id(in: scope) }) }

    /// Reads the value that the query depends on.
    /// - Returns: the order, ready to be read; `nil` without that value.
    mutating func reload(_ catalogue: inout Catalogue) -> RecordOrder? {
        if query.dependsOnRecord {
            let record = scope.record.flatMap { catalogue.records[$0] }
            isRecordGone = record == nil
            order = query.order(of: family, in: scope, record: record)
        }
        if order != nil { catalogue.prepare(family) }
        return order
    }

    /// Whether a record's move changes the value that the query depends on.
    func isChanged(by move: RecordMove) -> Bool { query.isChanged(by: move, in: scope) }

    func has(_ journal: OrderJournal) -> Bool { journal.order == order.map { .records($0) } }

    // MARK: - Records

    func record(_ id: String) -> RecordID { RecordID(type: query.type, id: id) }

    func key(of id: String, in catalogue: Catalogue) -> RecordKey? {
        catalogue.records.key(of: record(id), in: family)
    }

    /// A record's place in the order; `nil` if it isn't in it.
    func place(of id: String, _ catalogue: inout Catalogue) -> (key: RecordKey, rank: Int)? {
        guard let order, let key = key(of: id, in: catalogue) else { return nil }
        let rank = catalogue.rank(of: key, in: order)
        return catalogue.records.id(in: order, at: rank) == id ? (key, rank) : nil
    }

    /// A record's place, for a client to name; empty if it isn't there.
    func cursor(of id: String, in catalogue: Catalogue) -> [UInt8] {
        key(of: id, in: catalogue)?.cursor(of: family.sort, type: query.type) ?? []
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member else { return nil }
        return presentation.item(of: record(id), &maker, in: catalogue)
    }
}
