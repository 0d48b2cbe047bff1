import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes

/// The first records of an order, shown in that order or another one.
struct RankedRecords: SectionQuery {
    /// Maximum number of records in a user's collection that are replaced by the next ones.
    private static let maximumReplaced = 1_000

    private var records: QueriedOrder
    /// The display order; `nil` if it is the order that decides membership.
    private let sort: RecordSort?
    /// Ids of records that are omitted for every user.
    private let omitted: Set<String>
    /// The members of the collection whose records are omitted, if there is one.
    private var values: MemberValues
    /// Ids of records that are omitted.
    private var excluded: Set<String> = []
    /// Number of ranks followed, enough to replace the omitted records.
    private var bound: Int
    /// Whether the order has more records after the candidates.
    private var hasMore = false
    /// The first `bound` records, in the order that decides membership.
    private var candidates = CandidateList<RecordKey>()
    /// The same records in display order, if that is a different one.
    private var sorted: CandidateList<RecordKey>?
    /// The ids in `excluded` that are among the candidates.
    private var hidden: Set<String> = []

    /// - Parameters:
    ///   - members: members of the collection whose records are omitted; others are ignored.
    ///   - sort: the order chosen by a subscriber; `nil` if the section offers none.
    ///   - locales: in order of preference.
    init(
        _ query: Programme.RecordQuery, _ members: [StoredMember], sort: RecordSort?, locales: [String],
        scope: RecordScope, presentation: RecordPresentation
    ) {
        records = QueriedOrder(query, sort: sort, locales: locales, scope: scope, presentation: presentation)
        let shown = sort?.shown(in: locales)
        self.sort = records.family.sort == shown ? nil : shown
        omitted = records.excluded
        values = MemberValues(of: Set([query.membership?.collection].compactMap { $0 }))
        for member in members { values.keep(member, of: member.name) }
        bound = query.limit + omitted.count
    }

    var members: [StoredMember] { values.members }

    private var query: Programme.RecordQuery { records.query }
    var triggers: Set<Trigger> { records.triggers }
    var watches: [OrderWatch] { records.order.map { [OrderWatch(order: $0, bound: bound + 1)] } ?? [] }
    var fault: SectionFault? { records.fault }
    var total: Int { min(candidates.count - hidden.count, query.limit) }
    var isCapped: Bool { hasMore || candidates.count - hidden.count > query.limit }

    func members(first limit: Int) -> [Member] {
        guard !hidden.isEmpty || candidates.count > query.limit else {
            return (sorted ?? candidates).keys.prefix(limit).map { .text($0.id) }
        }
        let left = candidates.keys.lazy.map(\.id).filter { !hidden.contains($0) }
        let beyond = Set(left.suffix(max(0, candidates.count - hidden.count - query.limit)))
        let members = (sorted ?? candidates).keys.lazy.map(\.id).filter {
            !hidden.contains($0) && !beyond.contains($0)
        }
        return members.prefix(limit).map { .text($0) }
    }

    mutating func reload(_ catalogue: inout Catalogue) {
        let order = records.reload(&catalogue)
        excluded = omitted.union(values.members.compactMap { query.id(of: $0.subject) })
        bound = query.limit + min(excluded.count, omitted.count + Self.maximumReplaced)
        (candidates, sorted, hidden, hasMore) = (CandidateList(), sort == nil ? nil : CandidateList(), [], false)
        guard let order else { return }
        let ids = catalogue.records.ids(in: order, first: bound)
        candidates = CandidateList(ids.compactMap { records.key(of: $0, in: catalogue) })
        if let sort { sorted = CandidateList(ids.compactMap { key(of: $0, by: sort, in: catalogue) }) }
        hidden = excluded.isEmpty ? [] : excluded.intersection(ids)
        hasMore = catalogue.records.id(in: order, at: bound) != nil
    }

