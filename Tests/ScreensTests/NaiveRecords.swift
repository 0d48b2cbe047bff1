import Foundation
import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeTypes
import MarqueeWire

@testable import MarqueeScreens

/// A query of records in the random tests, which is written into a programme and also answered naively.
struct RandomQuery {
    typealias Condition = (field: String, test: Test)

    enum Test {
        /// A condition of the field `any`, which stands for alternatives.
        case holdsOne(of: [[Condition]])
        case has(Bool)
        case isAny([String])
        case isNone([String])
        case isBelow(String)
        case isFrom(String)
        /// A time in relation to the catalogue's.
        case isTimed(NaiveTimeTest)
    }

    enum Group: String {
        case argument = "$id"
        case record = "$record.show"
    }

    var id: String
    var type = "episode"
    var conditions: [Condition] = []
    var group: (field: String, value: Group)?
    var excludesItself = false
    /// Whether the records have to be among the user's favorites, or must not be.
    var isFavorite: Bool?
    var sort: String?
    var limit = 5
    var sorts: [String] = []
    /// Whether the sorts have ids of their own.
    var namesSorts = false
    var windows: [UInt32] = []
    /// The rows of windows that may be anywhere.
    var anywhere: UInt32?

    /// Makes its windows begin at the first row.
    mutating func beginAtFirst() { if anywhere != nil { (anywhere, limit) = (nil, 5) } }

    var season: Programme.Season?
    var minimum = 0
    var body: NaiveBody = .mapped

    /// The content of the source `records`, without its braces.
    var queryYAML: String {
        var tests = RandomQuery.yaml(conditions)
        if let group { tests.append("\(group.field): \(group.value.rawValue)") }
        let ofID = [
            excludesItself ? "not: $id" : nil, isFavorite.map { $0 ? "in: favorites" : "not-in: favorites" },
        ].compactMap { $0 }
        if !ofID.isEmpty { tests.append("id: {\(ofID.joined(separator: ", "))}") }
        var query = "type: \(type), where: {\(tests.joined(separator: ", "))}"
        if anywhere == nil { query += ", limit: \(limit)" }
        if let sort { query += ", sort: \(RandomQuery.yaml(sort: sort))" }
        return query
    }

    private static func yaml(_ conditions: [Condition]) -> [String] {
        conditions.map { field, test in
            switch test {
            case .holdsOne(let alternatives):
                "any: [\(alternatives.map { "{\(yaml($0).joined(separator: ", "))}" }.joined(separator: ", "))]"
            case .has(let isWanted): "\(field): {has: \(isWanted)}"
            case .isAny(let values):
                values.count == 1 ? "\(field): \(values[0])" : "\(field): [\(values.joined(separator: ", "))]"
            case .isNone(let values): "\(field): {not: [\(values.joined(separator: ", "))]}"
            case .isBelow(let value): "\(field): {below: \"\(value)\"}"
            case .isFrom(let value): "\(field): {from: \"\(value)\"}"
            case .isTimed(let test): "\(field): {\(test.yaml)}"
            }
        }
    }

    /// An order by several fields separates them by commas.
    static func yaml(sort: String) -> String { sort.contains(",") ? "[\(sort)]" : sort }

    private static let (ascending, descending) = ("least-", "most-")

    private func sortYAML(_ order: String) -> String {
        guard namesSorts || order.contains(",") else { return order }
        var name = order.replacing(", ", with: ".")
        if namesSorts {
            name = name.hasPrefix("-") ? RandomQuery.descending + name.dropFirst() : RandomQuery.ascending + name
        }
        return "{id: \(name), by: \(RandomQuery.yaml(sort: order))}"
    }

    /// The order that a parameter names.
    func order(named name: String) -> String {
        let name = name.replacing(".", with: ", ")
        guard namesSorts else { return name }
        return name.replacing(RandomQuery.descending, with: "-").replacing(RandomQuery.ascending, with: "")
    }

