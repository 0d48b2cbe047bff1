import MarqueeScreens

/// The two programmes that schedules switch between.
enum Programmes {
    static let first = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: main, kind: main, source: {pool: {name: main, sort: popularity, limit: 5}}}
              - {id: rank, kind: rank, sorts: [popularity, release-date, title], source: {movies: {limit: 8}}}
              - {id: basic, kind: basic, windows: [2, 4, 8], source: {movies: {genre: 1, limit: 8}}}
              - {id: chart, kind: chart, source: {chart: {id: c, limit: 4}}}
          detail/<movie>:
            title: Movie
            sections:
              - {id: detail, kind: detail, source: detail}
              - {id: credits, kind: credits, source: {credits: {limit: 4}}}
          genre/<genre>:
            title: Genre
            sections: [{id: movies, kind: list, header: $title, source: {movies: {genre: $argument, limit: 9}}}]
          favorites:
            title: Favorites
            sections: [{id: favorites, kind: favorites, source: favorites}]
          progress:
            title: Progress
            sections: [{id: heard, kind: list, windows: [3, 6], source: {collection: {name: progress, limit: 5}}}]
        """

    /// One section added, one removed, a different order. Parameters keep their meaning.
    static let second = """
        locales: [en]
        screens:
          home:
            title: Home again
            sections:
              - {id: rank, kind: rank, sorts: [popularity, release-date, title], source: {movies: {limit: 8}}}
              - {id: basic, kind: basic, windows: [2, 4, 8], source: {movies: {genre: 1, limit: 8}}}
              - {id: genres, kind: genres, source: {genres: [3, 2, 1]}}
              - {id: main, kind: main, source: {pool: {name: main, sort: popularity, limit: 5}}}
          detail/<movie>:
            title: Movie
            sections:
              - {id: credits, kind: credits, source: {credits: {limit: 4}}}
              - {id: detail, kind: detail, source: detail}
          genre/<genre>:
            title: Genre
            sections: [{id: movies, kind: list, header: $title, source: {movies: {genre: $argument, limit: 9}}}]
          favorites:
            title: Favorites
            sections: [{id: favorites, kind: favorites, source: favorites}]
          progress:
            title: Progress
            sections: [{id: heard, kind: list, windows: [3, 6], source: {collection: {name: progress, limit: 5}}}]
        """

    private static let readings = [first: read(first), second: read(second)]

    /// - Parameter text: `nil` for the default programme.
    static func parsed(_ text: String?) -> Programme { readings[text ?? first] ?? read(first) }

    private static func read(_ text: String) -> Programme {
        do {
            return try Programme.parse(text: text, file: "simulation.yaml", types: Collections.types)
        } catch {
            preconditionFailure("the simulation's own programme can't be read: \(error)")
        }
    }
}
