import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The items shown on the simulation's screens, computed by code written specifically for them: only ids and order,
/// sharing nothing with the server.
enum ExpectedItems {
    /// A section's defaults.
    static func defaults(of section: String) -> (sort: String, window: UInt32) {
        switch section {
        case "rank": ("popularity", 0)
        case "basic": ("", 2)
        case "heard": ("", 3)
        default: ("", 0)
        }
    }

    /// The window step shown for a requested window.
    static func step(_ operation: UInt32?, of section: String) -> UInt32 {
        if section == "heard" { return operation ?? 0 <= 3 ? 3 : 6 }
        guard section == "basic" else { return 0 }
        switch operation ?? 0 {
        case 0...2: return 2
        case 3...4: return 4
        default: return 8
        }
    }

    /// Ids of the items, in order; `nil` for a section not computed here.
    static func items(
        of section: String, on screen: String, sort: String, window: UInt32, members: [StoredMember],
        _ state: CatalogueState
    ) -> [String]? {
        let parts = screen.split(separator: "/")
        let argument = parts.count > 1 ? UInt64(parts[1]) : nil
        // Newest first.
        func subjects(of collection: CollectionName) -> [String] {
            members.filter { $0.collection == collection }.map(\.subject)
        }
        if screen == ScreenID.collectionSet.name { return subjects(of: CollectionName(section)) }
        switch section {
        case "main":
            if let chosen = state.choices["main"], state.movies[chosen] != nil { return ["movie/\(chosen)"] }
            return popular(Array(state.movies.values)).prefix(1).map(name)
        case "rank":
            let shown = Array(popular(Array(state.movies.values)).prefix(8))
            switch sort {
            case "popularity": return shown.map(name)
            case "title":
                return shown.sorted { ($0.title.lowercased(), $0.id) < ($1.title.lowercased(), $1.id) }.map(name)
            default: return byDate(shown).map(name)
            }
        case "basic":
            return popular(state.movies.values.filter { $0.genres?.contains(1) == true })
                .prefix(8).prefix(Int(window)).map(name)
        case "chart":
            return (state.day(of: "c")?.entries ?? []).prefix(4).map { "release/\($0.key)" }
        case "genres":
            return [3, 2, 1].filter { state.genres[$0] != nil }.map { "genre/\($0)" }
        case "movies":
            return popular(state.movies.values.filter { $0.genres?.contains(argument ?? 0) == true })
                .prefix(9).map(name)
        case "detail":
            return argument.flatMap { state.movies[$0] }.map { [name($0)] } ?? []
        case "favorites":
            return subjects(of: .favorites).filter { subject in
                state.movies[UInt64(subject.dropFirst("movie/".count)) ?? 0] != nil
            }
        case "heard":
            let shown = subjects(of: Collections.progress).filter { subject in
                state.records[RecordID(type: "clip", id: String(subject.dropFirst("clip/".count)))] != nil
            }
            return Array(shown.prefix(5).prefix(Int(window)))
        default: return nil
        }
    }

    private static func name(_ movie: Movie) -> String { "movie/\(movie.id)" }

    private static func popular(_ movies: [Movie]) -> [Movie] {
        movies.sorted { a, b in
            switch (a.popularity, b.popularity) {
            case (let first?, let second?) where first != second: first > second
            case (.some, nil): true
            case (nil, .some): false
            default: a.id < b.id
            }
        }
    }

    private static func byDate(_ movies: [Movie]) -> [Movie] {
        movies.sorted { a, b in
            switch (a.releaseDate, b.releaseDate) {
            case (let first?, let second?) where first != second: first > second
            case (.some, nil): true
            case (nil, .some): false
            default: a.id < b.id
            }
        }
    }
}
