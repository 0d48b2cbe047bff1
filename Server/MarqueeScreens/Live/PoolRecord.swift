import MarqueeCatalogue
import MarqueeModel

/// One record: the one chosen for a pool while it meets the query's conditions, whatever its rank; otherwise the
/// query's first.
struct PoolRecord: SectionQuery {
    private let pool: String
    private let order: RecordOrder
    private let presentation: RecordPresentation
    private var choice: RecordID?
    private var shown: String?

    /// - Parameter locales: in order of preference.
    init(
        pool: String, _ query: Programme.RecordQuery, locales: [String], presentation: RecordPresentation
    ) {
        self.pool = pool
        order = RecordOrder(family: query.family(sort: query.sort?.shown(in: locales)), value: nil)
        self.presentation = presentation
    }

    var triggers: Set<Trigger> {
        var triggers: Set<Trigger> = [.record(.pool(pool))]
        // The chosen record may stop meeting the conditions as time passes, whatever its rank.
        if choice != nil, !order.family.movingBounds.isEmpty { triggers.insert(.record(.time)) }
        for record in [choice, shown.map(record)].compactMap({ $0 }) { triggers.insert(.record(.typed(record))) }
        return triggers
    }
    var watches: [OrderWatch] { [OrderWatch(order: order, bound: 1)] }
    var total: Int { shown == nil ? 0 : 1 }

    private func record(_ id: String) -> RecordID { RecordID(type: order.family.type, id: id) }

    func members(first limit: Int) -> [Member] { shown.map { [.text($0)] } ?? [] }

    mutating func reload(_ catalogue: inout Catalogue) {
        choice = if case .record(let record)? = catalogue.choice(of: pool) { record } else { nil }
        if let choice, choice.type == order.family.type, let bytes = catalogue.records[choice],
            !order.family.groups(of: bytes, meeting: order.family.conditions.resolved(at: catalogue.now)).isEmpty
        {
            shown = choice.id
        } else {
            catalogue.prepare(order.family)
            shown = catalogue.records.id(in: order, at: 0)
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member else { return nil }
        return presentation.item(of: record(id), &maker, in: catalogue)
    }
}

extension Programme.RecordQuery {
    /// The orders that contain the pool's possible choices.
    ///
    /// - Parameter programme: texts are compared in its first locale.
    func family(in programme: Programme) -> RecordFamily {
        family(sort: sort?.shown(in: programme.preference(for: programme.locales.first ?? "en")))
    }
}
