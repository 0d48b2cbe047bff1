import MarqueeCatalogue
import MarqueeModel

/// The records of an order around an anchor, wherever it is. Finding them costs O(log n) and the window's rows.
struct PlacedRecords: SectionQuery {
    private let query: Programme.RecordQuery
    private let family: RecordFamily
    private let anchor: WindowAnchor<RecordKey>
    private let scope: RecordScope
    private let presentation: RecordPresentation
    /// `nil` if the value that the query depends on is missing.
    private var order: RecordOrder?
    private(set) var fault: SectionFault?
    private var rows: PlacedRows
    /// The place of the row that the anchor stands for; empty without rows.
    private var cursor: [UInt8] = []

    /// - Parameters:
    ///   - anchor: the anchor of the place, in the order that is shown.
    ///   - sort: the order chosen by a subscriber; `nil` if the section offers none.
    ///   - locales: in order of preference.
    init(
        _ query: Programme.RecordQuery, at place: WindowPlace, _ anchor: WindowAnchor<RecordKey>, sort: RecordSort?,
        locales: [String], scope: RecordScope, presentation: RecordPresentation
    ) {
        self.query = query
        family = query.family(sort: (query.sort ?? sort)?.shown(in: locales))
        self.anchor = anchor
        rows = PlacedRows(at: place, following: Set([anchor.row].compactMap { $0 }))
        self.scope = scope
        self.presentation = presentation
        if query.dependsOnRecord { return }
        order = query.order(of: family, in: scope, record: nil)
    }

    var triggers: Set<Trigger> { query.triggers(in: scope) }
    var reloadsTriggers: Bool { false }
    var watches: [OrderWatch] { order.map { [OrderWatch(journalOf: .records($0))] } ?? [] }
    var total: Int { rows.total }
    var shownPlace: ShownPlace? { ShownPlace(first: rows.first, cursor: cursor) }

    func members(first limit: Int) -> [Member] { rows.members(first: limit) }

    // MARK: - Finding the rows

    mutating func reload(_ catalogue: inout Catalogue) {
        (fault, cursor) = (nil, [])
        rows.reset()
        if query.dependsOnRecord {
            let record = scope.record.flatMap { catalogue.records[$0] }
            if record == nil { fault = .recordIsGone }
            order = query.order(of: family, in: scope, record: record)
        }
        guard let order else { return }
        catalogue.prepare(family)
        let total = catalogue.records.count(in: order)
        let rank = rank(in: order, of: total, &catalogue)
        rows.find(total: total, rank: rank) { catalogue.records.ids(in: order, at: $0) }
        if rank == nil, anchor.isOnlyRow { fault = .anchorIsGone }
        guard let id = rows.anchor?.id else { return }
        let key = catalogue.records.key(of: RecordID(type: query.type, id: id), in: family)
        cursor = key?.cursor(of: family.sort, type: query.type) ?? []
    }

    /// The rank of the row that the anchor stands for; `nil` if there is none.
    private func rank(in order: RecordOrder, of total: Int, _ catalogue: inout Catalogue) -> Int? {
        anchor.rank(
            among: total,
            row: { id in
                guard let key = catalogue.records.key(of: RecordID(type: query.type, id: id), in: family) else {
                    return nil
                }
                let rank = catalogue.rank(of: key, in: order)
                return catalogue.records.id(in: order, at: rank) == id ? rank : nil
            },
            place: { catalogue.rank(of: $0, in: order) })
    }

    // MARK: - Following changes

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .record(let move): return query.isChanged(by: move, in: scope) ? .all : .none
        case .journal(let journal) where journal.order == order.map { .records($0) }: return rows.follow(journal)
        default: return .none
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member else { return nil }
        return presentation.item(of: RecordID(type: query.type, id: id), &maker, in: catalogue)
    }
}
