import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The records in one of the user's collections that meet a query's conditions. The collection's size bounds the work.
struct MemberRecords: SectionQuery {
    private let query: Programme.RecordQuery
    private let collection: CollectionName
    let family: RecordFamily
    /// The display order; `nil` if it is the order that decides which are shown.
    private let sort: RecordSort?
    private let presentation: RecordPresentation
    private let excluded: Set<String>
    /// `nil` if the value that the query depends on is missing.
    private let order: RecordOrder?
    private var values: MemberValues
    /// The query's conditions, at the catalogue's time.
    private var conditions: [RecordCondition] = []
    /// The members of the query's type.
    private var ids: Set<String> = []
    /// The records that meet the conditions, in the order that decides which are shown.
    private(set) var candidates = CandidateList<RecordKey>()
    /// Their keys in the display order, if that is a different one.
    private var displayed: [String: RecordKey] = [:]

    /// - Parameters:
    ///   - sort: the order chosen by a subscriber; `nil` if the section offers none.
    ///   - locales: in order of preference.
    init(
        _ query: Programme.RecordQuery, in collection: CollectionName, _ members: [StoredMember], sort: RecordSort?,
        locales: [String], scope: RecordScope, presentation: RecordPresentation
    ) {
        self.query = query
        self.collection = collection
        family = query.family(sort: (query.sort ?? sort)?.shown(in: locales))
        let shown = sort?.shown(in: locales)
        self.sort = family.sort == shown ? nil : shown
        self.presentation = presentation
        excluded = Set(query.excluded.compactMap { $0.id(in: scope) })
        order = query.order(of: family, in: scope, record: nil)
        values = MemberValues(of: [collection])
        for member in members {
            values.keep(member, of: member.name)
            if member.collection == collection, let id = query.id(of: member.subject) { ids.insert(id) }
        }
    }

    private func record(_ id: String) -> RecordID { RecordID(type: query.type, id: id) }

    private func trigger(_ id: String) -> Trigger { .record(.typed(record(id))) }

    var triggers: Set<Trigger> {
        let records = Set(ids.map(trigger))
        return isTimed ? records.union([.record(.time)]) : records
    }

    /// Whether time decides which records are shown.
    private var isTimed: Bool { !family.movingBounds.isEmpty }
    var reloadsTriggers: Bool { false }
    var total: Int { min(candidates.count, query.limit) }
    var isCapped: Bool { candidates.count > query.limit }
    var members: [StoredMember] { values.members }

    func listens(to trigger: Trigger) -> Bool {
        if trigger == .record(.time) { return isTimed }
        guard case .record(.typed(let record)) = trigger else { return false }
        return record.type == query.type && ids.contains(record.id)
    }

    func members(first limit: Int) -> [Member] {
        let chosen = candidates.keys.prefix(query.limit)
        let shown = sort == nil ? Array(chosen) : chosen.compactMap { displayed[$0.id] }.sorted()
        return shown.prefix(limit).map { .text($0.id) }
    }

    mutating func reload(_ catalogue: inout Catalogue) {
        let records = catalogue.records
        conditions = query.conditions.resolved(at: catalogue.now)
        candidates = CandidateList(ids.compactMap { id in records[record(id)].flatMap { key(of: $0, id) } })
        displayed = [:]
        for key in candidates.keys { note(key.id, records[record(key.id)]) }
    }

    /// The key of one of the records shown in the order that decides; `nil` for any other record.
    func key(of id: String, in catalogue: Catalogue) -> RecordKey? {
        ids.contains(id) ? catalogue.records[record(id)].flatMap { key(of: $0, id) } : nil
    }

    /// A record's key in the order that decides; `nil` if it doesn't meet the conditions.
    private func key(of bytes: [UInt8], _ id: String) -> RecordKey? {
        guard let order, !excluded.contains(id),
            family.groups(of: bytes, meeting: conditions).contains(order.value)
        else { return nil }
        return family.key(of: bytes, id: id)
    }

    /// - Parameter bytes: the record's bytes; `nil` if it is no longer a candidate.
    private mutating func note(_ id: String, _ bytes: [UInt8]?) {
        guard let sort else { return }
        displayed[id] = bytes.map { sort.key(of: $0, id: id) }
    }

    private mutating func move(
        _ id: String, from old: [UInt8]?, to new: [UInt8]?, _ work: inout ScreenCounters
    ) {
        let key = new.flatMap { self.key(of: $0, id) }
        candidates.replace(old.flatMap { self.key(of: $0, id) }, by: key, &work)
        note(id, key == nil ? nil : new)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        if case .trigger(.record(.time)) = event { return .members(except: []) }
        guard case .record(let change) = event, change.id.type == query.type, ids.contains(change.id.id) else {
            return .none
        }
        move(change.id.id, from: change.old, to: change.new, &work)
        return .item(.text(change.id.id))
    }

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction {
        var triggers = TriggerChange()
        var touched: Set<Member> = []
        for move in moves where values.keep(move.member, of: move.change.name) {
            guard let id = query.id(of: move.change.subject) else { continue }
            let bytes = catalogue.records[record(id)]
            if move.member == nil, ids.remove(id) != nil {
                triggers.remove(trigger(id))
                self.move(id, from: bytes, to: nil, &work)
            } else if move.member != nil, ids.insert(id).inserted {
                triggers.add(trigger(id))
                self.move(id, from: nil, to: bytes, &work)
            } else {
                continue
            }
            touched.insert(.text(id))
        }
        return MembersReaction(reaction: touched.isEmpty ? .none : .items(touched), triggers: triggers)
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member else { return nil }
        return presentation.item(of: record(id), &maker, in: catalogue)
    }
}

extension Programme.RecordQuery {
    /// The id of the record that a subject names; `nil` if it is of another type.
    func id(of subject: String) -> String? {
        Subject(subject).record.flatMap { $0.type == type ? $0.id : nil }
    }
}
