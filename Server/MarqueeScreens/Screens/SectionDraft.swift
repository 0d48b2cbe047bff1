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

    /// Notes the genres that an item about this movie names. That it depends on the movie itself is noted where the movie
    /// was found.
    mutating func depend(onGenresOf movie: Movie) {
        for genre in movie.genres ?? [] { dependencies.keys.insert(.genre(genre)) }
    }
}
