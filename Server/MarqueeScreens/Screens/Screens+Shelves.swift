import MarqueeModel
import MarqueeStore
import MarqueeWire

/// Sections of shelves, of one item of a shelf, and of favorites, which may be such items.
extension Screens {
    /// - Parameter pool: shows only the item chosen for it while the shelf has that, else the first.
    func fillShelf(_ draft: inout SectionDraft, _ id: String, chosenFor pool: String? = nil) {
        draft.dependencies.keys.insert(.shelf(id))
        guard let shelf = catalogue.shelf(id) else { return draft.fail("SHELF_MISSING", Screens.shelfIsMissing) }
        var items = shelf.items
        if let pool {
            draft.dependencies.keys.insert(.pool(pool))
            let choice = catalogue.chosenItem(of: pool)
            items = (items.first { $0.id == choice } ?? items.first).map { [$0] } ?? []
        }
        for item in items {
            if case .movie(let movie) = item.content { draft.dependencies.keys.insert(.movie(movie)) }
        }
        let present = items.filter { item in
            if case .movie(let movie) = item.content { return catalogue.movies[movie] != nil }
            return true
        }
        for item in draft.shown(of: present) {
            guard let shown = shown(item, of: id, id: item.id, prose: true, noting: &draft) else { continue }
            draft.items.append(shown)
        }
    }

    private static let shelfIsMissing = LocalizedText(
        ["en": "There is nothing to show here yet.", "ko": "아직 표시할 내용이 없습니다."],
        fallback: "There is nothing to show here yet.")

    // MARK: - One item

    /// The item of the screen's name.
    func fillItem(_ draft: inout SectionDraft) {
        guard let name = Screens.itemName(of: draft.screen) else { return }
        draft.dependencies.keys.insert(.shelf(name.shelf))
        guard let item = catalogue.item(name) else { return draft.fail("ITEM_GONE", Screens.itemIsGone) }
        for item in draft.shown(of: [item]) {
            let shown = shown(item, of: name.shelf, id: item.id, prose: true, noting: &draft)
            if let shown { draft.items.append(shown) }
        }
    }

    private static let itemIsGone = LocalizedText(
        ["en": "This is not shown any more.", "ko": "더 이상 제공되지 않습니다."], fallback: "This is not shown any more.")

    /// - Throws: `notFound` when the screen's item isn't there.
    func checkItem(of screen: String) throws(Status) {
        if let name = Screens.itemName(of: screen), catalogue.item(name) != nil { return }
        throw Status(
            .notFound, reason: "UNKNOWN_ITEM", remedy: .fatal, message: "there is no item for '\(screen.prefix(64))'")
    }

    /// The title of the screen's item; `nil` when it has none.
    func itemTitle(of screen: String, noting dependencies: inout Dependencies) -> String? {
        guard let name = Screens.itemName(of: screen) else { return nil }
        dependencies.keys.insert(.shelf(name.shelf))
        return catalogue.item(name)?.title
    }

    private static func itemName(of screen: String) -> ItemName? { ScreenID(screen).argument.flatMap { ItemName($0) } }

    // MARK: - Favorites

    /// Movies and items that the catalogue has, in the order given.
    func fillFavorites(_ draft: inout SectionDraft, _ favorites: [Favorite], of section: Programme.Section) {
        let entries = favorites.compactMap { favorite -> (id: String, shelf: String, item: ShelfItem)? in
            let subject = Subject(favorite.subject)
            if let movie = subject.movie {
                draft.dependencies.keys.insert(.movie(movie))
                let isThere = catalogue.movies[movie] != nil
                return isThere ? (subject.name, "", ShelfItem(id: subject.name, content: .movie(movie))) : nil
            }
            guard let name = subject.item else { return nil }
            draft.dependencies.keys.insert(.shelf(name.shelf))
            return catalogue.item(name).map { (subject.name, name.shelf, $0) }
        }
        for entry in draft.shown(of: entries) {
            let item = shown(
                entry.item, of: entry.shelf, id: entry.id, prose: section.kind.showsProse, noting: &draft)
            if let item { draft.items.append(item) }
        }
    }

    // MARK: - Content

    /// - Parameter id: of the item in its section.
    /// - Returns: `nil` for a movie that is not in the catalogue.
    private func shown(
        _ item: ShelfItem, of shelf: String, id: String, prose: Bool, noting draft: inout SectionDraft
    ) -> Item? {
        let subject = Subject.item(ItemName(shelf: shelf, item: item.id)).name
        switch item.content {
        case .movie(let movie):
            guard let movie = catalogue.movies[movie] else { return nil }
            draft.depend(onGenresOf: movie)
            let content = catalogue.content(of: movie, locale: draft.locale, prose: prose)
            return Bodies.item(id: id, subject: Subject.movie(movie.id).name, .movie(content))
        case .other(let type, let value):
            return Bodies.item(id: id, subject: subject, otherType: type, value: value)
        case .banner(let banner): return Bodies.item(id: id, subject: subject, .banner(banner))
        case .text(let text): return Bodies.item(id: id, subject: subject, .text(text))
        case .course(let course): return Bodies.item(id: id, subject: subject, .course(course))
        case .categories(let titles): return Bodies.item(id: id, subject: subject, .categories(titles))
        case .place(let place): return Bodies.item(id: id, subject: subject, .place(place))
        }
    }
}

extension Catalogue {
    /// An item of a shelf; `nil` when it is gone.
    func item(_ name: ItemName) -> ShelfItem? { shelf(name.shelf)?.items.first { $0.id == name.item } }
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
