package import MarqueeModel

extension Screens {
    /// What can be chosen for a pool: one change for each movie or item that it may show.
    ///
    /// - Returns: nothing for a pool that the programme does not have.
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
            default: continue
            }
        }
        return []
    }

    /// What is chosen for a pool now.
    package func choice(of pool: String) -> Change? {
        if let item = catalogue.chosenItem(of: pool) { return .chooseItem(pool: pool, item: item) }
        return catalogue.choice(of: pool).map { .choose(pool: pool, movie: $0) }
    }
}
