package import MarqueeCatalogue
import MarqueeModel

extension Screens {
    /// The possible choices for a pool: one change per movie, item, record or entry it may show.
    ///
    /// - Returns: empty for a pool the programme doesn't have.
    package mutating func choices(of pool: String) -> [Change] {
        for section in programme.screens.flatMap(\.sections) {
            switch section.source {
            case .pool(pool, let query):
                let genre: UInt64? = if case .genre(let id) = query.filter { id } else { nil }
                let order = OrderName(genre: genre, sort: query.sort)
                catalogue.prepare(order)
                return catalogue.movieIDs(in: order, first: query.limit).map { .choose(pool: pool, movie: $0) }
            case .shelfPool(pool, let shelf):
                return (catalogue.shelf(shelf)?.items ?? []).map { .chooseItem(pool: pool, item: $0.id) }
            case .listPool(pool, let query):
                let edition = query.showsEdition ? catalogue.lists.shownEdition(of: query.list) : query.edition
                let entries = catalogue.lists[ListName(query.list, edition: edition)]?.prefix(query.limit) ?? []
                return entries.filter { $0.record.map(catalogue.records.contains) ?? true }.map {
                    .chooseItem(pool: pool, item: $0.key)
                }
            case .recordPool(pool, let query):
                let family = query.family(in: programme)
                catalogue.prepare(family)
                return catalogue.records.ids(in: RecordOrder(family: family, value: nil), first: query.limit).map {
                    .chooseRecord(pool: pool, record: RecordID(type: query.type, id: $0))
                }
            default: continue
            }
        }
        return []
    }

    /// A pool's current choice.
    package func choice(of pool: String) -> Change? {
        if let record = catalogue.chosenRecord(of: pool) { return .chooseRecord(pool: pool, record: record) }
        if let item = catalogue.chosenItem(of: pool) { return .chooseItem(pool: pool, item: item) }
        return catalogue.choice(of: pool).map { .choose(pool: pool, movie: $0) }
    }
}
