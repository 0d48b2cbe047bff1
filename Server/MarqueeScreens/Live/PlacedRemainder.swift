import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The records of an order around an anchor, without some: those that are always left out, and those in one of the
/// user's collections. These are counted when the section is opened; from then on a change costs O(log n) comparisons
/// and the window's rows.
struct PlacedRemainder: SectionQuery {
    private let query: Programme.RecordQuery
    private let family: RecordFamily
    private let place: WindowPlace
    private let anchor: WindowAnchor<RecordKey>
    private let scope: RecordScope
    private let presentation: RecordPresentation
    /// Ids of records that are left out for every user.
    private let excluded: Set<String>
    /// The members of the collection whose records are left out, if there is one.
    private var values: MemberValues
    /// `nil` if the value that the query depends on is missing.
    private var order: RecordOrder?
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
        self.query = query
        family = query.family(sort: (query.sort ?? sort)?.shown(in: locales))
        (self.place, self.anchor, self.scope, self.presentation) = (place, anchor, scope, presentation)
        excluded = Set(query.excluded.compactMap { $0.id(in: scope) })
        values = MemberValues(of: Set([query.membership?.collection].compactMap { $0 }))
        for member in members { values.keep(member, of: member.name) }
        if query.dependsOnRecord { return }
        order = query.order(of: family, in: scope, record: nil)
    }

    var members: [StoredMember] { values.members }
    var triggers: Set<Trigger> { query.triggers(in: scope) }
    var reloadsTriggers: Bool { false }
    var watches: [OrderWatch] { order.map { [OrderWatch(journalOf: .records($0))] } ?? [] }
    var total: Int { shown.total }
    var shownPlace: ShownPlace? { ShownPlace(first: shown.first, cursor: shown.cursor) }

    func members(first limit: Int) -> [Member] { shown.ids.prefix(limit).map { .text($0) } }

    // MARK: - Finding the rows

    mutating func reload(_ catalogue: inout Catalogue) {
        (fault, shown) = (nil, PlacedIDs())
        if query.dependsOnRecord {
            let record = scope.record.flatMap { catalogue.records[$0] }
            if record == nil { fault = .recordIsGone }
            let now = query.order(of: family, in: scope, record: record)
            if now != order { stale = nil }
            order = now
        }
        guard let order else { return }
        catalogue.prepare(family)
        omit(in: order, &catalogue)
        shown = found(in: order, &catalogue)
        if shown.ids.isEmpty, anchor.isOnlyRow { fault = .anchorIsGone }
    }

    /// Finds the places of omitted rows that may have changed.
    private mutating func omit(in order: RecordOrder, _ catalogue: inout Catalogue) {
        let changed: Set<String>
        if let stale {
            changed = stale
        } else {
            omitted = OmittedRows()
            changed = excluded.union(values.members.compactMap { query.id(of: $0.subject) })
        }
        var work = ScreenCounters()
        for id in changed {
            omitted.set(id, at: isOmitted(id) ? key(of: id, in: order, &catalogue) : nil, &work)
        }
        stale = []
    }

    private func isOmitted(_ id: String) -> Bool {
        if excluded.contains(id) { return true }
        guard let collection = query.membership?.collection else { return false }
        return values.has(RecordID(type: query.type, id: id).subject.name, in: collection)
    }

    /// A record's place in the order; `nil` if it isn't in it.
    private func key(of id: String, in order: RecordOrder, _ catalogue: inout Catalogue) -> RecordKey? {
        guard let key = catalogue.records.key(of: RecordID(type: query.type, id: id), in: family),
            catalogue.records.id(in: order, at: catalogue.rank(of: key, in: order)) == id
        else { return nil }
        return key
    }

    private func found(in order: RecordOrder, _ catalogue: inout Catalogue) -> PlacedIDs {
        var found = PlacedIDs(total: catalogue.records.count(in: order) - omitted.count)
        guard let rank = rank(in: order, of: found.total, &catalogue) else { return found }
        let rows = place.rows(around: rank, of: found.total)
        (found.ids, found.ranks) = omitted.ids(
            at: rows, rankOf: { catalogue.rank(of: $0, in: order) }, ids: { catalogue.records.ids(in: order, at: $0) })
        found.first = rows.lowerBound
        guard found.ids.indices.contains(rank - rows.lowerBound) else { return found }
        let id = found.ids[rank - rows.lowerBound]
        found.cursor =
            catalogue.records.key(of: RecordID(type: query.type, id: id), in: family)?
            .cursor(of: family.sort, type: query.type) ?? []
        return found
    }

    /// The rank, among the shown rows, of the row that the anchor stands for; `nil` if there is none.
    private func rank(in order: RecordOrder, of total: Int, _ catalogue: inout Catalogue) -> Int? {
        func rank(of key: RecordKey) -> Int { omitted.shownRank(of: key, rank: catalogue.rank(of: key, in: order)) }
        return anchor.rank(
            among: total,
            row: { id in isOmitted(id) ? nil : key(of: id, in: order, &catalogue).map(rank) }, place: rank)
    }

    // MARK: - Following changes

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .record(let move): return query.isChanged(by: move, in: scope) ? .all : .none
        case .journal(let journal) where journal.order == order.map { .records($0) }: return follow(journal)
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
            guard let id = query.id(of: move.change.subject) else { continue }
            stale?.insert(id)
            isTouched = true
        }
        return MembersReaction(reaction: isTouched ? .members(except: []) : .none)
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member else { return nil }
        return presentation.item(of: RecordID(type: query.type, id: id), &maker, in: catalogue)
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