    private func key(of id: String, by sort: RecordSort, in catalogue: Catalogue) -> RecordKey? {
        catalogue.records[records.record(id)].map { sort.key(of: $0, id: id) }
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .record(let move): return records.isChanged(by: move) ? .all : .none
        case .recordOrder(let move, let record) where move.order == records.order:
            return follow(move, record, catalogue, &work)
        default: return .none
        }
    }

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction {
        var isTouched = false
        for move in moves where values.keep(move.member, of: move.change.name) {
            isTouched = isTouched || query.id(of: move.change.subject) != nil
        }
        return MembersReaction(reaction: isTouched ? .members(except: []) : .none)
    }

    private mutating func follow(
        _ move: RecordOrderMove, _ record: RecordMove, _ catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        let id = record.id.id
        let old = (move.from ?? .max) < bound ? record.old : nil
        let new = (move.to ?? .max) < bound ? record.new : nil
        let hadMore = hasMore
        hasMore = catalogue.records.id(in: move.order, at: bound) != nil
        // The first record after the candidates was added, removed or changed.
        if old == nil, new == nil { return hasMore == hadMore ? .none : .members(except: []) }
        if !move.keepsKey {
            candidates.replace(
                old.map { records.family.key(of: $0, id: id) }, by: new.map { records.family.key(of: $0, id: id) },
                &work)
        }
        if let sort {
            sorted?.replace(old.map { sort.key(of: $0, id: id) }, by: new.map { sort.key(of: $0, id: id) }, &work)
        }
        if excluded.contains(id) { hidden = new == nil ? hidden.subtracting([id]) : hidden.union([id]) }
        // A departure promotes the next record; an arrival evicts the last.
        if old != nil, new == nil, let next = catalogue.records.id(in: move.order, at: bound - 1) {
            if let key = records.key(of: next, in: catalogue) { candidates.insert(key, &work) }
            if let sort, let key = key(of: next, by: sort, in: catalogue) { sorted?.insert(key, &work) }
            if excluded.contains(next) { hidden.insert(next) }
            // The promoted record's item must be rebuilt too: it may still be shown, if it was evicted since the last
            // renewal, and changes made while it was evicted weren't reported.
            return .items([.text(id), .text(next)])
        } else if old == nil, new != nil, let last = catalogue.records.id(in: move.order, at: bound) {
            if let key = records.key(of: last, in: catalogue) { candidates.remove(key, &work) }
            if let sort, let key = key(of: last, by: sort, in: catalogue) { sorted?.remove(key, &work) }
            hidden.remove(last)
        }
        return .item(.text(id))
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        records.item(of: member, &maker, in: catalogue)
    }
}

/// The meaning of a screen's name.
struct RecordScope: Hashable, Sendable {
    /// The part after the slash.
    var argument: String?
    /// The record with that id, on screens of a record.
    var record: RecordID?
}

/// How a section shows records.
struct RecordPresentation: Sendable {
    /// Bodies by record type.
    var bodies: [String: RecordBody]
    var locale: String

    /// - Parameter values: the values that the user's collections store for the record.
    func item(
        of record: RecordID, values: [CollectionName: [UInt8]] = [:], _ maker: inout ItemMaker, in catalogue: Catalogue
    ) -> MadeItem? {
        bodies[record.type].flatMap { maker.record(record, body: $0, values: values, locale: locale, in: catalogue) }
    }
}

extension Programme.RecordQuery {
    func family(sort: RecordSort?) -> RecordFamily {
        RecordFamily(type: type, conditions: conditions, group: group?.path, sort: sort)
    }

    /// Whether a value of the screen's record selects the records.
    var dependsOnRecord: Bool { if case .record? = group?.value { true } else { false } }

    func triggers(in scope: RecordScope) -> Set<Trigger> {
        guard dependsOnRecord, let record = scope.record else { return [] }
        return [.record(.typed(record))]
    }

    /// Whether a record's move changes the value that the query depends on.
    func isChanged(by move: RecordMove, in scope: RecordScope) -> Bool {
        guard move.id == scope.record, case .record(let path)? = group?.value else { return false }
        return move.old.map { path.values(in: $0) } != move.new.map { path.values(in: $0) }
    }

    /// - Parameter record: the screen's record, if the query depends on it.
    /// - Returns: `nil` if the value that the query depends on is missing.
    func order(of family: RecordFamily, in scope: RecordScope, record: [UInt8]?) -> RecordOrder? {
        switch group?.value {
        case nil: RecordOrder(family: family, value: nil)
        case .argument?:
            scope.argument.flatMap { family.group?.value(written: $0) }.map { RecordOrder(family: family, value: $0) }
        case .record(let path)?:
            record.flatMap { path.values(in: $0).first }.map { RecordOrder(family: family, value: $0) }
        }
    }
}

extension Programme.RecordReference {
    func id(in scope: RecordScope) -> String? {
        switch self {
        case .argument: scope.argument
        case .fixed(let id): id
        }
    }
}
