import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import MarqueeWire
import SeededRandom

@testable import MarqueeScreens

/// Random changes of a list, of one with editions, of one without places that a page shows, and of pools' choices; and
/// the expected result.
struct RandomLists {
    static let declarations = """
        lists:
          picks: {of: [episode], place: podcast.v1.Chapter}
          weekly: {of: [episode, show], place: podcast.v1.Chapter, editions: true}
          row: {of: [episode, show]}
        """
    /// The styles of the page's sections, named after their types.
    static let page =
        "- {page: page, types: {row: {kind: basic, windows: [2, 4], header: $name, body: {episode: "
        + "\(NaiveBody.mapped.yaml("episode"))}}, one: {kind: main, pool: one}}}"
    private static let editions = ["mon", "tue", "wed"]

    private var lists: [ListName: RecordList] = [:]
    /// The current edition of `weekly`.
    private(set) var shown: String?
    /// The choice for the pool `main`.
    private(set) var choice: RecordID?
    /// Keys of entries, by the pools of the list `row`.
    private(set) var chosen: [String: String] = [:]
    private(set) var page: Page?

    /// - Parameter places: number of entries that the sections show.
    static func sections(_ places: Int) -> [String] {
        let card = "{card: {title: $title, subtitle: \"$place.title · $show.title\", caption: $place.start}}"
        let bodies =
            "{episode: {card: {title: $title, caption: $place.start}}, show: {card: {title: \"S $title\"}}, "
            + "place: {card: {title: $title}}}"
        return [
            "- {id: picks, kind: rank, windows: [2, 10], source: {list: {name: picks, limit: \(places)}}, body: \(card)}",
            "- {id: weekly, kind: list, header: \"$title $edition\", source: {list: {name: weekly, limit: \(places)}}, "
                + "body: \(bodies)}",
            "- {id: monday, kind: list, source: {list: {name: weekly, edition: mon, limit: \(places)}}, body: \(bodies)}",
            "- {id: chosen, kind: main, source: {pool: {list: row}}}", page,
        ]
    }

    func entries(of list: ListName) -> [ListEntry]? {
        // A list with editions has no entries outside them.
        list.list == "weekly" && list.edition == nil ? nil : lists[list]?.entries
    }

    mutating func note(_ change: Change) {
        switch change {
        case .list(let list): lists[list.name] = list
        case .listItem(let edit) where edit.entry == nil: lists[edit.list]?.apply(edit)
        case .listItem(let edit): lists[edit.list, default: RecordList(edit.list, entries: [])].apply(edit)
        case .show(_, let edition): shown = edition
        case .removeList(let name):
            lists = lists.filter { $0.key.list != name.list || (name.edition != nil && $0.key != name) }
            if name.list == "weekly", name.edition == nil || name.edition == shown { shown = nil }
        case .chooseRecord(_, let record): choice = record
        case .removeChoice("main"): choice = nil
        case .chooseEntry(let pool, let item): chosen[pool] = item
        case .removeChoice(let pool): chosen[pool] = nil
        case .page(let new): page = new
        case .removePage: page = nil
        default: break
        }
    }

    // MARK: - Changes

