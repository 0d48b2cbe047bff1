import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// The values of a facet that most records have, one tile each.
struct FacetTiles: SectionQuery {
    private let family: RecordFamily
    private let limit: Int
    private let body: RecordBody
    private let locale: String
    private var values: [FieldValue] = []
    /// How many records have each of them, as their tiles say.
    private var counts: [FieldValue: Int] = [:]
    /// A count may have changed beyond the limit.
    private(set) var reread: Set<Member> = []
    /// By the id of their tile.
    private var valuesOfMembers: [String: FieldValue] = [:]

    /// - Parameter locales: in the order of preference.
    init(_ query: Programme.FacetQuery, body: RecordBody, locale: String, locales: [String]) {
        family = query.family(locales: locales)
        limit = query.limit
        self.body = body
        self.locale = locale
    }

    var triggers: Set<Trigger> { [] }
    /// The values, and the first record of each that is shown.
    var watches: [OrderWatch] {
        [OrderWatch(facet: family, bound: limit)] + values.map { OrderWatch(order: order(of: $0), bound: 1) }
    }
    var total: Int { values.count }

    func members(first limit: Int) -> [Member] { values.prefix(limit).map { .text(id(of: $0)) } }

    private func order(of value: FieldValue) -> RecordOrder { RecordOrder(family: family, value: value) }

    private func id(of value: FieldValue) -> String {
        "\(family.group?.text ?? "")/\(value.plainText ?? "")".boundedKey
    }

    mutating func reload(_ catalogue: inout Catalogue) {
        catalogue.prepareTally(of: family)
        values = catalogue.records.facetValues(of: family, first: limit)
        let known = counts
        counts = [:]
        for value in values { counts[value] = catalogue.records.count(of: value, in: family) }
        reread = Set(values.filter { known[$0] != counts[$0] }.map { .text(id(of: $0)) })
        valuesOfMembers = Dictionary(values.map { (id(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .facet: .members(except: [])
        case .recordOrder(let move, _): move.order.value.map { .item(.text(id(of: $0))) } ?? .none
        default: .none
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member, let value = valuesOfMembers[id] else { return nil }
        let first = catalogue.records.id(in: order(of: value), at: 0)
        let bytes = first.flatMap { catalogue.records[RecordID(type: family.type, id: $0)] }
        var reader = RecordReader(
            id: first ?? "", bytes: bytes,
            facet: (value: value.plainText ?? "", count: counts[value] ?? 0),
            locale: locale, fallbackLocale: body.fallbackLocale, in: catalogue.records)
        return maker.make(id, body.form, of: &reader)
    }
}