    var yaml: String {
        var section =
            "id: \(id), kind: list, header: $title, source: {records: {\(queryYAML)}}, body: \(body.yaml(type))"
        if !sorts.isEmpty { section += ", sorts: [\(sorts.map { sortYAML($0) }.joined(separator: ", "))]" }
        if let season {
            let bounds = [("from", season.from), ("until", season.until)].compactMap { name, moment in
                moment.map { "\(name): \($0.text)" }
            }
            section += ", visible: {\(bounds.joined(separator: ", "))}"
        }
        if minimum > 0 { section += ", min: \(minimum)" }
        if let anywhere { section += ", windows: {anywhere: \(anywhere)}" }
        if !windows.isEmpty { section += ", windows: [\(windows.map { "\($0)" }.joined(separator: ", "))]" }
        return "- {\(section)}"
    }
}

/// A condition such as `{from: now - 2d}` in the random tests, in which all days are those of UTC.
struct NaiveTimeTest {
    var bound: String
    var origin: String
    var days: Int

    var yaml: String { "\(bound): \(origin) \(days < 0 ? "-" : "+") \(abs(days))d" }

    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - now: since 1970; `nil` if there is no time yet.
    func holds(for seconds: Double, at now: Double?) -> Bool {
        guard let now else { return false }
        let day = 86_400.0
        let limit = (origin == "now" ? now : (now / day).rounded(.down) * day) + Double(days) * day
        return switch bound {
        case "above": seconds > limit
        case "from": seconds >= limit
        case "below": seconds < limit
        default: seconds <= limit
        }
    }
}

/// The bodies of records in the random tests.
enum NaiveBody: CaseIterable {
    case usual, mapped, record
    /// A message of the operator's schema.
    case row
    /// A message of one of Marquee's kinds.
    case builtIn

    private static let episodeRow = """
        {title: {en: $title, ko: "[$title]"}, showTitle: "by $show.title", minutes: $minutes, topics: $topics, \
        chapters: $chapters, published: $published, rating: $rating, titles: $title, \
        show: {title: $show.title, followers: $show.followers}}
        """
    private static let movie = """
        {id: $plays, title: "Nr $id", original_title: $title, runtime: $minutes, genres: $topics, \
        vote_average: $rating, vote_count: 3, poster: $show.cover, backdrop: {name: $show.cover, aspect: 2}, \
        overview: "$show.title · $minutes min", \
        certification: {code: NR, label: $show.author, color_class: adult}}
        """

    private static func plural(_ name: String, _ word: String) -> String {
        "{$\(name) | plural: {one: \"one \(word)\", other: \"$\(name) \(word)s\"}}"
    }

    func yaml(_ type: String) -> String {
        switch (self, type) {
        case (.usual, _): "card"
        case (.record, _): "record"
        case (.row, "show"):
            "{message: podcast.v1.ShowRow, kind: 2002, fields: {followers: $followers, title: $title}}"
        case (.row, _): "{message: podcast.v1.EpisodeRow, kind: 2001, fields: \(Self.episodeRow)}"
        case (.builtIn, "show"): "{kind: genre, fields: {movies: 3, id: $followers, name: $id, image: $cover}}"
        case (.builtIn, _): "{kind: movie, fields: \(Self.movie)}"
        case (.mapped, "show"):
            "{card: {title: $title, subtitle: '\(Self.plural("count(episode by show)", "episode"))', "
                + "caption: \"by $author, $followers\"}}"
        case (.mapped, _):
            "{card: {overline: $show.author, title: {en: $title, ko: \"[$title]\"}, subtitle: \"$show.title · $minutes min\","
                + " caption: '{$show.author.title ?? $topics[0] | label ?? \"alone\"}', rating: {value: $rating, scale: 5},"
                + " badges: [$topics, {text: Long, when: {minutes: {from: 40}}}], facts: [{label: Plays, value: "
                + "'\(Self.plural("plays", "play"))', when: {any: [{topics: food}, {show: {has: true}}]}}]}}"
        }
    }
}

