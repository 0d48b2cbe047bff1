import MarqueeModel
import MarqueeScreens

/// The programmes that schedules switch between.
enum Programmes {
    static let first = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: main, kind: main, source: {pool: {name: main, records: {type: film, sort: -rating}}}}
        \(rank)
        \(basic)
              - {id: top, kind: chart, source: {list: {name: top, limit: 4}}}
          detail/$id:
            title: $title
            sections:
              - {id: detail, kind: detail, source: {record: {type: film, id: $id}}}
        \(parts)
        \(others)
        """

    /// One section added, one removed, a different order. Parameters keep their meaning.
    static let second = """
        locales: [en]
        screens:
          home:
            title: Home again
            sections:
        \(rank)
        \(basic)
              - id: topics
                kind: genres
                source: {facet: {type: film, field: topics, values: [3, 2, 1], sort: -rating}}
              - {id: main, kind: main, source: {pool: {name: main, records: {type: film, sort: -rating}}}}
          detail/$id:
            title: $title
            sections:
        \(parts)
              - {id: detail, kind: detail, source: {record: {type: film, id: $id}}}
        \(others)
        """

    /// The programme with this order of sections.
    enum Order: CaseIterable {
        case first, second
    }

    /// - Parameters:
    ///   - hasTimes: whether it has sections that follow the catalogue's time.
    ///   - hasWindows: whether it has sections whose windows may be anywhere.
    ///   - hasAudiences: whether it has sections and values by audience. In the second one, an audience has grown.
    static func text(_ order: Order, hasTimes: Bool, hasWindows: Bool, hasAudiences: Bool = false) -> String {
        let detail = "\n  detail/$id:"
        let programme = order == .first ? first : second
        let sections =
            (hasTimes ? "\n\(times)" : "") + (hasWindows ? "\n\(windows)" : "")
            + (hasAudiences ? "\n\(Audiences.sections)" : "")
        var whole = programme.replacing(detail, with: "\(sections)\(detail)")
        if hasAudiences {
            for title in ["Home\n", "Home again\n"] {
                let name = String(title.dropLast())
                whole = whole.replacing("title: \(title)", with: "title: \(Audiences.titles(name))\n")
            }
            whole = "\(Audiences.definitions(share: order == .first ? "1/2" : "1"))\n\(whole)"
        }
        return hasWindows ? whole.replacing(favorites, with: favoritesAnywhere) : whole
    }

    /// Whether a programme's audience of those who try something has grown.
    static func isGrown(_ text: String?) -> Bool { text?.contains("below: 1}") ?? false }

    private static let windows = """
              - id: \(Windows.films)
                kind: list
                windows: {anywhere: \(Windows.mostRows)}
                source: {records: {type: film, sort: -rating}}
              - {id: \(Windows.entries), kind: chart, windows: {anywhere: \(Windows.mostRows)}, source: {list: top}}
        """
    private static let favorites = "sections: [{id: favorites, kind: favorites, source: favorites}]"
    private static let favoritesAnywhere = """
        sections:
              - {id: favorites, kind: favorites, source: favorites}
              - {id: \(Windows.mine), kind: favorites, windows: {anywhere: \(Windows.mostRows)}, source: favorites}
        """

    private static let times = """
              - id: days
                kind: list
                zone: UTC
                source:
                  records: {type: film, where: {released: {from: today - 1d, to: today}}, sort: -rating, limit: 6}
              - id: night
                kind: list
                visible: {from: 2014-01-02T03:00:00+09:00, until: 2014-01-02T06:00:00Z}
                source: {records: {type: film, sort: -rating, limit: 3}}
        """

    /// The most variants that a screen of a programme without times and windows anywhere consists of: its sections, and
    /// the list of these.
    static func variants(of screen: String) -> Int {
        switch ScreenID(screen).family {
        case "home": 5
        case "detail", ScreenID.collectionSet.name: 3
        default: 2
        }
    }

    private static let rank = """
              - id: rank
                kind: rank
                sorts: [{id: rating, by: -rating}, {id: released, by: -released}, title]
                source: {records: {type: film, sort: -rating, limit: 8}}
                body: {card: {title: $title, caption: $topics.name}}
        """
    private static let basic = """
              - id: basic
                kind: basic
                windows: [2, 4, 8]
                source: {records: {type: film, where: {topics: 1}, sort: -rating, limit: 8}}
                body: record
        """
    private static let parts = """
              - id: parts
                kind: credits
                source: {nested: {type: cast, id: $id, field: parts, key: person, limit: 4}}
                body: {card: {title: $role}}
        """
    private static let others = """
          topic/$id:
            title: $name
            sections:
              - id: films
                kind: list
                header: $title
                source: {records: {type: film, where: {topics: $id}, sort: -rating, limit: 9}}
          favorites:
            title: Favorites
            \(favorites)
          progress:
            title: Progress
            sections: [{id: heard, kind: list, windows: [3, 6], source: {collection: {name: progress, limit: 5}}}]
        """

    private static let readings = Dictionary(
        Order.allCases.flatMap { order in
            [false, true].flatMap { hasTimes in
                [false, true].map { text(order, hasTimes: hasTimes, hasWindows: $0) }
            } + [text(order, hasTimes: false, hasWindows: false, hasAudiences: true)]
        }.map { ($0, read($0)) }, uniquingKeysWith: { first, _ in first })

    /// - Parameter text: `nil` for the default programme.
    static func parsed(_ text: String?) -> Programme { readings[text ?? first] ?? read(first) }

    private static func read(_ text: String) -> Programme {
        do {
            return try Programme.parse(text: text, file: "simulation.yaml", types: Types.set)
        } catch {
            preconditionFailure("the simulation's own programme can't be read: \(error)")
        }
    }
}
