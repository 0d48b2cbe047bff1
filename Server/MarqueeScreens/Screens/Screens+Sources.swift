import MarqueeModel
import MarqueeStore

/// From a source to items.
extension Screens {
    /// - Parameter sort: the order chosen by a subscriber; `nil` where the section offers none.
    mutating func fill(
        _ draft: inout SectionDraft, of section: Programme.Section, sort: MovieSort?, argument: UInt64?,
        favorites: [Favorite]
    ) {
        switch section.source {
        case .movies(let query):
            let ids = movieIDs(of: query, argument: argument, noting: &draft.dependencies)
            fillMovies(&draft, ids, of: section, sort: sort)
        case .fixedMovies(let ids):
            for id in ids { draft.dependencies.keys.insert(.movie(id)) }
            fillMovies(&draft, ids, of: section, sort: sort)
        case .pool(let name, let query):
            let ids = chosen(of: name, query, argument: argument, noting: &draft.dependencies)
            fillMovies(&draft, ids.map { [$0] } ?? [], of: section, sort: nil)
        case .chart(let id, let limit): fillChart(&draft, id: id, limit: limit)
        case .shelf(let id): fillShelf(&draft, id)
        case .shelfPool(let name, let shelf): fillShelf(&draft, shelf, chosenFor: name)
        case .item: fillItem(&draft)
        case .items(let items): fillInline(&draft, items, of: section)
        case .genres(let ids): fillGenres(&draft, ids)
        case .detail: fillDetail(&draft, of: argument)
        case .credits(let limit): fillCredits(&draft, of: argument, limit: limit)
        case .favorites:
            draft.dependencies.favorites = true
            fillFavorites(&draft, favorites.newestFirst, of: section)
        case .favoriteSet:
            draft.dependencies.favorites = true
            for favorite in draft.shown(of: favorites.newestFirst) {
                let content = ItemContent.favorite(revision: favorite.revision)
                draft.items.append(Bodies.item(id: favorite.subject, subject: favorite.subject, content))
            }
        }
    }

    // MARK: - Movies

    /// The movies that a query finds, in its order, up to its limit.
    private mutating func movieIDs(
        of query: Programme.MovieQuery, argument: UInt64?, noting dependencies: inout Dependencies
    ) -> [UInt64] {
        let genre: UInt64?
        switch query.filter {
        case .all: genre = nil
        case .genre(let id): genre = id
        case .argument: genre = argument
        }
        if let genre {
            dependencies.genres.insert(genre)
        } else {
            dependencies.allMovies = true
        }
        return Array(catalogue.movieIDs(of: genre, by: query.sort).prefix(query.limit))
    }

    /// The movie chosen for a pool while it is one of the query's genre, whatever its place; else the query's first.
    private mutating func chosen(
        of pool: String, _ query: Programme.MovieQuery, argument: UInt64?, noting dependencies: inout Dependencies
    ) -> UInt64? {
        dependencies.keys.insert(.pool(pool))
        if let id = catalogue.choice(of: pool) {
            dependencies.keys.insert(.movie(id))
            let genre: UInt64? =
                switch query.filter {
                case .all: nil
                case .genre(let id): id
                case .argument: argument
                }
            if let movie = catalogue.movies[id], movie.belongs(to: genre) { return id }
        }
        return movieIDs(of: query, argument: argument, noting: &dependencies).first
    }

    /// Movies that the catalogue lacks are left out.
    private func fillMovies(
        _ draft: inout SectionDraft, _ ids: [UInt64], of section: Programme.Section, sort: MovieSort?
    ) {
        var movies = ids.compactMap { catalogue.movies[$0] }
        if let sort { movies = movies.map { (sort.key(of: $0), $0) }.sorted { $0.0 < $1.0 }.map(\.1) }
        for movie in draft.shown(of: movies) {
            draft.depend(onGenresOf: movie)
            let content = catalogue.content(of: movie, locale: draft.locale, prose: section.kind.showsProse)
            let subject = Subject.movie(movie.id).name
            draft.items.append(Bodies.item(id: subject, subject: subject, .movie(content)))
        }
    }