/// A naive model of sections of records, which decodes, filters, sorts and cuts JSON from scratch each time.
struct NaiveRecords {
    private let types: RecordTypes
    private var records: [RecordID: [UInt8]] = [:]
    private var objects: [RecordID: [String: Any]] = [:]
    /// Subjects.
    var favorites: Set<String> = []
    /// The catalogue's time, in seconds since 1970.
    var now: Double?
    /// The English label of a topic.
    var food = "Food"

    init(_ records: [RecordID: [UInt8]], types: RecordTypes) throws {
        self.types = types
        self.records = records
        for (id, bytes) in records {
            guard let coder = types.set.type(id.type)?.coder,
                let object = try JSONSerialization.jsonObject(with: Data(coder.json(of: bytes).utf8)) as? [String: Any]
            else { throw TestFailure("no object") }
            objects[id] = object
        }
    }

    // MARK: - Values

    /// A field's values as texts, in its order.
    func texts(_ field: String, of id: RecordID, _ locale: String) -> [String] {
        guard let object = objects[id] else { return [] }
        switch object[field] {
        case let text as String: return [text]
        case let list as [String]: return list
        case let map as [String: String]:
            return (map[locale] ?? map["en"] ?? map.min { $0.key < $1.key }?.value).map { [$0] } ?? []
        case let number as NSNumber: return ["\(number)"]
        // An absent number without presence is 0.
        default: return ["plays", "minutes", "followers"].contains(field) ? ["0"] : []
        }
    }

    func referred(_ field: String, of id: RecordID, _ locale: String) -> [String] {
        guard let show = texts("show", of: id, locale).first else { return [] }
        return texts(field, of: RecordID(type: "show", id: show), locale)
    }

    private func precedes(_ field: String, _ a: String, _ b: String, _ locale: String = "root") -> Bool {
        if ["plays", "minutes", "followers"].contains(field) { return (UInt64(a) ?? 0) < (UInt64(b) ?? 0) }
        return key(a, locale) < key(b, locale)
    }

    /// A text as a locale's readers order it.
    func key(_ text: String, _ locale: String) -> SortKey {
        SortKey(.text(text), collation: Collation(locale: locale))
    }

    // MARK: - Queries

    /// - Parameters:
    ///   - argument: the argument in the screen's name.
    ///   - sort: the chosen sort, or an empty text.
    func found(_ query: RandomQuery, argument: String?, sort: String, locale: String) -> [RecordID] {
        var ids = objects.keys.filter { id in
            id.type == query.type && query.conditions.allSatisfy { meets($0.field, $0.test, id, locale) }
        }
        if let group = query.group {
            let value: String? =
                switch group.value {
                case .argument: argument
                case .record:
                    argument.flatMap { texts("show", of: RecordID(type: "episode", id: $0), locale).first }
                }
            ids = ids.filter { id in value.map { texts(group.field, of: id, locale).contains($0) } ?? false }
        }
        if query.excludesItself { ids = ids.filter { $0.id != argument } }
        if let isWanted = query.isFavorite {
            ids = ids.filter { favorites.contains("\($0.type)/\($0.id)") == isWanted }
        }
        let chosen = sort.isEmpty ? nil : query.order(named: sort)
        let first = Array(ordered(ids, by: query.sort ?? chosen, locale).prefix(query.limit))
        return chosen.map { ordered(first, by: $0, locale) } ?? first
    }

    private func meets(_ field: String, _ test: RandomQuery.Test, _ id: RecordID, _ locale: String) -> Bool {
        let values = texts(field, of: id, locale)
        switch test {
        case .holdsOne(let alternatives):
            return alternatives.contains { $0.allSatisfy { meets($0.field, $0.test, id, locale) } }
        case .has(let isWanted): return values.isEmpty != isWanted
        case .isAny(let wanted): return values.contains { wanted.contains($0) }
        case .isNone(let refused): return !values.contains { refused.contains($0) }
        case .isBelow(let bound): return values.first.map { precedes(field, $0, bound) } ?? false
        case .isFrom(let bound): return values.first.map { !precedes(field, $0, bound) } ?? false
        case .isTimed(let test):
            let date = values.first.flatMap { try? Date($0, strategy: .iso8601) }
            return date.map { test.holds(for: $0.timeIntervalSince1970, at: now) } ?? false
        }
    }

