import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import SeededRandom

@testable import MarqueeStore

/// Types with searches, and records as tests write them.
enum SearchedTypes {
    static let descriptors: [UInt8] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TypesTests/Fixtures/podcast.desc")
        return [UInt8]((try? Data(contentsOf: file)) ?? Data())
    }()

    static let usual = document(
        show: "{fields: [title, author], rank: year}", episode: "{fields: [title, topics], rank: plays}")

    /// - Parameter show: what is searched, as YAML; `nil` for nothing.
    static func document(show: String?, episode: String?) -> Change {
        .types(TypesDocument(declarations: declarations(show, episode), descriptors: descriptors))
    }

    static func declarations(_ show: String?, _ episode: String?) -> String {
        func search(_ text: String?) -> String { text.map { ", search: \($0)" } ?? "" }
        return """
            descriptors: podcast.desc
            types:
              show: {message: podcast.v1.Show, id: slug, localized: [title]\(search(show))}
              episode: {message: podcast.v1.Episode, id: guid\(search(episode))}
            """
    }
}

extension Change {
    static func show(_ id: String, _ title: [String: String], author: String, followers: Int) -> Change {
        put("show", id, ["slug": id, "title": title, "author": author, "year": followers])
    }

    static func episode(_ id: String, _ title: String, topics: [String], plays: UInt64?) -> Change {
        var record: [String: Any] = ["guid": id, "title": title, "topics": topics]
        record["plays"] = plays.map { "\($0)" }
        return put("episode", id, record)
    }

    private static func put(_ type: String, _ id: String, _ record: [String: Any]) -> Change {
        let document = ["put": ["type": type, "id": id, "record": record]]
        guard let json = try? JSONSerialization.data(withJSONObject: document),
            let change = try? Change(document: json)
        else { preconditionFailure("a record of a test can be written") }
        return change
    }
}

/// What is found, worked out by a walk over all records, each text folded anew.
struct NaiveSearch {
    struct Entry {
        var id: RecordID
        var texts: [String: [String]]
        var rank: Double?
    }

    var entries: [RecordID: Entry] = [:]
    /// By type; those that aren't there are not searched.
    var fields: [String: (names: [String], isRanked: Bool)] = [:]

    func found(_ query: String, in types: [String]) -> [RecordID] {
        guard let needle = SearchText.needle(query) else { return [] }
        let lists = types.map { type in
            let found = entries.values.filter { entry in
                guard entry.id.type == type, let fields = fields[type] else { return false }
                return fields.names.contains { field in
                    (entry.texts[field] ?? []).contains { text in
                        SearchText.spellings(of: text).contains { $0.unicodeScalars.contains(needle.unicodeScalars) }
                    }
                }
            }
            func rank(_ entry: Entry) -> Double {
                fields[type]?.isRanked == true ? entry.rank ?? -.infinity : -.infinity
            }
            return found.sorted { a, b in
                rank(a) == rank(b) ? a.id.id < b.id.id : rank(a) > rank(b)
            }
        }
        var ids: [RecordID] = []
        for place in 0..<(lists.map(\.count).max() ?? 0) {
            for list in lists where place < list.count { ids.append(list[place].id) }
        }
        return ids
    }
}

/// Random commits and queries in Latin, Hangul and both.
struct RandomSearches {
    private var random: SeededGenerator
    private(set) var naive = NaiveSearch()
    private var isFirst = true

    private static let words = [
        "Tide", "tidal", "Él", "Ocean's", "bread-crumb", "E.T.", "Rye", "aB", "괴물", "기생충", "살인의 추억", "ㅋㅋ",
        "Seoul의 밤", "빵 bread", "12", "½", "ﾊﾝ", "o", "no-no", "...",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func text() -> String {
        let count = number(1...3)
        return (0..<count).map { _ in Self.words[number(0...Self.words.count - 1)] }
            .joined(separator: [" ", ", ", "-", ""][number(0...3)])
    }

    mutating func types() -> [String] {
        let all = ["show", "episode", SearchScope.movie].shuffled(using: &random)
        return Array(all.prefix(number(1...3)))
    }

    /// Whole words, and pieces of them.
    mutating func queries() -> [String] {
        (0..<6).map { _ in
            let characters = Array(text())
            let start = number(0...characters.count - 1)
            return String(characters[start...].prefix(number(1...5)))
        }
    }

    mutating func commit() -> [Change] {
        var changes: [Change] = []
        if isFirst || number(1...8) == 1 { changes.append(newTypes()) }
        isFirst = false
        for _ in 0..<number(1...6) { changes.append(change()) }
        return changes
    }

    private mutating func newTypes() -> Change {
        func search(_ names: [String], _ rank: String?) -> String {
            let list = "[\(names.joined(separator: ", "))]"
            return rank.map { "{fields: \(list), rank: \($0)}" } ?? list
        }
        naive.fields = [SearchScope.movie: (["title"], true)]
        var searches: [String: String] = [:]
        for (type, fields, rank) in [
            ("show", ["title", "author"], "year"), ("episode", ["title", "topics"], "plays"),
        ] where number(1...5) > 1 {
            let names = Array(fields.shuffled(using: &random).prefix(number(1...2)))
            let isRanked = number(1...3) > 1
            naive.fields[type] = (names, isRanked)
            searches[type] = search(names, isRanked ? rank : nil)
        }
        return SearchedTypes.document(show: searches["show"], episode: searches["episode"])
    }

    private mutating func change() -> Change {
        let digit = number(1...9)
        let type = ["show", "episode", SearchScope.movie][number(0...2)]
        let id = RecordID(type: type, id: type == SearchScope.movie ? "\(digit)" : "\(type.prefix(1))\(digit)")
        if number(1...5) == 1 {
            naive.entries[id] = nil
            return type == SearchScope.movie ? .removeMovie(UInt64(digit)) : .remove(id)
        }
        let rank = number(0...3)
        var entry = NaiveSearch.Entry(id: id, texts: [:], rank: Double(rank))
        let change: Change
        switch type {
        case SearchScope.movie:
            let title = text()
            var movie = Movie(id: UInt64(digit), title: title)
            movie.popularity = Double(rank)
            entry.texts["title"] = [title]
            change = .movie(movie)
        case "show":
            let titles = ["en": text(), "ko": text()]
            let author = text()
            entry.texts = ["title": Array(titles.values), "author": [author]]
            change = .show(id.id, titles, author: author, followers: rank)
        default:
            let (title, topics) = (text(), (0..<number(0...3)).map { _ in text() })
            entry.texts = ["title": [title], "topics": topics]
            change = .episode(id.id, title, topics: topics, plays: UInt64(rank))
        }
        naive.entries[id] = entry
        return change
    }
}
