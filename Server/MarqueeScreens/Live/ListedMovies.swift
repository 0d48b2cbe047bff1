import MarqueeModel
import MarqueeStore

/// Movies named one by one, by the programme or as a user's favorites. Those that the catalogue lacks are left out.
struct ListedMovies: SectionQuery {
    /// Where each movie stands unless a sort decides.
    private var places: [UInt64: SortKey]
    private let sort: MovieSort?
    private let isFavorites: Bool
    private let presentation: MoviePresentation
    private var candidates = CandidateList()

    /// - Parameter sort: `nil`: in the order given.
    init(ids: [UInt64], sort: MovieSort?, presentation: MoviePresentation) {
        places = Dictionary(
            ids.enumerated().map { ($1, SortKey(ordinal: UInt64($0), id: $1)) }, uniquingKeysWith: { first, _ in first }
        )
        self.sort = sort
        self.isFavorites = false
        self.presentation = presentation
    }

    init(favorites: [Favorite], presentation: MoviePresentation) {
        places = ListedMovies.places(of: favorites)
        self.sort = nil
        self.isFavorites = true
        self.presentation = presentation
    }

    /// Those set last first; by subject where one revision set several.
    private static func places(of favorites: [Favorite]) -> [UInt64: SortKey] {
        let keys = favorites.compactMap { favorite in
            Subject(favorite.subject).movie.map {
                SortKey(ordinal: SortKey.descending(favorite.revision), text: favorite.subject, id: $0)
            }
        }
        return Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: min)
    }

    var triggers: Set<Trigger> { Set(places.keys.map { .record(.movie($0)) }) }
    var total: Int { candidates.count }

    func members(first limit: Int) -> [Member] { candidates.members(first: limit) }

    mutating func reload(_ catalogue: inout Catalogue) {
        let keys = places.values.filter { catalogue.hasMovie($0.id) }
        candidates = CandidateList(sort.map { sort in keys.compactMap { catalogue.key(of: $0.id, by: sort) } } ?? keys)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .movie(let move) = event, let place = places[move.id] else { return .none }
        let oldKey = move.old.map { sort?.key(of: $0) ?? place }
        let newKey = move.new.map { sort?.key(of: $0) ?? place }
        if oldKey != newKey {
            if let oldKey { candidates.remove(oldKey, &work) }
            if let newKey { candidates.insert(newKey, &work) }
        }
        return .item(.number(move.id))
    }

    mutating func take(_ favorites: [Favorite]) -> Set<Member> {
        if isFavorites { places = ListedMovies.places(of: favorites) }
        return []
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        presentation.item(of: member, &maker, in: catalogue)
    }
}
