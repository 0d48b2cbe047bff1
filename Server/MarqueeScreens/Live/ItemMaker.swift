import MarqueeDiff
import MarqueeModel

/// An item with what a version needs to know of it.
struct MadeItem: Sendable {
    var item: Item
    var bodyHash: UInt64
    /// Genres that the item names.
    var genres: [UInt64] = []
}

/// Makes items, and keeps those of movies, which stand in many sections, until the movie changes.
struct ItemMaker: Sendable {
    /// Movies whose items are kept, at most; beyond that all are forgotten, and made again where they are shown.
    static let maximumMovies = 65_536

    private struct Kept {
        var locale: String
        var prose: Bool
        var made: MadeItem
    }

    private var kept: [UInt64: [Kept]] = [:]
    /// Items made since the start.
    private(set) var count: UInt64 = 0

    /// - Parameter prose: whether to carry the overview.
    /// - Returns: `nil` when there is no such movie.
    mutating func movie(_ id: UInt64, locale: String, prose: Bool, in catalogue: Catalogue) -> MadeItem? {
        if let known = kept[id]?.first(where: { $0.prose == prose && $0.locale == locale }) { return known.made }
        guard let movie = catalogue.movie(id) else { return nil }
        let content = catalogue.content(of: movie, locale: locale, prose: prose)
        let subject = Subject.movie(id).name
        let made = make(subject, subject: subject, .movie(content), naming: movie.genres ?? [])
        if kept.count >= ItemMaker.maximumMovies { kept.removeAll() }
        kept[id, default: []].append(Kept(locale: locale, prose: prose, made: made))
        return made
    }

    /// - Parameter genres: those that the content names.
    mutating func make(
        _ id: String, subject: String, _ content: ItemContent, naming genres: [UInt64] = []
    ) -> MadeItem {
        made(Bodies.item(id: id, subject: subject, content), naming: genres)
    }

    /// Takes in an item that was just made.
    mutating func made(_ item: Item, naming genres: [UInt64] = []) -> MadeItem {
        count += 1
        return MadeItem(item: item, bodyHash: XXH64.hash(item.body), genres: genres)
    }

    /// The movie has changed.
    mutating func forget(movie: UInt64) { kept[movie] = nil }

    /// Something that movies' items name has changed.
    mutating func forgetMovies() { kept.removeAll() }
}
