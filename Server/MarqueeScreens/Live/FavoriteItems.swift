import MarqueeModel
import MarqueeStore

/// What a user has marked and the catalogue has, movies and items of shelves: the newest first, by subject where one
/// revision set several.
struct FavoriteItems: SectionQuery {
    private let presentation: MoviePresentation
    private var revisions: [String: UInt64] = [:]
    private var subjectsOfMovies: [UInt64: Set<String>] = [:]
    private var subjectsOfShelves: [String: Set<String>] = [:]
    /// Those items of shelves that show a movie, by that movie; known once the catalogue was read.
    private var itemsOfMovies: [UInt64: Set<String>] = [:]
    /// The same by item.
    private var moviesOfItems: [String: UInt64] = [:]
    private var candidates = CandidateList()

    init(_ favorites: [Favorite], presentation: MoviePresentation) {
        self.presentation = presentation
        for favorite in favorites { add(favorite.subject, setBy: favorite.revision) }
    }

    private mutating func add(_ name: String, setBy revision: UInt64) {
        revisions[name] = revision
        let subject = Subject(name)
        if let movie = subject.movie {
            subjectsOfMovies[movie, default: []].insert(name)
        } else if let item = subject.item {
            subjectsOfShelves[item.shelf, default: []].insert(name)
        }
    }

    private mutating func remove(_ name: String) {
        revisions[name] = nil
        let subject = Subject(name)
        if let movie = subject.movie {
            subjectsOfMovies.remove(name, from: movie)
        } else if let item = subject.item {
            subjectsOfShelves.remove(name, from: item.shelf)
            if let movie = moviesOfItems.removeValue(forKey: name) { itemsOfMovies.remove(name, from: movie) }
        }
    }

    var triggers: Set<Trigger> {
        let movies = Array(subjectsOfMovies.keys) + itemsOfMovies.keys
        return Set(movies.map { .record(.movie($0)) } + subjectsOfShelves.keys.map { .record(.shelf($0)) })
    }
    var total: Int { candidates.count }
    var favorites: [Favorite] { revisions.map { Favorite(subject: $0.key, revision: $0.value) } }

    private func key(of name: String) -> SortKey? {
        revisions[name].map { SortKey(ordinal: SortKey.descending($0), text: name, id: 0) }
    }

    func members(first limit: Int) -> [Member] { candidates.keys.prefix(limit).map { .text($0.text) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        (itemsOfMovies, moviesOfItems) = ([:], [:])
        let present = revisions.keys.filter { find($0, in: catalogue) }
        candidates = CandidateList(present.compactMap { key(of: $0) })
    }

    /// Whether the catalogue has what is marked; notes which movie an item shows.
    private mutating func find(_ name: String, in catalogue: Catalogue) -> Bool {
        let subject = Subject(name)
        if let movie = subject.movie { return catalogue.hasMovie(movie) }
        guard let item = subject.item.flatMap({ catalogue.item($0) }) else { return false }
        guard case .movie(let movie) = item.content else { return true }
        itemsOfMovies[movie, default: []].insert(name)
        moviesOfItems[name] = movie
        return catalogue.hasMovie(movie)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .movie(let move):
            let subjects = (subjectsOfMovies[move.id] ?? []).union(itemsOfMovies[move.id] ?? [])
            for subject in subjects {
                candidates.replace(
                    move.old.flatMap { _ in key(of: subject) }, by: move.new.flatMap { _ in key(of: subject) }, &work)
            }
            return .items(Set(subjects.map { .text($0) }))
        case .trigger(.record(.shelf(let shelf))):
            return .members(except: Set((subjectsOfShelves[shelf] ?? []).map { .text($0) }))
        default: return .none
        }
    }

    mutating func take(
        _ moves: [FavoriteMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> FavoritesTaken {
        var edits: [MemberEdit] = []
        var triggers = TriggerChange()
        for move in moves {
            let before = related(to: move.subject)
            for trigger in before where listens(to: trigger) { triggers.remove(trigger) }
            if let old = key(of: move.subject) {
                remove(move.subject)
                if let place = candidates.remove(old, &work) { edits.append(.remove(at: place)) }
            }
            if move.isSet {
                add(move.subject, setBy: move.revision)
                if find(move.subject, in: catalogue), let key = key(of: move.subject) {
                    edits.append(.insert(.text(move.subject), at: candidates.insert(key, &work)))
                }
            }
            for trigger in before.union(related(to: move.subject)) where listens(to: trigger) { triggers.add(trigger) }
        }
        return FavoritesTaken(reaction: .edits(edits), triggers: triggers)
    }

    /// What a subject would have it listen to.
    private func related(to name: String) -> Set<Trigger> {
        let subject = Subject(name)
        let movies = [subject.movie, moviesOfItems[name]].compactMap { $0 }.map { Trigger.record(.movie($0)) }
        let shelf = subject.movie == nil ? subject.item.map { Trigger.record(.shelf($0.shelf)) } : nil
        return Set(movies + [shelf].compactMap { $0 })
    }

    private func listens(to trigger: Trigger) -> Bool {
        switch trigger {
        case .record(.movie(let movie)): subjectsOfMovies[movie] != nil || itemsOfMovies[movie] != nil
        case .record(.shelf(let shelf)): subjectsOfShelves[shelf] != nil
        default: false
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let name) = member else { return nil }
        let subject = Subject(name)
        if let movie = subject.movie {
            // Nearly always the same item as in other sections; a movie's number may be spelled otherwise.
            if subject == .movie(movie) { return presentation.item(of: movie, &maker, in: catalogue) }
            return maker.item(
                ShelfItem(id: name, content: .movie(movie)), of: "", as: name, locale: presentation.locale,
                prose: presentation.prose, in: catalogue)
        }
        guard let item = subject.item, let found = catalogue.item(item) else { return nil }
        return maker.item(
            found, of: item.shelf, as: name, locale: presentation.locale, prose: presentation.prose, in: catalogue)
    }
}

extension Dictionary where Value == Set<String> {
    /// Removes a text from the set of a key, and the set with its last text.
    fileprivate mutating func remove(_ text: String, from key: Key) {
        self[key]?.remove(text)
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
