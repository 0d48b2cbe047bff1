import MarqueeModel
import MarqueeStore

/// What the programme says about one variant: all that its content is made of, beside the catalogue and the user's
/// favorites.
struct SectionDefinition: Hashable, Sendable {
    var screen: ScreenTitle
    var section: Programme.Section
    /// The order chosen by a subscriber; `nil` where the section offers none.
    var sort: MovieSort?
    var window: Int?
    var locale: String

    /// - Throws: `invalidArgument` when the programme has no such variant (any more).
    init(of key: VariantKey, in screen: Programme.Screen, argument: UInt64?) throws(Status) {
        guard let section = screen.sections.first(where: { $0.id == key.section }), section.has(key) else {
            throw Status(
                .invalidArgument, reason: "UNKNOWN_VARIANT", remedy: .resync,
                message: "'\(key.screen)' has no section '\(key.section.prefix(64))' with these parameters")
        }
        self.screen = ScreenTitle(of: screen, named: key.screen, argument: argument, locale: key.locale)
        self.section = section
        sort = MovieSort(rawValue: key.sort)
        window = section.windows.isEmpty ? nil : Int(key.window)
        locale = key.locale
    }

    /// The query that finds what the section shows.
    ///
    /// - Parameter favorites: of the variant's user; ignored where the section is not private.
    func query(favorites: [Favorite]) -> any SectionQuery {
        let movies = MoviePresentation(locale: locale, prose: section.kind.showsProse)
        switch section.source {
        case .movies(let query):
            return RankedMovies(
                order: query.order(argument: screen.argument), limit: query.limit, sort: sort, presentation: movies)
        case .fixedMovies(let ids): return ListedMovies(ids: ids, sort: sort, presentation: movies)
        case .pool(let name, let query):
            return PoolMovie(pool: name, order: query.order(argument: screen.argument), presentation: movies)
        case .chart(let id, let limit): return ChartEntries(chart: id, limit: limit, locale: locale)
        case .items(let items): return InlineItems(items, locale: locale)
        case .genres(let ids): return GenreTiles(genres: ids, locale: locale)
        case .shelf(let id): return ShelfItems(shelf: id, pool: nil, locale: locale)
        case .shelfPool(let name, let id): return ShelfItems(shelf: id, pool: name, locale: locale)
        case .item: return ScreenItem(item: screen.item, locale: locale)
        // Only screens whose name carries a movie have these.
        case .detail: return MovieDetail(movie: screen.argument ?? 0, locale: locale)
        case .credits(let limit): return MovieCredits(movie: screen.argument ?? 0, limit: limit)
        case .favorites: return FavoriteItems(favorites, presentation: movies)
        case .favoriteSet: return FavoriteSubjects(favorites)
        }
    }
}

/// The title of a screen, or what it is taken from.
struct ScreenTitle: Hashable, Sendable {
    private let kind: Programme.Argument?
    /// The number behind the slash of the screen's name.
    let argument: UInt64?
    /// The item behind it.
    let item: ItemName?
    private let text: String
    private let locale: String

    init(of screen: Programme.Screen, named name: String, argument: UInt64?, locale: String) {
        kind = screen.argument
        self.argument = argument
        item = screen.argument == .item ? ItemName(ofScreen: name) : nil
        text = screen.title.text(in: locale)
        self.locale = locale
    }

    /// The record whose change may change the title.
    var trigger: Trigger? {
        switch kind {
        case .movie: argument.map { .record(.movie($0)) }
        case .genre: argument.map { .record(.genre($0)) }
        case .item: item.map { .record(.shelf($0.shelf)) }
        case nil: nil
        }
    }

    /// That of the movie, genre or item where the screen shows one, else the programme's.
    func title(in catalogue: Catalogue) -> String {
        let title: String? =
            switch kind {
            case .movie: argument.flatMap { catalogue.movie($0) }?.localizedTitle(in: locale)
            case .genre: argument.flatMap { catalogue.genres[$0] }?.localizedName(in: locale)
            case .item: item.flatMap { catalogue.item($0) }?.title
            case nil: nil
            }
        return (title ?? text).clipped(to: TextBounds.title)
    }
}

extension ItemName {
    /// - Parameter screen: such as `detail/featured/7`.
    init?(ofScreen screen: String) {
        guard let argument = ScreenID(screen).argument else { return nil }
        self.init(argument)
    }
}

extension ShelfItem {
    /// What it is called; `nil` for one that has no name.
    fileprivate var title: String? {
        let title: String? =
            switch content {
            case .banner(let banner): banner.title
            case .text(let text): text.text
            case .course(let course): course.title
            case .place(let place): place.title
            case .categories, .movie, .other: nil
            }
        return title.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Programme.MovieQuery {
    /// - Parameter argument: what the screen's name carries.
    func order(argument: UInt64?) -> OrderName {
        switch filter {
        case .all: OrderName(genre: nil, sort: sort)
        case .genre(let id): OrderName(genre: id, sort: sort)
        case .argument: OrderName(genre: argument, sort: sort)
        }
    }
}

extension Programme {
    /// The orders that its screens are made from.
    ///
    /// - Parameter genres: those that a screen may be asked for.
    func orders(genres: Set<UInt64>) -> Set<OrderName> {
        // What describes a screen by an example takes the most popular movie.
        var orders: Set<OrderName> = [OrderName(genre: nil, sort: .popularity)]
        for source in screens.flatMap(\.sections).map(\.source) {
            switch source {
            case .movies(let query), .pool(_, let query):
                if query.filter == .argument {
                    orders.formUnion(genres.map { query.order(argument: $0) })
                } else {
                    orders.insert(query.order(argument: nil))
                }
            case .genres(let ids): orders.formUnion(ids.map(GenreTiles.order(of:)))
            default: break
            }
        }
        return orders
    }
}

extension Programme.Section {
    /// Whether the key's parameters are among those of this section.
    fileprivate func has(_ key: VariantKey) -> Bool {
        let hasSort = sorts.isEmpty ? key.sort.isEmpty : sorts.contains { $0.order.rawValue == key.sort }
        let hasWindow = windows.isEmpty ? key.window == 0 : windows.contains(key.window)
        return hasSort && hasWindow && isPrivate == (key.user != nil)
    }
}

extension SectionKind {
    /// Whether its movies are shown with their overview.
    fileprivate var showsProse: Bool { [.main, .large, .hero].contains(self) }
}
