import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Values of a facet, one tile each: either the most frequent values or the given ones.
///
/// A given value that is the id of a record has a tile only while that record exists, and so does a frequent value if
/// the query leaves out missing records.
struct FacetTiles: SectionQuery {
    private let family: RecordFamily
    private let query: Programme.FacetQuery
    private let body: RecordBody
    private let locale: String
    private var values: [FieldValue] = []
    private(set) var isCapped = false
    /// The number of records with each value, as shown on its tile.
    private var counts: [FieldValue: Int] = [:]
    /// Tiles whose counts may have changed while they were beyond the limit.
    private(set) var reread: Set<Member> = []
    /// Values by the ids of their tiles.
    private var valuesOfMembers: [String: FieldValue] = [:]
    /// The records that decide which of the values have a tile, and in which order.
    private(set) var triggers: Set<Trigger> = []
    /// The field that orders the tiles, of the records at the end of `way`.
    private let sort: RecordSort?
    /// The references from the record whose id is a value to the records that order the tiles.
    private let way: RecordValue.Way

    /// - Parameter locales: in order of preference.
    init(_ query: Programme.FacetQuery, body: RecordBody, locale: String, locales: [String]) {
        family = query.family(locales: locales)
        self.query = query
        self.body = body
        self.locale = locale
        if case .record(let sort, let way)? = query.order {
            (self.sort, self.way) = (sort.shown(in: locales), way)
        } else {
            (sort, way) = (nil, [])
        }
        triggers = recordTriggers(of: query.values ?? [], in: nil)
    }

    /// - Parameter catalogue: looks up the records on the way to those that order the tiles.
    private func recordTriggers(of values: [FieldValue], in catalogue: Catalogue?) -> Set<Trigger> {
        Set(values.flatMap { records(of: $0, in: catalogue) }.map { .record(.typed($0)) })
    }

    /// The record whose id is a value, and those on the way from there, as far as they exist; the last may not.
    private func records(of value: FieldValue, in catalogue: Catalogue?) -> [RecordID] {
        guard let first = query.record(of: value) else { return [] }
        guard let catalogue, let bytes = catalogue.records[first] else { return [first] }
        return [first] + way.records(from: bytes) { catalogue.records[$0] }
    }

    var reloadsTriggers: Bool { !way.isEmpty || (query.values == nil && (query.leavesOutMissing || sort != nil)) }

    /// The order of the values, and the first record of each value shown. For given values all records are watched,
    /// because each one that appears or disappears changes a count.
    var watches: [OrderWatch] {
        if let given = query.values { return given.map { OrderWatch(order: order(of: $0), bound: .max) } }
        return [OrderWatch(facet: family, bound: query.limit + 1)]
            + values.map { OrderWatch(order: order(of: $0), bound: 1) }
    }
    var total: Int { values.count }

    func members(first limit: Int) -> [Member] { values.prefix(limit).map { .text(id(of: $0)) } }

    private func order(of value: FieldValue) -> RecordOrder { RecordOrder(family: family, value: value) }

    private func id(of value: FieldValue) -> String {
        "\(family.group?.text ?? "")/\(value.plainText ?? "")".boundedKey
    }

    mutating func reload(_ catalogue: inout Catalogue) {
        if let given = query.values {
            catalogue.prepare(family)
            values = given
        } else {
            catalogue.prepareTally(of: family)
            values = catalogue.records.facetValues(of: family, first: query.limit + 1)
            isCapped = values.count > query.limit
            values = Array(values.prefix(query.limit))
        }
        if reloadsTriggers { triggers = recordTriggers(of: values, in: catalogue) }
        if query.values != nil || query.leavesOutMissing {
            values = values.filter { query.record(of: $0).map { catalogue.records.contains($0) } ?? true }
        }
        values = ordered(values, in: catalogue)
        let known = counts
        counts = [:]
        for value in values { counts[value] = catalogue.records.count(of: value, in: family) }
        reread = Set(values.filter { known[$0] != counts[$0] }.map { .text(id(of: $0)) })
        valuesOfMembers = Dictionary(values.map { (id(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func ordered(_ values: [FieldValue], in catalogue: Catalogue) -> [FieldValue] {
        guard let order = query.order else { return values }
        let collation = Collation(locale: locale)
        let keyed = values.map { value in
            let id = value.text ?? ""
            let key: RecordKey? =
                switch order {
                case .name: RecordKey(key: FieldKey(value, collation: collation), id: id)
                case .record: key(of: value, id, in: catalogue)
                }
            return (value: value, key: key ?? RecordKey(key: FieldKey(nil), id: id))
        }
        return keyed.sorted { $0.key < $1.key }.map(\.value)
    }

    private func key(of value: FieldValue, _ id: String, in catalogue: Catalogue) -> RecordKey? {
        let records = records(of: value, in: catalogue)
        guard records.count == way.count + 1, let bytes = records.last.flatMap({ catalogue.records[$0] }) else {
            return nil
        }
        return sort?.key(of: bytes, id: id)
    }

    /// Whether a record that has changed moves tiles: it has another value to order by, or leads to another record.
    private func reorders(_ move: RecordMove) -> Bool {
        if let next = way.first, move.id.type == query.referred,
            move.old.flatMap({ next.record(in: $0) }) != move.new.flatMap({ next.record(in: $0) })
        {
            return true
        }
        guard let sort, move.id.type == way.last?.type ?? query.referred else { return false }
        return move.old.map { sort.key(of: $0, id: "") } != move.new.map { sort.key(of: $0, id: "") }
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .facet: return .members(except: [])
        case .recordOrder(let move, _):
            guard move.order.family == family, let value = move.order.value else { return .none }
            let changesCount = move.from == nil || move.to == nil
            return move.firstRank == 0 || changesCount ? .item(.text(id(of: value))) : .none
        case .record(let move):
            guard triggers.contains(.record(.typed(move.id))) else { return .none }
            // Find the members again if a record that decides about a tile appeared or disappeared, or if a tile moves.
            return reorders(move) || (move.old == nil) != (move.new == nil) ? .members(except: []) : .none
        default: return .none
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member, let value = valuesOfMembers[id] else { return nil }
        let first = catalogue.records.id(in: order(of: value), at: 0)
        let bytes = first.flatMap { catalogue.records[RecordID(type: family.type, id: $0)] }
        var reader = RecordReader(
            id: first ?? "", bytes: bytes,
            facet: (value: value.plainText ?? "", count: catalogue.records.count(of: value, in: family)),
            locale: locale, fallbackLocale: body.fallbackLocale, in: catalogue.records)
        let record = query.record(of: value)
        // A tile whose value is the id of a missing record has no subject.
        let subject = record.flatMap { catalogue.records.contains($0) ? $0.subject.name : nil }
        var made = maker.make(id, subject: subject ?? "", body.form, of: &reader)
        if let trigger = record.map({ Trigger.record(.typed($0)) }), !made.dependencies.contains(trigger) {
            made.dependencies.append(trigger)
        }
        return made
    }
}

extension Programme.FacetQuery {
    /// The record whose id is this value.
    fileprivate func record(of value: FieldValue) -> RecordID? {
        guard let referred, let id = value.plainText else { return nil }
        return RecordID(type: referred, id: id)
    }
}