    func change(_ types: RecordTypes, _ random: inout SeededGenerator) throws -> Change {
        func isOnce(in count: Int) -> Bool { Int.random(in: 1...count, using: &random) == 1 }
        let isWeekly = isOnce(in: 2)
        let edition = RandomLists.editions[Int.random(in: 0...2, using: &random)]
        let name = isWeekly ? ListName("weekly", edition: edition) : ListName(isOnce(in: 2) ? "picks" : "row")
        func entry() throws -> ListEntry { try self.entry(of: name, types, &random) }
        switch Int.random(in: 0..<24, using: &random) {
        case 0, 1:
            let count = Int.random(in: 0...8, using: &random)
            var entries: [ListEntry] = []
            for _ in 0..<count {
                let entry = try entry()
                if !entries.contains(where: { $0.key == entry.key }) { entries.append(entry) }
            }
            return .list(RecordList(name, entries: entries))
        case 2: return .removeList(isOnce(in: 3) ? ListName(name.list) : name)
        case 3, 4:
            // Only an existing edition can be shown.
            let known = lists.keys.compactMap(\.edition).sorted()
            guard !known.isEmpty else { return .removeChoice(pool: "main") }
            return .show(list: "weekly", edition: known[Int.random(in: 0..<known.count, using: &random)])
        case 5:
            let id = "e\(Int.random(in: 1...12, using: &random))"
            return .chooseRecord(pool: "main", record: RecordID(type: isOnce(in: 9) ? "show" : "episode", id: id))
        case 6: return .removeChoice(pool: "main")
        case 7, 8, 9: return .listItem(EntryEdit(name, removing: try entry().key))
        case 10: return .chooseEntry(pool: isOnce(in: 2) ? "chosen" : "one", entry: try entry().key)
        case 11: return .removeChoice(pool: isOnce(in: 2) ? "chosen" : "one")
        case 12:
            let sections = (0..<Int.random(in: 0...3, using: &random)).map { place in
                let type = ["row", "one", "unknown"][Int.random(in: 0...2, using: &random)]
                return Page.Section(id: "p\(place)", type: type, title: isOnce(in: 2) ? type : "", list: "row")
            }
            return isOnce(in: 5) ? .removePage("page") : .page(Page(id: "page", sections: sections))
        default:
            let entry = try entry()
            let rank = isOnce(in: 3) ? nil : Int.random(in: 1...9, using: &random)
            // Often only a move, with unchanged content.
            let known = lists[name]?.entries.first { $0.key == entry.key }
            return .listItem(EntryEdit(name, putting: isOnce(in: 2) ? known ?? entry : entry, at: rank))
        }
    }

    private func entry(
        of list: ListName, _ types: RecordTypes, _ random: inout SeededGenerator
    ) throws -> ListEntry {
        func isOnce(in count: Int) -> Bool { Int.random(in: 1...count, using: &random) == 1 }
        let hasPlaces = list.list != "row"
        var place: RecordContent?
        var json: [String] = []
        if isOnce(in: 2) { json.append("\"title\": \"T\(Int.random(in: 1...3, using: &random))\"") }
        if isOnce(in: 2) { json.append("\"start\": \"\(Int.random(in: 1...3, using: &random))\"") }
        if hasPlaces, !json.isEmpty, let declaration = types.set.list("picks") {
            place = .bytes(try declaration.place(json: Array("{\(json.joined(separator: ", "))}".utf8)))
        }
        if hasPlaces, isOnce(in: 6) { return ListEntry(key: "k\(Int.random(in: 1...2, using: &random))", place: place) }
        if list.list != "picks", isOnce(in: 3) {
            return ListEntry(RecordID(type: "show", id: "s\(Int.random(in: 1...4, using: &random))"), place: place)
        }
        return ListEntry(RecordID(type: "episode", id: "e\(Int.random(in: 1...12, using: &random))"), place: place)
    }
}

/// A facet's tiles in the random tests.
struct RandomTiles {
    var field: String
    var sort: String
    var limit: Int
    /// `nil` for the most frequent ones.
    var values: [String]?
    /// A field of shows, or of their authors, that orders the tiles: `-author.followers`.
    var order: String?

    /// Whether the field's values are ids of shows.
    var isOfShows: Bool { field == "show" }

    var yaml: String {
        let which = values.map { "values: [\($0.joined(separator: ", "))]" } ?? "limit: \(limit)"
        let title = isOfShows ? "title: $value.title, overline: $value.author.title, " : ""
        let name = order.map { $0.hasPrefix("-") ? "-$value.\($0.dropFirst())" : "$value.\($0)" }
        let order = isOfShows ? name.map { ", order: \($0)" } ?? "" : ""
        return
            "- {id: tiles, kind: genres, source: {facet: {type: episode, field: \(field), sort: \(RandomQuery.yaml(sort: sort)), \(which)\(order)}}, "
            + "windows: [2, 10], body: {card: {\(title)subtitle: \"$title · $show.title\", caption: $count}}}"
    }
}

