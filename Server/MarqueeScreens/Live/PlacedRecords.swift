import MarqueeCatalogue
import MarqueeModel

/// The records of an order around an anchor, wherever it is. Finding them costs O(log n) and the window's rows.
struct PlacedRecords: SectionQuery {
    private var records: QueriedOrder
    private let anchor: WindowAnchor<RecordKey>
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
        records = QueriedOrder(query, sort: sort, locales: locales, scope: scope, presentation: presentation)
        self.anchor = anchor
        rows = PlacedRows(at: place, following: Set([anchor.row].compactMap { $0 }))
    }

    var triggers: Set<Trigger> { records.triggers }
    var reloadsTriggers: Bool { false }
    var watches: [OrderWatch] { records.journal }
    var total: Int { rows.total }
    var shownPlace: ShownPlace? { ShownPlace(first: rows.first, cursor: cursor) }

    func members(first limit: Int) -> [Member] { rows.members(first: limit) }

    // MARK: - Finding the rows

    mutating func reload(_ catalogue: inout Catalogue) {
        cursor = []
        rows.reset()
        let order = records.reload(&catalogue)
        fault = records.fault
        guard let order else { return }
        let total = catalogue.records.count(in: order)
        let rank = rank(in: order, of: total, &catalogue)
        rows.find(total: total, rank: rank) { catalogue.records.ids(in: order, at: $0) }
        if rank == nil, anchor.isOnlyRow { fault = .anchorIsGone }
        if let id = rows.anchor?.id { cursor = records.cursor(of: id, in: catalogue) }
    }

    /// The rank of the row that the anchor stands for; `nil` if there is none.
    private func rank(in order: RecordOrder, of total: Int, _ catalogue: inout Catalogue) -> Int? {
        anchor.rank(
            among: total, row: { records.place(of: $0, &catalogue)?.rank },
            place: { catalogue.rank(of: $0, in: order) })
    }

    // MARK: - Following changes

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .record(let move): return records.isChanged(by: move) ? .all : .none
        case .journal(let journal) where records.has(journal): return rows.follow(journal)
        default: return .none
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        records.item(of: member, &maker, in: catalogue)
    }
}
