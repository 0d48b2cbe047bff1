import MarqueeModel

extension Programme {
    /// The period in which a section or an item is shown.
    package struct Season: Hashable, Sendable {
        /// The first moment; `nil` for no beginning.
        var from: Moment?
        /// The moment at which it ends; `nil` for no end.
        var until: Moment?

        /// - Parameter now: `nil` is before everything.
        func contains(_ now: Moment?) -> Bool {
            guard let now else { return from == nil }
            return from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true
        }
    }

    /// The moments at which seasons of sections and items begin and end, ascending.
    var seasonBoundaries: [Moment] {
        let seasons = screens.flatMap(\.allSections).flatMap { section -> [Season?] in
            guard case .items(let items) = section.source else { return [section.season] }
            return [section.season] + items.map(\.season)
        }.compactMap { $0 }
        return Set(seasons.flatMap { [$0.from, $0.until] }.compactMap { $0 }).sorted()
    }
}
