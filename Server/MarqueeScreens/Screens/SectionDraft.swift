import MarqueeModel

/// A section while its items are gathered.
struct SectionDraft {
    /// The name of the section's screen.
    let screen: String
    let locale: String
    /// Items shown, at most; `nil`: all.
    let window: Int?
    var items: [Item] = []
    /// Items that the section could show.
    var total = 0
    /// Why the section can't be shown. For people.
    private(set) var error: String?
    /// The same for programs.
    private(set) var errorReason: String?
    var dependencies = Dependencies()

    init(screen: String, locale: String, window: Int?) {
        self.screen = screen
        self.locale = locale
        self.window = window
    }

    /// Notes why the section can't be shown.
    ///
    /// - Parameters:
    ///   - reason: upper case with underscores.
    ///   - text: its language is the draft's.
    mutating func fail(_ reason: String, _ text: LocalizedText) {
        errorReason = reason
        error = text.text(in: String(locale.prefix { $0 != "-" }))
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
