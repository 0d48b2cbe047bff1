import MarqueeModel
import MarqueePresets

/// Genre tiles, each with the backdrop of its top movie by revenue. Genres without a name are left out.
struct GenreTiles: SectionQuery {
    private let genres: [UInt64]
    private let locale: String
    private var named: [UInt64] = []

    init(genres: [UInt64], locale: String) {
        self.genres = genres
        self.locale = locale
    }

    var triggers: Set<Trigger> { Set(genres.flatMap { [.record(.genre($0)), .movieCount($0)] }) }
    var watches: [OrderWatch] { genres.map { OrderWatch(order: GenreTiles.order(of: $0), bound: 1) } }
    var total: Int { named.count }

    func members(first limit: Int) -> [Member] { named.prefix(limit).map { .number($0) } }

    static func order(of genre: UInt64) -> OrderName { OrderName(genre: genre, sort: .revenue) }

    mutating func reload(_ catalogue: inout Catalogue) {
        for genre in genres { catalogue.prepare(GenreTiles.order(of: genre)) }
        named = genres.filter { catalogue.genres[$0]?.localizedName(in: locale) != nil }
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .order(let move, _): move.order.genre.map { .item(.number($0)) } ?? .none
        case .trigger(.movieCount(let genre)): .item(.number(genre))
        case .trigger(.record(.genre(let genre))): .members(except: [.number(genre)])
        default: .none
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard let id = member.number, let name = catalogue.genres[id]?.localizedName(in: locale) else { return nil }
        let top = catalogue.movieID(in: GenreTiles.order(of: id), at: 0).flatMap(catalogue.movie)
        let content = GenreContent(
            id: id, name: name.clipped(to: TextBounds.name), image: top?.backdrop?.clipped,
            movies: UInt32(clamping: catalogue.movieCount(of: id)))
        let subject = "genre/\(id)"
        return maker.make(subject, subject: subject, .genre(content))
    }
}
