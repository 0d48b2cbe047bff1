import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeWire

@testable import MarqueeScreens

/// Computes every view and variant from scratch by filtering and sorting all records: slow, but simple enough to trust.
///
/// It shares only the plain functions from a record to a body and from numbers to a head with the code under test, and
/// no state kept between changes.
struct NaiveScreens {
    private let programme: Programme
    private var movies: [Movie] = []
    private var days: [ChartDay] = []
    private var shownSteps: [String: ChartStep] = [:]
    private var choices: [String: UInt64] = [:]
    private var chosenItems: [String: String] = [:]
    private var shelves: [Shelf] = []
    /// Only for the content of records.
    private var records = Catalogue()
    private let shown = Shown()

    /// Cached movie items: the same function of the same record gives the same result.
    private final class Shown {
        var items: [String: Item] = [:]
    }

    /// - Parameter changes: the catalogue, in any order.
    init(_ changes: [Change], programme: Programme) {
        let pages = changes.compactMap { if case .page(let page) = $0 { page } else { nil } }
        self.programme = programme.expanded(with: { id in pages.first { $0.id == id } }, types: nil)
        for change in changes {
            _ = records.apply(change)
            switch change {
            case .movie(let movie): movies.append(movie)
            case .chartDay(let day): days.append(day)
            case .showChart(let chart, let date, let time): shownSteps[chart] = ChartStep(date: date, time: time)
            case .choose(let pool, let movie): choices[pool] = movie
            case .chooseItem(let pool, let item): chosenItems[pool] = item
            case .shelf(let shelf): shelves.append(shelf)
            default: break
            }
        }
    }

    // MARK: - Views

    /// - Returns: `nil` if the programme has no such screen.
    func version(of key: ViewKey) -> Version? {
        guard let (screen, argument) = programme.screen(named: key.screen) else { return nil }
        let items = screen.sections.map {
            Bodies.item(ofSection: $0.id, isPrivate: $0.isPrivate, placeholders: $0.placeholders)
        }
        return Version(
            head: BodyCodec.encode(ViewHead(title: title(screen, key.screen, argument, key.locale))), items: items)
    }

    private func title(
        _ screen: Programme.Screen, _ name: String, _ argument: UInt64?, _ locale: String
    ) -> String {
        switch screen.argument {
        case .movie?: movie(argument)?.localizedTitle(in: locale) ?? screen.title.text(in: locale)
        case .genre?:
            argument.flatMap { records.genres[$0]?.localizedName(in: locale) } ?? screen.title.text(in: locale)
        case .item?: item(String(name.dropFirst("item/".count))).flatMap(bannerTitle) ?? screen.title.text(in: locale)
        case .record?, .text?, nil: screen.title.text(in: locale)
        }
    }

    // MARK: - Sections

    /// - Returns: `nil` if the programme has no such variant.
    func version(of key: VariantKey, favorites: [StoredMember]) -> Version? {
        guard let (screen, argument) = programme.screen(named: key.screen),
            let section = screen.sections.first(where: { $0.id == key.section }),
            section.sorts.isEmpty ? key.sort == "" : section.sorts.contains(where: { $0.id == key.sort }),
            section.windows.isEmpty ? key.window == 0 : section.windows.contains(key.window)
        else { return nil }
        let all = items(of: section, argument, key, favorites)
        let visible = section.windows.isEmpty ? all : Array(all.prefix(Int(key.window)))
        let headline = Headline(
            screenTitle: title(screen, key.screen, argument, key.locale), step: step(of: section.source),
            total: all.count, count: visible.count,
            fault: fault(of: section.source, key.screen, argument))
        return Version(head: BodyCodec.encode(section.head(of: headline, key: key)), items: visible)
    }

    private func fault(of source: Programme.Source, _ screen: String, _ argument: UInt64?) -> SectionFault? {
        switch source {
        case .detail, .credits: movie(argument) == nil ? .movieIsGone : nil
        case .shelf(let id), .shelfPool(_, let id): shelves.contains { $0.id == id } ? nil : .shelfIsMissing
        case .item: item(String(screen.dropFirst("item/".count))) == nil ? .itemIsGone : nil
        case .chart: step(of: source) == nil ? .chartIsMissing : nil
        default: nil
        }
    }