    func ordered(_ ids: [RecordID], by sort: String?, _ locale: String) -> [RecordID] {
        let fields = sort?.components(separatedBy: ", ") ?? []
        return ids.sorted { a, b in
            fields.lazy.compactMap { isFirst(a, b, by: $0, locale) }.first ?? (a.id < b.id)
        }
    }

    /// - Returns: `nil` if the field doesn't decide.
    private func isFirst(_ a: RecordID, _ b: RecordID, by sort: String, _ locale: String) -> Bool? {
        let isDescending = sort.hasPrefix("-")
        let field = isDescending ? String(sort.dropFirst()) : sort
        switch (texts(field, of: a, locale).first, texts(field, of: b, locale).first) {
        case (nil, nil): return nil
        case (nil, _): return false
        case (_, nil): return true
        case (let x?, let y?):
            if precedes(field, x, y, locale) { return !isDescending }
            return precedes(field, y, x, locale) ? isDescending : nil
        }
    }

    // MARK: - Items

    func bytes(of id: RecordID) -> [UInt8]? { records[id] }

    func item(_ id: RecordID, _ body: NaiveBody, _ locale: String) -> Item? {
        guard let bytes = records[id], let kind = types.set.type(id.type)?.kind else { return nil }
        let subject = "\(id.type)/\(id.id)"
        switch body {
        case .record: return Item(id: subject, kind: kind, subject: subject, body: bytes)
        case .row: return row(id, locale)
        case .builtIn: return Bodies.item(id: subject, subject: subject, builtIn(id, locale))
        case .usual, .mapped: break
        }
        func text(_ field: String) -> String? { texts(field, of: id, locale).first }
        var card = CardContent(title: text("title") ?? id.id)
        switch (body, id.type) {
        case (.usual, "show"):
            card.subtitle = text("author")
            card.image = text("cover").map { ImageReference(name: $0) }
            card.text = text("description")
        case (.usual, _): card.text = text("summary")
        case (_, "show"):
            let episodes = objects.keys.filter { $0.type == "episode" && texts("show", of: $0, locale) == [id.id] }
            card.subtitle = counted(episodes.count, "episode", locale)
            let parts = [text("author").map { "by \($0)" }, text("followers")]
            card.caption = parts.compactMap { $0 }.joined(separator: ", ")
        default:
            if locale == "ko" { card.title = text("title").map { "[\($0)]" } ?? id.id }
            card.overline = referred("author", of: id, locale).first
            card.subtitle = [referred("title", of: id, locale).first, "\(text("minutes") ?? "0") min"]
                .compactMap { $0 }.joined(separator: " · ")
            card.rating = (objects[id]?["rating"] as? Double).map { CardContent.Rating(value: $0, scale: 5) }
            let topics = texts("topics", of: id, locale)
            let author = referred("author", of: id, locale).first
            card.caption =
                author.flatMap { texts("title", of: RecordID(type: "show", id: $0), locale).first }
                ?? topics.first.map { label($0, locale) } ?? "alone"
            card.badges = topics.map { CardContent.Badge(text: $0) }
            if Int(text("minutes") ?? "") ?? 0 >= 40 { card.badges.append(CardContent.Badge(text: "Long")) }
            if topics.contains("food") || text("show") != nil {
                let plays = counted(Int(text("plays") ?? "") ?? 0, "play", locale)
                card.facts = [CardContent.Fact(label: "Plays", value: plays)]
            }
        }
        return Bodies.item(id: subject, subject: subject, .card(card))
    }

    /// In Korean, no number has a form of its own.
    private func counted(_ number: Int, _ word: String, _ locale: String) -> String {
        number == 1 && locale == "en" ? "one \(word)" : "\(number) \(word)s"
    }

    private func label(_ topic: String, _ locale: String) -> String {
        switch topic {
        case "food": locale == "ko" ? "음식" : food
        case "history": "History"
        default: topic
        }
    }

