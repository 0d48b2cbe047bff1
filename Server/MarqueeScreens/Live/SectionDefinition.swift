import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The programme's definition of one variant: everything its content depends on besides the catalogue and the user's
/// collections.
struct SectionDefinition: Hashable, Sendable {
    /// Empty for a section that doesn't depend on it.
    var screen = ScreenTitle()
    var section: Programme.Section
    /// The order chosen by a subscriber; `nil` where the section offers none.
    var sort: SectionSort?
    var window: Int?
    var locale: String
    /// Where texts of records are looked for, in the order of preference.
    var locales: [String]

    /// - Throws: `invalidArgument` when the programme has no such variant (any more).
    /// - Parameter locales: that texts of records are looked for in, in the order of preference.
    init(
        of key: VariantKey, in screen: Programme.Screen, argument: UInt64?, locales: [String]
    ) throws(Status) {
        guard let section = screen.sections.first(where: { $0.id == key.section }), section.has(key) else {
            throw Status(
                .invalidArgument, reason: "UNKNOWN_VARIANT", remedy: .resync,
                message: "'\(key.screen)' has no section '\(key.section.prefix(64))' with these parameters")
        }
        if section.dependsOnScreen {
            self.screen = ScreenTitle(of: screen, named: key.screen, argument: argument, locale: key.locale)
        }
        self.section = section
        sort = section.sorts.first { $0.id == key.sort }?.order
        window = section.windows.isEmpty ? nil : Int(key.window)
        locale = key.locale
        self.locales = locales
    }

    /// Only of what differs most: hashing every field of every card would cost more than it saves.
    func hash(into hasher: inout Hasher) {
        hasher.combine(screen)
        hasher.combine(section.id)
        hasher.combine(sort?.rawValue)
        hasher.combine(window)
        hasher.combine(locale)
    }

    /// The query that finds what the section shows.
    ///
    /// - Parameter members: of the variant's user's collections; ignored if the section isn't private.
    func query(members: [StoredMember]) -> any SectionQuery {
        let movies = MoviePresentation(locale: locale, prose: section.kind.showsProse)
        let records = RecordPresentation(bodies: section.bodies, locale: locale)
        switch section.source {
        case .movies(let query):
            return RankedMovies(
                order: query.order(argument: screen.argument), limit: query.limit, sort: sort?.movies,
                presentation: movies)
        case .fixedMovies(let ids): return ListedMovies(ids: ids, sort: sort?.movies, presentation: movies)
        case .pool(let name, let query):
            return PoolMovie(pool: name, order: query.order(argument: screen.argument), presentation: movies)
        case .chart(let id, let limit): return ChartEntries(chart: id, limit: limit, locale: locale)
        case .items(let items): return InlineItems(items, locale: locale)
        case .genres(let ids): return GenreTiles(genres: ids, locale: locale)
        case .shelf(let id): return ShelfItems(shelf: id, pool: nil, locale: locale)
        case .shelfPool(let name, let id): return ShelfItems(shelf: id, pool: name, locale: locale)
        case .item: return ScreenItem(item: screen.item, locale: locale)
        // Only screens whose name includes a movie have these.
        case .detail: return MovieDetail(movie: screen.argument ?? 0, locale: locale)
        case .credits(let limit): return MovieCredits(movie: screen.argument ?? 0, limit: limit)
        case .records(let query):
            return RankedRecords(
                query, sort: sort?.records, locales: locales, scope: screen.scope, presentation: records)
        case .record(let type, let reference):
            return RecordDetail(record: reference.record(of: type, in: screen.scope), presentation: records)
        case .nested(let nested):
            guard let body = section.bodies[nested.type] else { return InlineItems([], locale: locale) }
            return NestedItems(
                record: nested.id.record(of: nested.type, in: screen.scope), source: nested, body: body, locale: locale,
                locales: locales)
        case .list(let query): return ListPlaces(query, pool: nil, scope: screen.scope, presentation: records)
        case .listPool(let name, let query):
            return ListPlaces(query, pool: name, scope: screen.scope, presentation: records)
        case .facet(let query):
            guard let body = section.bodies[query.type] else { return InlineItems([], locale: locale) }
            return FacetTiles(query, body: body, locale: locale, locales: locales)
        case .recordPool(let name, let query):
            return PoolRecord(pool: name, query, locales: locales, presentation: records)
        case .collection(let query):
            return CollectionItems(query, members, presentation: movies, records: records)
        case .collectionSet(let collection): return CollectionSubjects(collection, members)
        }
    }
}

