import MarqueeModel

/// Movies listed individually in the programme. Those missing from the catalogue are left out.
struct ListedMovies: SectionQuery {
    /// Each movie's position, unless a sort decides.
    private let places: [UInt64: SortKey]
    private let sort: MovieSort?
    private let presentation: MoviePresentation
    private var candidates = CandidateList<SortKey>()

    /// - Parameter sort: `nil`: in the order given.
    init(ids: [UInt64], sort: MovieSort?, presentation: MoviePresentation) {
        places = Dictionary(
            ids.enumerated().map { ($1, SortKey(ordinal: UInt64($0), id: $1)) }, uniquingKeysWith: { first, _ in first }
        )
        self.sort = sort
        self.presentation = presentation
    }

    var triggers: Set<Trigger> { Set(places.keys.map { .record(.movie($0)) }) }
    var total: Int { candidates.count }

    func members(first limit: Int) -> [Member] { candidates.keys.prefix(limit).map { .number($0.id) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        let keys = places.values.filter { catalogue.hasMovie($0.id) }
        candidates = CandidateList(sort.map { sort in keys.compactMap { catalogue.key(of: $0.id, by: sort) } } ?? keys)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .movie(let move) = event, let place = places[move.id] else { return .none }
        candidates.replace(
            move.old.map { sort?.key(of: $0) ?? place }, by: move.new.map { sort?.key(of: $0) ?? place }, &work)
        return .item(.number(move.id))
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        member.number.flatMap { presentation.item(of: $0, &maker, in: catalogue) }
    }
}
