import MarqueeCatalogue
import MarqueeModel

/// The items of a shelf in the catalogue, or one of them: the one chosen for a pool as long as the shelf has it,
/// otherwise the first. Items of movies missing from the catalogue are left out.
struct ShelfItems: SectionQuery {
    private let shelf: String
    private let pool: String?
    private let locale: String
    private var items: [ShelfItem]?
    /// Indices of the items present.
    private var present: [Int] = []
    private var places: [String: Int] = [:]
    /// Ids of the items that show a movie.
    private var itemsOfMovies: [UInt64: [String]] = [:]

    init(shelf: String, pool: String?, locale: String) {
        self.shelf = shelf
        self.pool = pool
        self.locale = locale
    }

    var triggers: Set<Trigger> {
        var triggers = Set(itemsOfMovies.keys.map { Trigger.record(.movie($0)) })
        triggers.insert(.record(.shelf(shelf)))
        if let pool { triggers.insert(.record(.pool(pool))) }
        return triggers
    }
    var fault: SectionFault? { items == nil ? .shelfIsMissing : nil }
    var total: Int { present.count }

    func members(first limit: Int) -> [Member] {
        guard let items else { return [] }
        return present.prefix(limit).map { .text(items[$0].id) }
    }

    mutating func reload(_ catalogue: inout Catalogue) {
        items = catalogue.shelf(shelf)?.items
        if let pool, let all = items {
            let choice = catalogue.chosenItem(of: pool)
            items = (all.first { $0.id == choice } ?? all.first).map { [$0] } ?? []
        }
        (present, places, itemsOfMovies) = ([], [:], [:])
        for (place, item) in (items ?? []).enumerated() {
            places[item.id] = place
            if case .movie(let movie) = item.content {
                itemsOfMovies[movie, default: []].append(item.id)
                if !catalogue.hasMovie(movie) { continue }
            }
            present.append(place)
        }
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .movie(let move): return .members(except: Set((itemsOfMovies[move.id] ?? []).map { .text($0) }))
        case .trigger(.record(.shelf(shelf))):
            let new = catalogue.shelf(shelf)?.items ?? []
            return .members(except: Set(new.filter { !isKnown($0) }.map { .text($0.id) }))
        case .trigger(.record(.pool)): return .members(except: [])
        default: return .none
        }
    }

    private func isKnown(_ item: ShelfItem) -> Bool {
        guard let items, let place = places[item.id] else { return false }
        return items[place] == item
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member, let items, let place = places[id] else { return nil }
        return maker.item(items[place], of: shelf, as: id, locale: locale, prose: true, in: catalogue)
    }
}

/// The item named by the screen.
struct ScreenItem: SectionQuery {
    private let name: ItemName?
    private let locale: String
    private var item: ShelfItem?
    private var isThere = false

    init(item name: ItemName?, locale: String) {
        self.name = name
        self.locale = locale
    }

    var triggers: Set<Trigger> {
        var triggers: Set<Trigger> = []
        if let name { triggers.insert(.record(.shelf(name.shelf))) }
        if case .movie(let movie)? = item?.content { triggers.insert(.record(.movie(movie))) }
        return triggers
    }
    var fault: SectionFault? { item == nil ? .itemIsGone : nil }
    var total: Int { isThere ? 1 : 0 }

    func members(first limit: Int) -> [Member] {
        guard isThere, let item else { return [] }
        return [.text(item.id)]
    }

    mutating func reload(_ catalogue: inout Catalogue) {
        item = name.flatMap { catalogue.item($0) }
        if case .movie(let movie)? = item?.content {
            isThere = catalogue.hasMovie(movie)
        } else {
            isThere = item != nil
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard let item, let name else { return nil }
        return maker.item(item, of: name.shelf, as: item.id, locale: locale, prose: true, in: catalogue)
    }
}

extension ItemMaker {
    /// An item of a shelf.
    ///
    /// - Parameters:
    ///   - id: the item's id in its section.
    ///   - prose: whether a movie includes its overview.
    /// - Returns: `nil` for a movie missing from the catalogue.
    mutating func item(
        _ item: ShelfItem, of shelf: String, as id: String, locale: String, prose: Bool, in catalogue: Catalogue
    ) -> MadeItem? {
        let subject = Subject.item(ItemName(shelf: shelf, item: item.id)).name
        switch item.content {
        case .movie(let movie):
            guard let movie = catalogue.movie(movie) else { return nil }
            let content = catalogue.content(of: movie, locale: locale, prose: prose)
            return make(id, subject: Subject.movie(movie.id).name, .movie(content), naming: movie.genres ?? [])
        case .other(let type, let value):
            return made(Bodies.item(id: id, subject: subject, otherType: type, value: value))
        case .banner(let banner): return make(id, subject: subject, .banner(banner))
        case .text(let text): return make(id, subject: subject, .text(text))
        case .course(let course): return make(id, subject: subject, .course(course))
        case .categories(let titles): return make(id, subject: subject, .categories(titles))
        case .place(let place): return make(id, subject: subject, .place(place))
        }
    }
}
