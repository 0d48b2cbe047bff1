import MarqueeModel

/// The first movies in an order, shown in that order or another.
struct RankedMovies: SectionQuery {
    private let order: OrderName
    private let limit: Int
    /// The order shown.
    private let sort: MovieSort
    private let presentation: MoviePresentation
    private var candidates = CandidateList<SortKey>()

    init(order: OrderName, limit: Int, sort: MovieSort?, presentation: MoviePresentation) {
        self.order = order
        self.limit = limit
        self.sort = sort ?? order.sort
        self.presentation = presentation
    }

    var triggers: Set<Trigger> { [] }
    var watches: [OrderWatch] { [OrderWatch(order: order, bound: limit)] }
    var total: Int { candidates.count }

    func members(first limit: Int) -> [Member] { candidates.keys.prefix(limit).map { .number($0.id) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        catalogue.prepare(order)
        let ids = catalogue.movieIDs(in: order, first: limit)
        candidates = CandidateList(ids.compactMap { catalogue.key(of: $0, by: sort) })
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .order(let move, let movie) = event else { return .none }
        let wasHere = (move.from ?? .max) < limit
        let isHere = (move.to ?? .max) < limit
        candidates.replace(
            wasHere ? movie.old.map(sort.key(of:)) : nil, by: isHere ? movie.new.map(sort.key(of:)) : nil, &work)
        // A departure promotes the next movie; an arrival evicts the last.
        if wasHere, !isHere, let next = catalogue.movieID(in: order, at: limit - 1) {
            if let key = catalogue.key(of: next, by: sort) { candidates.insert(key, &work) }
            // It may still be shown, if it was evicted since the last renewal, and its changes since then went
            // unnoticed.
            return .items([.number(movie.id), .number(next)])
        } else if isHere, !wasHere, let last = catalogue.movieID(in: order, at: limit) {
            if let key = catalogue.key(of: last, by: sort) { candidates.remove(key, &work) }
        }
        return .item(.number(movie.id))
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        member.number.flatMap { presentation.item(of: $0, &maker, in: catalogue) }
    }
}

/// How a section shows its movies.
struct MoviePresentation: Sendable {
    var locale: String
    /// Whether to include the overview.
    var prose: Bool

    func item(of movie: UInt64, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        maker.movie(movie, locale: locale, prose: prose, in: catalogue)
    }
}
