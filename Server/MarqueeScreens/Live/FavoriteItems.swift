import MarqueeModel
import MarqueeStore

/// What a user has marked and the catalogue has, movies and items of shelves: those set last first; by subject where one revision set several.
struct FavoriteItems: SectionQuery {
    private let presentation: MoviePresentation
    /// Where each subject stands that may be shown.
    private var places: [String: SortKey] = [:]
    private var subjectsOfMovies: [UInt64: [String]] = [:]
    private var subjectsOfShelves: [String: [String]] = [:]
    /// Those items of shelves that show a movie, by that movie; known once the catalogue was read.
    private var itemsOfMovies: [UInt64: [String]] = [:]
    private var candidates = CandidateList()

    init(_ favorites: [Favorite], presentation: MoviePresentation) {
        self.presentation = presentation
        set(favorites)
    }

    private mutating func set(_ favorites: [Favorite]) {
        (places, subjectsOfMovies, subjectsOfShelves) = ([:], [:], [:])
        for favorite in favorites {
            let subject = Subject(favorite.subject)
            if let movie = subject.movie {
                subjectsOfMovies[movie, default: []].append(subject.name)
            } else if let name = subject.item {
                subjectsOfShelves[name.shelf, default: []].append(subject.name)
            } else {
                continue
            }
            places[subject.name] = SortKey(
                ordinal: SortKey.descending(favorite.revision), text: subject.name, id: 0)
        }
    }

    var triggers: Set<Trigger> {
        let movies = Array(subjectsOfMovies.keys) + itemsOfMovies.keys
        return Set(movies.map { .record(.movie($0)) } + subjectsOfShelves.keys.map { .record(.shelf($0)) })
    }
    var total: Int { candidates.count }

    func members(first limit: Int) -> [Member] { candidates.keys.prefix(limit).map { .text($0.text) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        itemsOfMovies = [:]
        var present: [SortKey] = []
        for key in places.values {
            let subject = Subject(key.text)
            if let movie = subject.movie {
                if catalogue.hasMovie(movie) { present.append(key) }
            } else if let item = subject.item.flatMap({ catalogue.item($0) }) {
                if case .movie(let movie) = item.content {
                    itemsOfMovies[movie, default: []].append(subject.name)
                    if !catalogue.hasMovie(movie) { continue }
                }
                present.append(key)
            }
        }
        candidates = CandidateList(present)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .movie(let move):
            let subjects = (subjectsOfMovies[move.id] ?? []) + (itemsOfMovies[move.id] ?? [])
            for subject in subjects {
                candidates.replace(
                    move.old.flatMap { _ in places[subject] }, by: move.new.flatMap { _ in places[subject] }, &work)
            }
            return .items(Set(subjects.map { .text($0) }))
        case .trigger(.record(.shelf(let shelf))):
            return .members(except: Set((subjectsOfShelves[shelf] ?? []).map { .text($0) }))
        default: return .none
        }
    }

    mutating func take(_ favorites: [Favorite]) -> Set<Member> {
        set(favorites)
        return []
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
