import MarqueeCatalogue
import MarqueeModel
import SeededRandom

@testable import MarqueeScreens

/// A programme of random queries, and commits of random records with few ids, so that they collide.
struct RandomRecords {
    private(set) var generator: SeededGenerator
    private let types: RecordTypes
    private(set) var records: [RecordID: [UInt8]] = [:]
    private(set) var lists = RandomLists()

    static let episodes = (1...12).map { "e\($0)" }
    static let shows = (1...4).map { "s\($0)" }
    /// The fields of episodes that have conditions.
    private static let fields = ["topics", "minutes", "published", "show", "title"]
    private static let topics = ["history", "science", "food"]
    private static let sorts =
        ["published", "-published", "plays", "-plays", "minutes", "-minutes", "title", "-title"]
        + ["-plays, title", "minutes, -published", "published, -minutes, title", "-title, -plays"]

    /// The podcast app's types with those of `RandomLists`: people and authors are shows, and some topics of episodes
    /// have labels.
    static func types(food: String = "Food", facets: String = "[show, topics]") throws -> RecordTypes {
        let text =
            try Podcasts.text("types.yaml").replacing(
                #/facets: \[topics\]\n    labels:\n(?:.*\n)*?  episode:/#, with: "facets: [topics]\n  episode:"
            ) + RandomLists.declarations
        return try Podcasts.types(
            text.replacing(
                "search: {fields: [title, author]",
                with: "references: {author: show}\n    search: {fields: [title, author]"
            )
            .replacing(
                "references: {show: show}",
                with: "references: {show: show, hosts.person: show, guests.person: show}"
            ).replacing("food: {en: Food,", with: "food: {en: \(food),")
            .replacing("history: {en: History, ko: 역사}", with: "history: History")
            .replacing(#/ +science: .*\n/#, with: "").replacing("facets: [show, topics]", with: "facets: \(facets)"))
    }

    init(seed: UInt64, types: RecordTypes) {
        generator = SeededGenerator(seed: seed)
        self.types = types
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    mutating func isOnce(in count: Int) -> Bool { number(in: 1...count) == 1 }
    mutating func element<Element>(of elements: [Element]) -> Element { elements[number(in: 0...elements.count - 1)] }
    mutating func some<Element>(of elements: [Element]) -> [Element] {
        let count = number(in: 1...elements.count)
        return Array(elements.shuffled(using: &generator).prefix(count))
    }

    // MARK: - Time

    static let day: Int64 = 86_400_000
    /// 2025-12-31, a day before the first episode.
    static let start = Moment(milliseconds: 1_767_139_200_000)

    /// The catalogue's time after another one.
    mutating func time(after now: Moment?) -> Moment {
        guard let now else { return RandomRecords.start }
        return now.advanced(by: element(of: [0, 1, RandomRecords.day / 2, RandomRecords.day - 1]))
    }

    // MARK: - Commits

    mutating func commit() throws -> [Change] {
        try (0..<number(in: 1...3)).map { _ in
            let change = try change()
            switch change {
            case .put(let id, .bytes(let bytes)): records[id] = bytes
            case .remove(let id): records[id] = nil
            default: lists.note(change)
            }
            return change
        }
    }

    private mutating func change() throws -> Change {
        if isOnce(in: 2) { return try lists.change(types, &generator) }
        let isShow = isOnce(in: 4)
        let id = RecordID(
            type: isShow ? "show" : "episode", id: element(of: isShow ? RandomRecords.shows : RandomRecords.episodes))
        if isOnce(in: 6) { return .remove(id) }
        return try types.put(id.type, id.id, isShow ? show() : episode())
    }

    private mutating func title(_ prefix: String) -> String {
        var texts: [String] = []
        if !isOnce(in: 4) { texts.append("\"en\": \"\(prefix) \(element(of: ["a", "B", "c"]))\"") }
        if isOnce(in: 2) { texts.append("\"ko\": \"제목 \(number(in: 1...3))\"") }
        return "\"title\": {\(texts.joined(separator: ", "))}"
    }

    private mutating func show() -> String {
        var fields = [title("Show")]
        if !isOnce(in: 3) { fields.append("\"author\": \"\(element(of: ["Author"] + RandomRecords.shows))\"") }
        if isOnce(in: 2) { fields.append("\"followers\": \(number(in: 0...3))") }
        if isOnce(in: 2) { fields.append("\"cover\": \"cover \(number(in: 1...2))\"") }
        return "{\(fields.joined(separator: ", "))}"
    }

    private mutating func episode() -> String {
        var fields = [title("Episode")]
        if !isOnce(in: 5) { fields.append("\"show\": \"\(element(of: RandomRecords.shows))\"") }
        if !isOnce(in: 4) { fields.append("\"published\": \"2026-01-0\(number(in: 1...5))T00:00:00Z\"") }
        fields.append("\"plays\": \(number(in: 0...4))")
        fields.append("\"minutes\": \(number(in: 0...4) * 20)")
        if isOnce(in: 2) { fields.append("\"rating\": \(number(in: 1...4)).5") }
        if !isOnce(in: 4) {
            let topics = some(of: RandomRecords.topics).map { "\"\($0)\"" }
            fields.append("\"topics\": [\(topics.joined(separator: ", "))]")
        }
        if isOnce(in: 2) {
            let chapters = (0..<number(in: 0...3)).map { _ in
                isOnce(in: 3)
                    ? "{\"title\": \"None\"}"
                    : "{\"start\": \"\(number(in: 0...2))\", \"title\": \"\(number(in: 0...2))\"}"
            }
            fields.append("\"chapters\": [\(chapters.joined(separator: ", "))]")
        }
        for list in ["hosts", "guests"] where isOnce(in: 2) {
            fields.append("\"\(list)\": [\((0..<number(in: 0...5)).map { _ in guest() }.joined(separator: ", "))]")
        }
        return "{\(fields.joined(separator: ", "))}"
    }

    private mutating func guest() -> String {
        var fields: [String] = []
        if !isOnce(in: 5) { fields.append("\"person\": \"\(element(of: RandomRecords.shows))\"") }
        if !isOnce(in: 5) { fields.append("\"role\": \"\(element(of: ["a", "B", "c"]))\"") }
        return "{\(fields.joined(separator: ", "))}"
    }

    // MARK: - Programmes

    mutating func programme() -> RecordProgramme {
        var home = (0..<6).map { query("q\($0)") }
        var shows = RandomQuery(
            id: "shows", type: "show", sort: element(of: ["-followers", "title", "-title", "-followers, title"]))
        shows.body = element(of: NaiveBody.allCases)
        shows.isFavorite = isOnce(in: 4) ? false : nil
        home.append(shows)
        var more = query("more", groupedBy: ("show", .record))
        more.excludesItself = !isOnce(in: 4)
        if more.excludesItself { more.beginAtFirst() }
        home.append(query("pool"))
        home[home.count - 1].sorts = []
        home[home.count - 1].isFavorite = nil
        home[home.count - 1].windows = []
        home[home.count - 1].beginAtFirst()
        home[home.count - 1].season = nil
        let grouped = query("grouped", groupedBy: ("show", .argument))
        var others = query("others")
        others.excludesItself = true
        others.beginAtFirst()
        let topic = query("topic", groupedBy: ("topics", .argument))
        let field = element(of: ["topics", "show"])
        return RecordProgramme(
            screens: ["home": home, "episode": [more, others], "show": [grouped], "topic": [topic]],
            detail: element(of: NaiveBody.allCases), favorites: element(of: NaiveBody.allCases),
            places: number(in: 1...6),
            people: RandomPeople(
                sort: element(of: [
                    "role", "-role", "person.title", "-person.followers", "-person.followers, role",
                    "-person.author.followers", "person.author.title, role",
                ]),
                limit: number(in: 1...4), total: number(in: 1...6)),
            tiles: RandomTiles(
                field: field, sort: element(of: RandomRecords.sorts), limit: number(in: 1...4),
                values: isOnce(in: 2) ? some(of: field == "show" ? RandomRecords.shows : RandomRecords.topics) : nil,
                order: isOnce(in: 2) ? element(of: ["-followers", "-author.followers", "author.title"]) : nil))
    }

    private mutating func query(
        _ id: String, groupedBy group: (field: String, value: RandomQuery.Group)? = nil
    ) -> RandomQuery {
        var query = RandomQuery(id: id)
        // A field has one condition.
        for field in RandomRecords.fields where field != group?.field && isOnce(in: 4) {
            query.conditions.append((field, test(of: field)))
        }
        if isOnce(in: 4) {
            let alternatives = (0..<number(in: 1...3)).map { _ in
                some(of: RandomRecords.fields).prefix(2).map { ($0, test(of: $0)) }
            }
            query.conditions.append(("any", .holdsOne(of: alternatives)))
        }
        query.group = group
        // A condition on a field of the screen's record can't be 'in' a collection.
        query.isFavorite = isOnce(in: 4) ? group?.value != .record && isOnce(in: 2) : nil
        query.sort = isOnce(in: 5) ? nil : element(of: RandomRecords.sorts)
        query.limit = number(in: 1...7)
        if isOnce(in: 2) { query.sorts = Array(some(of: RandomRecords.sorts).prefix(ProgrammeLimits.sorts)) }
        query.namesSorts = isOnce(in: 2)
        if isOnce(in: 2) { query.windows = element(of: [[2], [1, 3], [2, 5]]) }
        if isOnce(in: 5) {
            let from = RandomRecords.start.advanced(by: Int64(number(in: 0...5)) * RandomRecords.day)
            query.season = Programme.Season(
                from: isOnce(in: 3) ? nil : from,
                until: isOnce(in: 3) ? nil : from.advanced(by: Int64(number(in: 1...3)) * RandomRecords.day))
            if query.season == Programme.Season() { query.season = nil }
        }
        if isOnce(in: 5) { query.minimum = number(in: 2...4) }
        query.body = element(of: NaiveBody.allCases)
        if isOnce(in: 3) {
            (query.anywhere, query.limit, query.windows, query.isFavorite) = (4, .max, [], nil)
            if query.sort != nil { query.sorts = [] }
        }
        return query
    }

    private mutating func test(of field: String) -> RandomQuery.Test {
        if isOnce(in: 4) { return .has(isOnce(in: 2)) }
        return switch field {
        case "topics": .isAny(some(of: RandomRecords.topics))
        case "minutes": .isBelow("\(number(in: 1...4) * 20)")
        case "published" where isOnce(in: 2): .isFrom("2026-01-0\(number(in: 1...4))T00:00:00Z")
        case "published":
            .isTimed(
                NaiveTimeTest(
                    bound: element(of: ["above", "from", "below", "to"]), origin: element(of: ["now", "today"]),
                    days: number(in: -3...3)))
        case "show": .isNone(some(of: RandomRecords.shows))
        default: .has(true)
        }
    }
}

/// A random programme: the text of its file, and the expected queries of its sections.
struct RecordProgramme {
    /// By family, in the order of the sections that are queries.
    var screens: [String: [RandomQuery]]
    var detail: NaiveBody
    var favorites: NaiveBody
    /// Number of list entries shown.
    var places: Int
    var people: RandomPeople
    var tiles: RandomTiles

    var text: String {
        func sections(_ family: String, _ more: [String] = []) -> String {
            (more
                + (screens[family] ?? []).map { query in
                    guard query.id == "pool" else { return query.yaml }
                    return
                        "- {id: pool, kind: main, header: $title, source: {pool: {name: main, records: {\(query.queryYAML)}}},"
                        + " body: \(query.body.yaml(query.type))}"
                }).map { "      " + $0 }.joined(separator: "\n")
        }
        let detail =
            "- {id: detail, kind: detail, source: {record: {type: episode, id: $id}}, body: \(detail.yaml("episode"))}"
        let chapters =
            "- {id: chapters, kind: list, source: {nested: {type: episode, id: $id, field: chapters, key: start}}}"
        let show = "- {id: detail, kind: detail, source: {record: {type: show, id: $id}}}"
        let bodies = ["episode", "show"].map { "\($0): \(favorites.yaml($0))" }.joined(separator: ", ")
        return """
            locales: [en, ko]
            screens:
              home:
                title: Home
                sections:
            \(sections("home", RandomLists.sections(places) + [tiles.yaml]))
              episode/$id:
                title: $title
                sections:
            \(sections("episode", [detail, chapters, people.yaml]))
              show/$id:
                title: $title
                sections:
            \(sections("show", [show]))
              topic/$id:
                title: {en: "About $id", ko: "주제 $id"}
                sections:
            \(sections("topic"))
              favorites:
                title: Favorites
                sections: [{id: favorites, kind: favorites, windows: [2, 20], source: favorites, body: {\(bodies)}}]
            """
    }

    static let names = [
        "home", "episode/e1", "episode/e2", "episode/none", "show/s1", "show/s2", "topic/history", "topic/nothing",
        "favorites",
    ]

    private static let places = [
        WindowPlace(after: 1), WindowPlace(isEnd: true, before: 2),
        WindowPlace(item: "episode/e3", before: 1, after: 2), WindowPlace(item: "episode/e7"),
    ]

    /// All views and variants, over a few screens.
    static func contents(of programme: Programme) -> [ContentKey] {
        names.flatMap { name in
            programme.locales.flatMap { locale -> [ContentKey] in
                guard let screen = programme.screen(named: name) else { return [] }
                return [.view(ViewKey(screen: name, locale: locale))]
                    + screen.sections.flatMap { section in
                        (section.sorts.isEmpty ? [""] : section.sorts.map(\.id)).flatMap { sort in
                            (section.windows.isEmpty ? [0] : section.windows).flatMap { window in
                                (section.anywhere == nil ? [nil] : places.map(Optional.some)).map { place in
                                    .section(
                                        VariantKey(
                                            screen: name, section: section.id, sort: sort, window: window,
                                            place: place, locale: locale, user: section.isPrivate ? "ann" : nil))
                                }
                            }
                        }
                    }
            }
        }
    }
}
