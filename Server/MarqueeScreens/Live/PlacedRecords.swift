import MarqueeCatalogue
import MarqueeModel

/// The place of a window that can start anywhere in a list.
struct ShownPlace: Hashable, Sendable {
    /// The rank of the window's first row.
    var first: Int
    /// The place of the anchor.
    var cursor: [UInt8]
}

/// The records of an order around an anchor, wherever it is. Finding them costs O(log n) and the window's rows. A move
/// elsewhere in the order costs a few comparisons of numbers.
struct PlacedRecords: SectionQuery {
    private let query: Programme.RecordQuery
    private let family: RecordFamily
    private let place: WindowPlace
    private let anchor: WindowAnchor
    private let scope: RecordScope
    private let presentation: RecordPresentation
    /// `nil` if the value that the query depends on is missing.
    private var order: RecordOrder?
    private(set) var fault: SectionFault?
    private(set) var total = 0
    /// The records shown, and the rank of the first one.
    private var ids: [String] = []
    private var first = 0
    /// The rank of the row that the anchor stands for, its id, and its place; `nil` without rows.
    private var anchored: (rank: Int, id: String, cursor: [UInt8])?
    /// Whether the rows have to be found again.
    private var isStale = true

    /// - Parameters:
    ///   - anchor: the anchor of the place, in the order that is shown.
    ///   - sort: the order chosen by a subscriber; `nil` if the section offers none.
    ///   - locales: in order of preference.
    init(
        _ query: Programme.RecordQuery, at place: WindowPlace, _ anchor: WindowAnchor, sort: RecordSort?,
        locales: [String], scope: RecordScope, presentation: RecordPresentation
    ) {
        self.query = query
        family = query.family(sort: (query.sort ?? sort)?.shown(in: locales))
        self.place = place
        self.anchor = anchor
        self.scope = scope
        self.presentation = presentation
        if case .record? = query.group?.value { return }
        order = query.order(of: family, in: scope, record: nil)
    }

    var triggers: Set<Trigger> {
        guard case .record? = query.group?.value, let record = scope.record else { return [] }
        return [.record(.typed(record))]
    }
    var reloadsTriggers: Bool { false }
    var watches: [OrderWatch] { order.map { [OrderWatch(journalOf: $0)] } ?? [] }
    var shownPlace: ShownPlace? { ShownPlace(first: first, cursor: anchored?.cursor ?? []) }

    func members(first limit: Int) -> [Member] { ids.prefix(limit).map { .text($0) } }

    // MARK: - Finding the rows

    mutating func reload(_ catalogue: inout Catalogue) {
        (fault, total, ids, first, anchored, isStale) = (nil, 0, [], 0, nil, false)
        if case .record? = query.group?.value {
            let record = scope.record.flatMap { catalogue.records[$0] }
            if record == nil { fault = .recordIsGone }
            order = query.order(of: family, in: scope, record: record)
        }
        guard let order else { return }
        catalogue.prepare(family)
        total = catalogue.records.count(in: order)
        guard let rank = rank(in: order, &catalogue) else {
            if case .record(_, nil) = anchor { fault = .anchorIsGone }
            return
        }
        let rows = rows(around: rank)
        first = rows.lowerBound
        ids = catalogue.records.ids(in: order, at: rows)
        let id = ids[rank - first]
        let key = catalogue.records.key(of: RecordID(type: query.type, id: id), in: family)
        anchored = (rank, id, key?.cursor(of: family.sort, type: query.type) ?? [])
    }

    /// The rank of the row that the anchor stands for; `nil` if there is none.
    private func rank(in order: RecordOrder, _ catalogue: inout Catalogue) -> Int? {
        if total == 0 { return nil }
        let sought: RecordKey
        switch anchor {
        case .start: return 0
        case .end: return total - 1
        case .place(let key): sought = key
        case .record(let id, let otherwise):
            if let key = catalogue.records.key(of: RecordID(type: query.type, id: id), in: family) {
                let rank = catalogue.rank(of: key, in: order)
                if catalogue.records.id(in: order, at: rank) == id { return rank }
            }
            guard let otherwise else { return nil }
            sought = otherwise
        }
        return min(catalogue.rank(of: sought, in: order), total - 1)
    }

    private func rows(around rank: Int) -> Range<Int> {
        max(0, rank - Int(place.before))..<min(total, rank + Int(place.after) + 1)
    }

    // MARK: - Following changes

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .record(let move):
            guard move.id == scope.record, case .record(let path)? = query.group?.value else { return .none }
            let stays = move.old.map { path.values(in: $0) } == move.new.map { path.values(in: $0) }
            return stays ? .none : .all
        case .journal(let journal) where journal.order == order: return follow(journal)
        default: return .none
        }
    }

    private mutating func follow(_ journal: OrderJournal) -> SectionReaction {
        if journal.isIncomplete { return .all }
        guard !isStale, let reaction = passed(journal) else {
            isStale = true
            return .members(except: journal.members)
        }
        return reaction
    }

    /// Follows moves that leave the window's rows as they are.
    ///
    /// - Returns: `nil` if the moves may change the rows.
    private mutating func passed(_ journal: OrderJournal) -> SectionReaction? {
        var (start, total) = (first, total)
        var changed: Set<Member> = []
        let anchorID: String? = if case .record(let id, _) = anchor { id } else { nil }
        for move in journal.moves {
            if let rank = move.from, rank == move.to {
                // The row before the anchor's may now be the first at or after the anchor's place.
                if let anchored, anchored.id != anchorID, rank == anchored.rank + start - first - 1 { return nil }
                guard rank >= start, rank < start + ids.count else { continue }
                if move.id == anchored?.id { return nil }
                changed.insert(.text(move.id))
                continue
            }
            if let rank = move.from {
                if rank < start { start -= 1 } else if rank < start + ids.count { return nil }
                total -= 1
            }
            if let rank = move.to {
                // A row next to the window may belong to it now, and the anchor may have returned.
                if rank < start { start += 1 } else if rank <= start + ids.count { return nil }
                if move.id == anchorID { return nil }
                total += 1
            }
        }
        let isMoved = (start, total) != (first, self.total)
        if isMoved {
            let before = first
            (first, self.total) = (start, total)
            if let rank = anchored?.rank {
                anchored?.rank = rank + start - before
                guard rows(around: rank + start - before) == start..<start + ids.count else { return nil }
            }
        }
        if !changed.isEmpty { return .items(changed) }
        return isMoved ? .head : SectionReaction.none
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member else { return nil }
        return presentation.item(of: RecordID(type: query.type, id: id), &maker, in: catalogue)
    }
}
