import MarqueeModel

@testable import MarqueeScreens

/// Programmes with every source, sort, window and locale, each differing from the others in one thing.
enum RandomProgramme {
    static let texts = [
        text(), text(limit: 3), text(extra: "- {id: more, kind: basic, source: {movies: {genre: 3, limit: 3}}}"),
        text(header: "Other"), text(windows: "[1, 3]"), text(withoutFixed: true), "screens: nonsense", "screens: {",
    ]

    /// - Parameters:
    ///   - limit: the queries' limit.
    ///   - header: the chart section's header.
    ///   - windows: the sorted sections' windows.
    ///   - withoutFixed: leaves out sections that list movies individually.
    static func text(
        limit: Int = 5, header: String = "Chart", windows: String = "[2, 4]", withoutFixed: Bool = false,
        extra: String = ""
    ) -> String {
        let sorts = MovieSort.allCases.map(\.rawValue)
        let all = sorts.map { "- {id: all-\($0), kind: list, source: {movies: {sort: \($0), limit: \(limit)}}}" }
        let sorted = sorts.map { sort in
            """
            - {id: sorted-\(sort), kind: large, sorts: [\(sorts.joined(separator: ", "))], windows: \(windows),
               footer: {more: More, close: Close}, source: {movies: {genre: 1, sort: \(sort), limit: \(limit)}}}
            """.replacing("\n", with: " ")
        }
        let fixed = "- {id: fixed, kind: large, sorts: [title, rating], source: {movies: {ids: [3, 1, 2, 9]}}}"
        let rest = [
            "- {id: genre, kind: basic, windows: [1, 8], source: {movies: {genre: 2, sort: title, limit: \(limit)}}}",
            "- {id: listed, kind: basic, windows: [2, 3], source: {movies: {ids: [5, 6, 7, 8]}}}",
            "- {id: pool, kind: main, source: {pool: {genre: 3, sort: revenue}}}",
            "- {id: other, kind: main, source: {pool: {sort: title}}}",
            "- {id: chart, kind: chart, header: \(header), windows: [1, 3], source: {chart: {id: c1, limit: 3}}}",
            "- {id: genres, kind: genres, windows: [2, 4], source: {genres: [4, 3, 2, 1]}}",
            "- {id: shelf, kind: list, windows: [1, 3], source: {shelf: s1}}",
            "- {id: chosen, kind: main, source: {pool: {shelf: s2}}}",
            "- {page: page, types: {row: {kind: basic, windows: [2, 4], header: $name}, one: {kind: main, pool: other}}}",
            "- {id: items, kind: hero, windows: [1, 3], source: {items: [{id: t, text: {text: Hi}}, {id: m, movie: 5}, {id: n, movie: 6}]}}",
        ]
        let home = (all + sorted + (withoutFixed ? [] : [fixed]) + rest + [extra]).filter { !$0.isEmpty }
        return """
            locales: [en, ko]
            screens:
              home:
                title: Home
                sections:
            \(home.map { "      \($0)" }.joined(separator: "\n"))
              detail/<movie>:
                title: Movie
                sections:
                  - {id: detail, kind: detail, source: detail}
                  - {id: credits, kind: credits, header: $title, source: {credits: {limit: 3}}}
                  - {id: also, kind: basic, header: "After $title", source: {movies: {sort: revenue, limit: 2}}}
              item/<item>:
                title: Item
                sections: [{id: item, kind: hero, header: "It is $title", source: item}]
              genre/<genre>:
                title: Genre
                sections: [{id: movies, kind: list, header: "All of $title", source: {movies: {genre: $argument, sort: revenue, limit: \(limit)}}}]
              favorites:
                title: Favorites
                sections: [{id: favorites, kind: favorites, windows: [2, 20], source: favorites}]
            """
    }

    /// All views and variants of a programme, over a few screens; none needs the catalogue in order to exist.
    static func contents(of programme: Programme) -> [ContentKey] {
        let names = [
            "home", "detail/1", "detail/2", "genre/1", "genre/4", "item/s1/a", "item/s2/d/e", "favorites",
            "user-collections",
        ]
        var keys: [ContentKey] = []
        for (name, locale) in names.flatMap({ name in programme.locales.map { (name, $0) } }) {
            guard let screen = programme.screen(named: name)?.screen else { continue }
            keys.append(.view(ViewKey(screen: name, locale: locale)))
            for section in screen.sections {
                for sort in section.sorts.isEmpty ? [""] : section.sorts.map(\.id) {
                    for window in section.windows.isEmpty ? [0] : section.windows {
                        keys.append(
                            .section(
                                VariantKey(
                                    screen: name, section: section.id, sort: sort, window: window, locale: locale,
                                    user: section.isPrivate ? "ann" : nil)))
                    }
                }
            }
        }
        return keys
    }
}