    private func step(of source: Programme.Source) -> ChartStep? {
        guard case .chart(let id, _) = source else { return nil }
        return days.last { $0.chart == id && $0.step == shownSteps[id] }?.step
    }

    private func items(
        of section: Programme.Section, _ argument: UInt64?, _ key: VariantKey, _ favorites: [StoredMember]
    ) -> [Item] {
        let locale = key.locale
        let prose = [SectionKind.main, .large, .hero].contains(section.kind)
        func show(_ movies: [Movie], sort: MovieSort?) -> [Item] {
            (sort.map { ordered(movies, by: $0) } ?? movies).map { movie in
                let name = "\(movie.id) \(locale) \(prose)"
                if let item = shown.items[name] { return item }
                let content = records.content(of: movie, locale: locale, prose: prose)
                let item = Bodies.item(id: "movie/\(movie.id)", subject: "movie/\(movie.id)", .movie(content))
                shown.items[name] = item
                return item
            }
        }
        let sort = MovieSort(rawValue: key.sort)
        let newest = favorites.sorted { a, b in
            a.revision == b.revision ? a.subject < b.subject : a.revision > b.revision
        }
        switch section.source {
        case .movies(let query): return show(Array(found(query, argument).prefix(query.limit)), sort: sort)
        case .fixedMovies(let ids): return show(ids.compactMap { movie($0) }, sort: sort)
        case .pool(let name, let query):
            let all = found(query, argument)
            let chosen = choices[name].flatMap { id in all.first { $0.id == id } }
            return show([chosen ?? all.first].compactMap { $0 }, sort: nil)
        case .collection:
            return newest.compactMap { favorite in
                let subject = Subject(favorite.subject)
                if let id = subject.movie {
                    return self.show(.movie(id), id: subject.name, subject: "movie/\(id)", locale, prose: prose)
                }
                guard subject.name.hasPrefix("item/") else { return nil }
                return item(String(subject.name.dropFirst("item/".count))).flatMap {
                    self.show($0.content, id: subject.name, subject: subject.name, locale, prose: prose)
                }
            }
        case .shelf(let id): return shelfItems(id).compactMap { self.show($0, of: id, locale) }
        case .shelfPool(let name, let id):
            let all = shelfItems(id)
            let chosen = all.first { $0.id == chosenItems[name] } ?? all.first
            return [chosen].compactMap { $0.flatMap { self.show($0, of: id, locale) } }
        case .item:
            let name = String(key.screen.dropFirst("item/".count))
            return [item(name)].compactMap { item in
                item.flatMap { self.show($0.content, id: $0.id, subject: "item/\(name)", locale, prose: true) }
            }
        case .collectionSet:
            return newest.map {
                Bodies.item(id: $0.subject, subject: $0.subject, .member(revision: $0.revision, value: nil))
            }
        case .chart(let id, let limit):
            let day = days.last { $0.chart == id && $0.step == shownSteps[id] }
            return (day?.entries ?? []).prefix(limit).map { entry in
                let content = records.content(of: entry, movie: movie(entry.movie), locale: locale)
                return Bodies.item(
                    id: "release/\(entry.key)", subject: entry.movie.map { "movie/\($0)" } ?? "", .chartEntry(content))
            }
        case .items(let items): return items.compactMap { inline($0, locale) }
        case .genres(let ids): return ids.compactMap { tile($0, locale) }
        case .detail:
            return [movie(argument)].compactMap { $0 }.map { movie in
                Bodies.item(
                    id: "movie/\(movie.id)", subject: "movie/\(movie.id)",
                    .detail(records.detail(of: movie, locale: locale)))
            }
        // `NaiveRecords` judges these.
        case .records, .record, .nested, .list, .listPool, .facet, .recordPool: return []
        case .credits(let limit):
            guard let movie = movie(argument) else { return [] }
            return CreditList(of: movie.id, in: records, castLimit: limit).entries.map {
                Bodies.item(id: $0.id, subject: "person/\($0.person)", .credit($0.content))
            }
        }
    }