extension NaiveRecords {
    /// An entry of a list; `nil` for one whose record is missing.
    func placed(_ entry: ListEntry, in section: String, _ locale: String) -> Item? {
        if let record = entry.record, !has(record.type, record.id) { return nil }
        let place = entry.placeBytes.flatMap { self.place($0) } ?? [:]
        var card = CardContent(title: entry.record.map { title($0.type, $0.id, locale) } ?? entry.key)
        if section == "picks" {
            let show = entry.record.flatMap { referred("title", of: $0, locale).first }
            let subtitle = [place["title"], show].compactMap { $0 }.joined(separator: " · ")
            card.subtitle = subtitle.isEmpty ? nil : subtitle
            card.caption = place["start"]
        } else if let record = entry.record {
            if record.type == "show" {
                card.title = texts("title", of: record, locale).first.map { "S \($0)" } ?? record.id
            } else {
                card.caption = place["start"]
            }
        } else {
            card.title = place["title"] ?? entry.key
        }
        return Bodies.item(
            id: entry.key, subject: entry.record.map { "\($0.type)/\($0.id)" } ?? "", .card(card))
    }

    /// The values that a field of episodes has.
    func values(of field: String) -> Set<String> {
        Set(ids(of: "episode").flatMap { texts(field, of: $0, "en") })
    }

    /// One tile for each shown value of a facet, counted from scratch.
    func tiles(_ tiles: RandomTiles, _ locale: String) -> [Item] {
        var members: [String: [RecordID]] = [:]
        for id in ids(of: "episode") {
            for value in Set(texts(tiles.field, of: id, locale)) { members[value, default: []].append(id) }
        }
        let frequent = members.keys.sorted { a, b in
            let (x, y) = (members[a]?.count ?? 0, members[b]?.count ?? 0)
            return x == y ? a < b : x > y
        }
        let given = tiles.values?.filter { !tiles.isOfShows || has("show", $0) }
        let values = given ?? Array(frequent.prefix(tiles.limit))
        return ordered(values, by: tiles.isOfShows ? tiles.order : nil, locale).map { value in
            let first = ordered(members[value] ?? [], by: tiles.sort, locale).first
            var card = CardContent(title: tiles.isOfShows ? title("show", value, locale) : value)
            let words = first.map { [texts("title", of: $0, locale).first, referred("title", of: $0, locale).first] }
            card.subtitle = (words ?? []).compactMap { $0 }.joined(separator: " · ")
            if card.subtitle?.isEmpty == true { card.subtitle = nil }
            card.caption = "\(members[value]?.count ?? 0)"
            if tiles.isOfShows {
                card.overline = author(of: value, locale).flatMap { texts("title", of: $0, locale).first }
            }
            return Bodies.item(
                id: "\(tiles.field)/\(value)", subject: tiles.isOfShows && has("show", value) ? "show/\(value)" : "",
                .card(card))
        }
    }

    private func author(of show: String, _ locale: String) -> RecordID? {
        texts("author", of: RecordID(type: "show", id: show), locale).first.map { RecordID(type: "show", id: $0) }
    }

    /// Ids of shows in an order of tiles.
    private func ordered(_ shows: [String], by order: String?, _ locale: String) -> [String] {
        guard let order else { return shows }
        let field = order.drop { $0 == "-" }
        let isOfAuthor = field.hasPrefix("author.")
        func key(_ show: String) -> SortKey? {
            let record = isOfAuthor ? author(of: show, locale) : RecordID(type: "show", id: show)
            guard let record, has(record.type, record.id) else { return nil }
            // Numbers have one digit, so that they sort like texts.
            let name = String(isOfAuthor ? field.dropFirst("author.".count) : field)
            return texts(name, of: record, locale).first.map { self.key($0, locale) }
        }
        return shows.sorted { a, b in
            switch (key(a), key(b)) {
            case (let x?, let y?) where x != y: (x < y) != order.hasPrefix("-")
            case (nil, _?): false
            case (_?, nil): true
            default: a < b
            }
        }
    }
}
