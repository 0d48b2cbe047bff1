import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords

/// The rows that the answers of one reading make, with the fields of the preset types.
struct TMDBRows {
    private let feed: TMDBFeed
    private let answers: [TMDBPart: TMDBAnswer]
    /// Of the lists, each once, in their order.
    private let movies: [UInt64]
    private var listed: [UInt64: TMDBMovie] = [:]
    private var lists: [UInt64: [TMDBFeed.List]] = [:]
    private var images: TMDBImages?
    /// Why details aren't there.
    private let missing: [UInt64: String]

    /// - Parameter missing: movies whose details couldn't be read, and why.
    init(_ feed: TMDBFeed, _ answers: [TMDBPart: TMDBAnswer], movies: [UInt64], missing: [UInt64: String]) {
        (self.feed, self.answers, self.movies, self.missing) = (feed, answers, movies, missing)
        if case .configuration(let images)? = answers[.configuration] { self.images = images }
        for list in feed.lists {
            for page in 1...feed.pages {
                guard case .page(let movies, _)? = answers[.list(list, page: page)] else { continue }
                for movie in movies {
                    listed[movie.id] = listed[movie.id] ?? movie
                    if lists[movie.id]?.contains(list) != true { lists[movie.id, default: []].append(list) }
                }
            }
        }
    }

    /// The movie's details by locale; `nil` if some aren't there, so that its record would lose texts.
    private func details(_ id: UInt64) -> [(locale: String, movie: TMDBMovie)]? {
        var found: [(String, TMDBMovie)] = []
        for locale in feed.locales {
            guard case .movie(let movie)? = answers[.movie(id, locale: locale)] else { return nil }
            found.append((locale, movie))
        }
        return found
    }

    func rows(of table: TMDBFeed.Table) -> [RecordRow] {
        switch table {
        case .genre: genres()
        case .movie: movies.map { movie($0) }
        case .credits:
            movies.compactMap { id in
                guard let first = details(id)?.first?.movie else { return flawed(id) }
                return first.credits.flatMap { Self.row($0.change, "movie \(id)") }
            }
        case .person: people()
        }
    }

    /// A row of which nothing is known but the id, so that its record stays as it is.
    private func flawed(_ id: UInt64) -> RecordRow {
        var row = RecordRow(place: "movie \(id)")
        row.flaw = BadRow("there are no details: \(missing[id] ?? "they weren't asked for")")
        row.key = "\(id)"
        return row
    }

    private static func row(_ change: Change, _ place: String) -> RecordRow? {
        guard case .put(_, .json(.object(let members))) = change else { return nil }
        return RecordRow(place: place, cells: members)
    }

    private func genres() -> [RecordRow] {
        var names: [UInt64: [String: String]] = [:]
        for locale in feed.locales {
            guard case .genres(let found)? = answers[.genres(locale: locale)] else { continue }
            for (id, name) in found { names[id, default: [:]][TMDBFeed.language(locale)] = name }
        }
        return names.sorted { $0.key < $1.key }
            .compactMap { Self.row(Genre(id: $0.key, names: $0.value).change, "genre \($0.key)") }
    }

    private func movie(_ id: UInt64) -> RecordRow {
        guard let details = details(id), let first = details.first?.movie else { return flawed(id) }
        let known = first.completed(by: listed[id])
        var movie = Movie(id: id, title: known.title ?? known.originalTitle ?? "")
        (movie.originalTitle, movie.originalLanguage) = (known.originalTitle, known.originalLanguage)
        (movie.releaseDate, movie.runtime, movie.revenue) = (known.date, known.runtime, known.revenue)
        (movie.genres, movie.countries) = (known.genres, known.countries)
        (movie.popularity, movie.voteAverage, movie.voteCount) = (
            known.popularity, known.voteAverage, known.voteCount
        )
        (movie.tagline, movie.overview) = (known.tagline, known.overview)
        movie.certifications = known.certificate.map { ["US": $0] }
        (movie.poster, movie.backdrop) = (images?.poster(known.poster), images?.backdrop(known.backdrop))
        if let reason = movie.fault {
            var row = flawed(id)
            row.flaw = BadRow(reason)
            return row
        }
        guard var row = Self.row(movie.change, "movie \(id)") else { return flawed(id) }
        // Texts are in the languages that were asked for, of which English needn't be one.
        var (titles, taglines): ([String: String], [String: String]) = ([:], [:])
        for (locale, detail) in details {
            titles[TMDBFeed.language(locale)] = detail.title
            if locale != feed.locales.first { taglines[TMDBFeed.language(locale)] = detail.tagline }
        }
        if titles.isEmpty { titles[TMDBFeed.language(feed.locales.first ?? "en")] = movie.title }
        row.cells.removeAll { $0.name == "title" }
        row.cells.append(
            JSONValue.Member(name: "title", value: JSONValue.object(titles.mapValues { JSONValue.text($0) })))
        if !taglines.isEmpty {
            row.cells.append(
                JSONValue.Member(name: "taglines", value: JSONValue.object(taglines.mapValues { JSONValue.text($0) })))
        }
        row.cells.append(
            JSONValue.Member(name: "lists", value: .list((lists[id] ?? []).map { .text($0.rawValue) })))
        return row
    }

    private func people() -> [RecordRow] {
        var people: [UInt64: TMDBMovie.Person] = [:]
        var isBlind = false
        for id in movies {
            guard let first = details(id)?.first?.movie else {
                isBlind = true
                continue
            }
            for person in first.people { people[person.id] = people[person.id] ?? person }
        }
        var rows = people.values.sorted { $0.id < $1.id }.compactMap { found -> RecordRow? in
            var person = Person(id: found.id, name: found.name)
            (person.popularity, person.portrait) = (found.popularity, images?.profile(found.profile))
            return Self.row(person.change, "person \(found.id)")
        }
        if isBlind {
            // It may be about any person: none leaves.
            rows.append(RecordRow(place: "people", flaw: BadRow("those of some movies aren't known")))
        }
        return rows
    }
}

/// Rows that are held in memory.
struct HeldRows: RecordRows {
    let name: String
    let rows: [RecordRow]
    var isKeyed: Bool { false }

    func read(
        _ importer: Importer, columns: ([String]) throws(ImportError) -> Void,
        row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) -> String? {
        var counter = ProgressCounter(name: name, importer)
        for held in rows {
            try counter.row()
            try row(held)
        }
        counter.finish()
        return nil
    }
}
