import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The records of an order around an anchor, without some: those that are always left out, and those in one of the
/// user's collections. These are counted when the section is opened; from then on a change costs O(log n) comparisons
/// and the window's rows.
struct PlacedRemainder: SectionQuery {
    private var records: QueriedOrder
    private let place: WindowPlace
    private let anchor: WindowAnchor<RecordKey>
    /// Ids of records that are left out for every user.
    private let excluded: Set<String>
    /// The members of the collection whose records are left out, if there is one.
    private var values: MemberValues
    private(set) var fault: SectionFault?
    private var omitted = OmittedRows()
    /// Ids whose place among the omitted rows has to be found again; `nil` for all.
    private var stale: Set<String>?
    private var shown = PlacedIDs()

    /// - Parameters:
    ///   - members: members of the collection whose records are left out; others are ignored.
    ///   - anchor: the anchor of the place, in the order that is shown.
    ///   - sort: the order chosen by a subscriber; `nil` if the section offers none.
    ///   - locales: in order of preference.
    init(
        _ query: Programme.RecordQuery, _ members: [StoredMember], at place: WindowPlace,
        _ anchor: WindowAnchor<RecordKey>, sort: RecordSort?, locales: [String], scope: RecordScope,
        presentation: RecordPresentation
    ) {
        records = QueriedOrder(query, sort: sort, locales: locales, scope: scope, presentation: presentation)
        (self.place, self.anchor) = (place, anchor)
        excluded = records.excluded
        values = MemberValues(of: Set([query.membership?.collection].compactMap { $0 }))
        for member in members { values.keep(member, of: member.name) }
    }

    var members: [StoredMember] { values.members }
    var triggers: Set<Trigger> { records.triggers }
    var reloadsTriggers: Bool { false }
    var watches: [OrderWatch] { records.journal }
    var total: Int { shown.total }
    var shownPlace: ShownPlace? { ShownPlace(first: shown.first, cursor: shown.cursor) }

    func members(first limit: Int) -> [Member] { shown.ids.prefix(limit).map { .text($0) } }

    // MARK: - Finding the rows

    mutating func reload(_ catalogue: inout Catalogue) {
        shown = PlacedIDs()
        let before = records.order
        let order = records.reload(&catalogue)
        fault = records.fault
        if order != before { stale = nil }
        guard let order else { return }
        omit(&catalogue)
        shown = found(in: order, &catalogue)
        if shown.ids.isEmpty, anchor.isOnlyRow { fault = .anchorIsGone }
    }

    /// Finds the places of omitted rows that may have changed.
    private mutating func omit(_ catalogue: inout Catalogue) {
        let changed: Set<String>
        if let stale {
            changed = stale
        } else {
            omitted = OmittedRows()
            changed = excluded.union(values.members.compactMap { records.query.id(of: $0.subject) })
        }
        var work = ScreenCounters()
        for id in changed {
            omitted.set(id, at: isOmitted(id) ? records.place(of: id, &catalogue)?.key : nil, &work)
        }
        stale = []
    }

    private func isOmitted(_ id: String) -> Bool {
        if excluded.contains(id) { return true }
        guard let collection = records.query.membership?.collection else { return false }
        return values.has(records.record(id).subject.name, in: collection)
    }

    private func found(in order: RecordOrder, _ catalogue: inout Catalogue) -> PlacedIDs {
        var found = PlacedIDs(total: catalogue.records.count(in: order) - omitted.count)
        guard let rank = rank(in: order, of: found.total, &catalogue) else { return found }
        let rows = place.rows(around: rank, of: found.total)
        (found.ids, found.ranks) = omitted.ids(
            at: rows, rankOf: { catalogue.rank(of: $0, in: order) }, ids: { catalogue.records.ids(in: order, at: $0) })
        found.first = rows.lowerBound
        guard found.ids.indices.contains(rank - rows.lowerBound) else { return found }
        found.cursor = records.cursor(of: found.ids[rank - rows.lowerBound], in: catalogue)
        return found
    }

    /// The rank, among the shown rows, of the row that the anchor stands for; `nil` if there is none.
    private func rank(in order: RecordOrder, of total: Int, _ catalogue: inout Catalogue) -> Int? {
        func rank(of key: RecordKey) -> Int { omitted.shownRank(of: key, rank: catalogue.rank(of: key, in: order)) }
        return anchor.rank(
            among: total,
            row: { id in isOmitted(id) ? nil : records.place(of: id, &catalogue).map { rank(of: $0.key) } }, place: rank
        )
    }

    // MARK: - Following changes

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .record(let move): return records.isChanged(by: move) ? .all : .none
        case .journal(let journal) where records.has(journal): return follow(journal)
        default: return .none
        }
    }

    private mutating func follow(_ journal: OrderJournal) -> SectionReaction {
        if journal.isIncomplete {
            stale = nil
            return .all
        }
        // A row next to the window may decide about its anchor.
        let near = shown.ranks.lowerBound - 1...shown.ranks.upperBound
        var isNear = false
        for move in journal.moves {
            if isOmitted(move.id) { stale?.insert(move.id) }
            isNear = isNear || move.from != move.to || move.from.map(near.contains) ?? true
        }
        return isNear ? .members(except: journal.members) : .none
    }

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction {
        var isTouched = false
        for move in moves where values.keep(move.member, of: move.change.name) {
            guard let id = records.query.id(of: move.change.subject) else { continue }
            stale?.insert(id)
            isTouched = true
        }
        return MembersReaction(reaction: isTouched ? .members(except: []) : .none)
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        records.item(of: member, &maker, in: catalogue)
    }
}

/// The rows of a window, and where it is.
struct PlacedIDs: Equatable, Sendable {
    /// Rows of the whole list.
    var total = 0
    var ids: [String] = []
    /// The rank of the first one among the shown rows.
    var first = 0
    /// The ranks in the order, omitted rows included.
    var ranks = 0..<0
    /// The place of the row that the anchor stands for; empty without rows.
    var cursor: [UInt8] = []

    init(total: Int = 0) { self.total = total }
}