    // MARK: - Charts and genres

    private func fillChart(_ draft: inout SectionDraft, id: String, limit: Int) {
        draft.dependencies.keys.insert(.chart(id))
        let entries = Array((catalogue.shownDay(of: id)?.entries ?? []).prefix(limit))
        for entry in draft.shown(of: entries) {
            let movie = entry.movie.flatMap { catalogue.movies[$0] }
            if let id = entry.movie { draft.dependencies.keys.insert(.movie(id)) }
            let content = catalogue.content(of: entry, movie: movie, locale: draft.locale)
            let subject = entry.movie.map { Subject.movie($0).name } ?? ""
            draft.items.append(
                Bodies.item(id: "release/\(entry.key.boundedKey)", subject: subject, .chartEntry(content)))
        }
    }

    /// Genres that have no name are left out.
    private mutating func fillGenres(_ draft: inout SectionDraft, _ ids: [UInt64]) {
        for id in ids { draft.dependencies.keys.insert(.genre(id)) }
        let locale = draft.locale
        let named = ids.compactMap { id in
            catalogue.genres[id]?.localizedName(in: locale).map { (id: id, name: $0.clipped(to: TextBounds.name)) }
        }
        for (id, name) in draft.shown(of: named) {
            draft.dependencies.genres.insert(id)
            let top = catalogue.movieIDs(of: id, by: .revenue).first.flatMap { catalogue.movies[$0] }
            let content = GenreContent(
                id: id, name: name, image: top?.backdrop?.clipped,
                movies: UInt32(clamping: catalogue.movieCount(of: id)))
            let subject = "genre/\(id)"
            draft.items.append(Bodies.item(id: subject, subject: subject, .genre(content)))
        }
    }

    // MARK: - One movie

    /// The movie of the screen's name; notes in the draft when it is gone.
    private func movie(_ id: UInt64?, for draft: inout SectionDraft) -> Movie? {
        guard let id else { return nil }
        draft.dependencies.keys.insert(.movie(id))
        if let movie = catalogue.movies[id] { return movie }
        draft.fail("MOVIE_GONE", Screens.movieIsGone)
        return nil
    }

    private static let movieIsGone = LocalizedText(
        ["en": "This movie is not in the catalogue.", "ko": "카탈로그에 없는 영화입니다."],
        fallback: "This movie is not in the catalogue.")

    private func fillDetail(_ draft: inout SectionDraft, of id: UInt64?) {
        guard let movie = movie(id, for: &draft) else { return }
        draft.depend(onGenresOf: movie)
        draft.dependencies.keys.insert(.credits(movie.id))
        let subject = Subject.movie(movie.id).name
        for movie in draft.shown(of: [movie]) {
            let content = catalogue.detail(of: movie, locale: draft.locale)
            draft.items.append(Bodies.item(id: subject, subject: subject, .detail(content)))
        }
    }

    private func fillCredits(_ draft: inout SectionDraft, of id: UInt64?, limit: Int) {
        guard let movie = movie(id, for: &draft) else { return }
        draft.dependencies.keys.insert(.credits(movie.id))
        let credits = CreditList(of: movie.id, in: catalogue, castLimit: limit)
        draft.dependencies.keys.formUnion(credits.people.map { .person($0) })
        for credit in draft.shown(of: credits.entries) {
            draft.items.append(
                Bodies.item(id: credit.id, subject: "person/\(credit.content.person)", .credit(credit.content)))
        }
    }
}

extension SectionKind {
    /// Whether its movies are shown with their overview.
    var showsProse: Bool { [.main, .large, .hero].contains(self) }
}

extension [Favorite] {
    /// Those set last first; by subject where one revision set several.
    fileprivate var newestFirst: [Favorite] {
        sorted { ($1.revision, $0.subject) < ($0.revision, $1.subject) }
    }
}
