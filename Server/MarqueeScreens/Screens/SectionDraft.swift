import MarqueeModel

/// A section while its items are gathered.
struct SectionDraft {
    let locale: String
    /// Items shown, at most; `nil`: all.
    let window: Int?
    var items: [Item] = []
    /// Items that the section could show.
    var total = 0
    var error: String?
    var dependencies = Dependencies()

    init(locale: String, window: Int?) {
        self.locale = locale
        self.window = window
    }

    /// Counts all candidates and gives those that the window shows.
    mutating func shown<Element>(of candidates: [Element]) -> ArraySlice<Element> {
        total = candidates.count
        return candidates.prefix(window ?? candidates.count)
    }

    /// Notes what an item about this movie says.
    mutating func depend(on movie: Movie) {
        dependencies.keys.insert(.movie(movie.id))
        for genre in movie.genres ?? [] { dependencies.keys.insert(.genre(genre)) }
    }
}
