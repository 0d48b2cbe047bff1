package import MarqueeCatalogue
import MarqueeModel

extension Screens {
    /// The possible choices for a pool: one change for each record or entry that it may show.
    ///
    /// - Returns: an empty array if the programme doesn't have the pool.
    package mutating func choices(of pool: String) -> [Change] {
        for section in programme.screens.flatMap(\.allSections) {
            switch section.source {
            case .listPool(pool, let query):
                let edition = query.showsEdition ? catalogue.lists.shownEdition(of: query.list) : query.edition
                let entries = catalogue.lists[ListName(query.list, edition: edition)]?.prefix(query.limit) ?? []
                let presentation = RecordPresentation(bodies: section.bodies, locale: programme.locales.first ?? "en")
                return entries.filter { presentation.shows($0, in: catalogue) }.map {
                    .chooseEntry(pool: pool, entry: $0.key)
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
        catalogue.choice(of: pool).map { choice in
            switch choice {
            case .record(let record): .chooseRecord(pool: pool, record: record)
            case .entry(let entry): .chooseEntry(pool: pool, entry: entry)
            }
        }
    }
}

extension Programme {
    /// The names of its pools.
    package var pools: [String] {
        screens.flatMap(\.allSections).compactMap { section in
            switch section.source {
            case .listPool(let name, _), .recordPool(let name, _): name
            default: nil
            }
        }
    }
}