    /// Made by protobuf's JSON mapping.
    private func row(_ id: RecordID, _ locale: String) -> Item? {
        let isShow = id.type == "show"
        guard let object = objects[id],
            let coder = try? RecordCoder(
                set: types.set.schema, message: isShow ? "podcast.v1.ShowRow" : "podcast.v1.EpisodeRow", name: "row")
        else { return nil }
        func showRow(_ id: RecordID) -> [String: Any]? {
            guard objects[id] != nil else { return nil }
            var row: [String: Any] = ["followers": texts("followers", of: id, locale)[0]]
            row["title"] = texts("title", of: id, locale).first
            return row
        }
        var row = showRow(id) ?? [:]
        if !isShow {
            row = object.filter { ["minutes", "topics", "chapters", "published", "rating"].contains($0.key) }
            row["titles"] = object["title"]
            row["title"] = texts("title", of: id, locale).first.map { locale == "ko" ? "[\($0)]" : $0 }
            row["showTitle"] = referred("title", of: id, locale).first.map { "by \($0)" }
            row["show"] = (object["show"] as? String).flatMap { showRow(RecordID(type: "show", id: $0)) }
        }
        guard let json = try? JSONSerialization.data(withJSONObject: row),
            let body = try? coder.record(json: [UInt8](json))
        else { return nil }
        let subject = "\(id.type)/\(id.id)"
        return Item(id: subject, kind: ItemKind(rawValue: isShow ? 2002 : 2001), subject: subject, body: body)
    }

    /// Made by the encoder of Marquee's kinds.
    private func builtIn(_ id: RecordID, _ locale: String) -> PresetContent {
        func number(_ field: String) -> UInt64 { UInt64(texts(field, of: id, locale).first ?? "") ?? 0 }
        guard id.type == "episode" else {
            var genre = GenreContent(id: number("followers"), name: id.id)
            genre.image = texts("cover", of: id, locale).first.map { ImageReference(name: $0) }
            genre.movies = 3
            return .genre(genre)
        }
        var movie = MovieContent(id: number("plays"), title: "Nr \(id.id)")
        movie.originalTitle = texts("title", of: id, locale).first
        movie.runtime = UInt32(number("minutes"))
        movie.genres = texts("topics", of: id, locale)
        movie.voteAverage = objects[id]?["rating"] as? Double
        movie.voteCount = 3
        movie.poster = referred("cover", of: id, locale).first.map { ImageReference(name: $0) }
        movie.backdrop = movie.poster.map { ImageReference(name: $0.name, aspect: 2) }
        movie.overview = [referred("title", of: id, locale).first, "\(number("minutes")) min"]
            .compactMap { $0 }.joined(separator: " · ")
        movie.certification = referred("author", of: id, locale).first.map {
            CertificationContent(country: "", code: "NR", label: $0, colorClass: .adult)
        }
        return .movie(movie)
    }

    /// The chapters of an episode, named by their start.
    func chapters(of id: String) -> [Item] {
        let chapters = objects[RecordID(type: "episode", id: id)]?["chapters"] as? [[String: String]] ?? []
        var used: [String: Int] = [:]
        return chapters.enumerated().map { place, chapter in
            let name = chapter["start"] ?? "\(place)"
            used[name, default: 0] += 1
            let number = used[name] ?? 1
            return Bodies.item(
                id: number == 1 ? "chapters/\(name)" : "chapters/\(name)/\(number)", subject: "",
                .card(CardContent(title: chapter["title"] ?? name)))
        }
    }

    func ids(of type: String) -> [RecordID] { objects.keys.filter { $0.type == type } }

    /// The fields of a list's place.
    func place(_ bytes: [UInt8]) -> [String: String]? {
        guard let json = try? types.set.list("picks")?.place?.json(of: bytes) else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: String]
    }

    /// A field as JSON.
    func value(_ field: String, of id: RecordID) -> Any? { objects[id]?[field] }

    func has(_ type: String, _ id: String) -> Bool { objects[RecordID(type: type, id: id)] != nil }

    func title(_ type: String, _ id: String, _ locale: String) -> String {
        texts("title", of: RecordID(type: type, id: id), locale).first ?? id
    }
}