/// The title of a screen, or its source.
struct ScreenTitle: Hashable, Sendable {
    private let kind: Programme.Argument?
    /// The number after the slash in the screen's name.
    let argument: UInt64?
    /// The item after the slash.
    let item: ItemName?
    /// What stands behind it, and the record of that id.
    let scope: RecordScope
    private let template: Programme.TitleTemplate?
    private let text: String
    private let locale: String

    /// An empty one.
    init() { (kind, argument, item, scope, template, text, locale) = (nil, nil, nil, RecordScope(), nil, "", "") }

    init(of screen: Programme.Screen, named name: String, argument: UInt64?, locale: String) {
        kind = screen.argument
        self.argument = argument
        item = screen.argument == .item ? ItemName(ofScreen: name) : nil
        var scope = RecordScope()
        switch screen.argument {
        case .record(let type):
            scope.argument = ScreenID(name).argument
            scope.record = scope.argument.map { RecordID(type: type, id: $0) }
        case .text: scope.argument = ScreenID(name).argument
        case .movie, .genre, .item, nil: break
        }
        self.scope = scope
        template = screen.titleTemplate
        text = screen.title.text(in: locale)
        self.locale = locale
    }

    /// The record that may change the title.
    var trigger: Trigger? {
        switch kind {
        case .movie: argument.map { .record(.movie($0)) }
        case .genre: argument.map { .record(.genre($0)) }
        case .item: item.map { .record(.shelf($0.shelf)) }
        case .record: scope.record.map { .record(.typed($0)) }
        case .text, nil: nil
        }
    }

    /// The title of the screen's movie, genre or item if it shows one, otherwise the programme's.
    func title(in catalogue: Catalogue) -> String {
        let title: String? =
            switch kind {
            case .movie: argument.flatMap { catalogue.movie($0) }?.localizedTitle(in: locale)
            case .genre: argument.flatMap { catalogue.genres[$0] }?.localizedName(in: locale)
            case .item: item.flatMap { catalogue.item($0) }?.title
            case .record, .text: scope.argument.map { self.text(of: $0, in: catalogue) }
            case nil: nil
            }
        return (title ?? text).clipped(to: TextBounds.title)
    }
}

extension ScreenTitle {
    /// The title of a screen whose name carries `argument`; that itself where the template leaves nothing.
    private func text(of argument: String, in catalogue: Catalogue) -> String {
        guard let template else { return text }
        var reader = RecordReader(
            id: argument, bytes: scope.record.flatMap { catalogue.records[$0] } ?? [], locale: locale,
            fallbackLocale: template.fallbackLocale, in: catalogue.records)
        return template.text.text(of: &reader) ?? argument
    }
}

extension Programme.RecordReference {
    fileprivate func record(of type: String, in scope: RecordScope) -> RecordID {
        RecordID(type: type, id: id(in: scope) ?? "")
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
    /// Its title; `nil` if it has none.
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
    /// - Parameter argument: the argument in the screen's name.
    func order(argument: UInt64?) -> OrderName {
        switch filter {
        case .all: OrderName(genre: nil, sort: sort)
        case .genre(let id): OrderName(genre: id, sort: sort)
        case .argument: OrderName(genre: argument, sort: sort)
        }
    }
}

extension Programme {
    /// The orders its screens are built from.
    ///
    /// - Parameter genres: those for which a screen may be requested.
    func orders(genres: Set<UInt64>) -> Set<OrderName> {
        // Describing a screen by example uses the most popular movie.
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
    /// Whether this section has the key's parameters.
    fileprivate func has(_ key: VariantKey) -> Bool {
        let hasSort = sorts.isEmpty ? key.sort.isEmpty : sorts.contains { $0.id == key.sort }
        let hasWindow = windows.isEmpty ? key.window == 0 : windows.contains(key.window)
        return hasSort && hasWindow && isPrivate == (key.user != nil)
    }
}

extension SectionKind {
    /// Whether its movies include their overview.
    fileprivate var showsProse: Bool { [.main, .large, .hero].contains(self) }
}