    // MARK: - Shelves

    private func shelfItems(_ id: String) -> [ShelfItem] { shelves.first { $0.id == id }?.items ?? [] }

    /// - Parameter name: `shelf/item`.
    private func item(_ name: String) -> ShelfItem? {
        for shelf in shelves where name.hasPrefix(shelf.id + "/") {
            return shelf.items.first { $0.id == name.dropFirst(shelf.id.count + 1) }
        }
        return nil
    }

    private func bannerTitle(_ item: ShelfItem) -> String? {
        if case .banner(let banner) = item.content, !banner.title.isEmpty { banner.title } else { nil }
    }

    private func show(_ item: ShelfItem, of shelf: String, _ locale: String) -> Item? {
        show(item.content, id: item.id, subject: "item/\(shelf)/\(item.id)", locale, prose: true)
    }

    private func show(
        _ content: ShelfItem.Content, id: String, subject: String, _ locale: String, prose: Bool
    ) -> Item? {
        switch content {
        case .movie(let movie):
            self.movie(movie).map {
                Bodies.item(
                    id: id, subject: "movie/\(movie)", .movie(records.content(of: $0, locale: locale, prose: prose)))
            }
        case .banner(let banner): Bodies.item(id: id, subject: subject, .banner(banner))
        case .other(let type, let value): Bodies.item(id: id, subject: subject, otherType: type, value: value)
        default: nil
        }
    }

    private func inline(_ item: Programme.InlineItem, _ locale: String) -> Item? {
        switch item.content {
        case .movie(let id):
            movie(id).map {
                Bodies.item(
                    id: item.id, subject: "movie/\(id)",
                    .movie(records.content(of: $0, locale: locale, prose: true)))
            }
        case .text(let text, _, _):
            Bodies.item(id: item.id, subject: "", .text(TextContent(text: text.text(in: locale))))
        default: nil
        }
    }

    private func tile(_ genre: UInt64, _ locale: String) -> Item? {
        guard let name = records.genres[genre]?.localizedName(in: locale) else { return nil }
        let members = movies.filter { $0.genres?.contains(genre) ?? false }
        let content = GenreContent(
            id: genre, name: name, image: ordered(members, by: .revenue).first?.backdrop, movies: UInt32(members.count))
        return Bodies.item(id: "genre/\(genre)", subject: "genre/\(genre)", .genre(content))
    }

    // MARK: - Movies

    private func movie(_ id: UInt64?) -> Movie? { movies.first { $0.id == id } }

    private func found(_ query: Programme.MovieQuery, _ argument: UInt64?) -> [Movie] {
        let genre: UInt64? =
            switch query.filter {
            case .all: nil
            case .genre(let id): id
            case .argument: argument
            }
        return ordered(movies.filter { genre == nil || $0.genres?.contains(genre ?? 0) ?? false }, by: query.sort)
    }

    /// The rules of `MovieSort`, implemented independently.
    private func ordered(_ movies: [Movie], by sort: MovieSort) -> [Movie] {
        func descending<Value: Comparable>(_ value: (Movie) -> Value?) -> [Movie] {
            movies.sorted { a, b in
                switch (value(a), value(b)) {
                case (let x?, let y?) where x != y: x > y
                case (nil, _?): false
                case (_?, nil): true
                default: a.id < b.id
                }
            }
        }
        switch sort {
        case .popularity: return descending(\.popularity)
        case .revenue: return descending { $0.revenue == 0 ? nil : $0.revenue }
        case .releaseDate: return descending(\.releaseDate)
        case .rating: return descending(\.voteAverage)
        case .title: return movies.sorted { ($0.title.lowercased(), $0.id) < ($1.title.lowercased(), $1.id) }
        }
    }
}
