import MarqueeCatalogue
import MarqueeModel
import SeededRandom

@testable import MarqueeStore

/// The matches of a search, found by a walk over all records in which each text is folded again.
struct NaiveSearch {
    struct Entry {
        var id: RecordID
        var texts: [String: [String]]
        var rank: Double?
    }

    var entries: [RecordID: Entry] = [:]
    /// The searched fields by type; other types aren't searched.
    var fields: [String: (names: [String], isRanked: Bool)] = [:]

    func found(_ query: String, in types: [String]) -> [RecordID] {
        let needles = SearchQuery(query).needles
        guard !needles.isEmpty else { return [] }
        var ids: [RecordID] = []
        for tier in 0...3 {
            let lists = types.map { type in
                let found = entries.values.filter { $0.id.type == type && self.tier(of: $0, needles) == tier }
                func rank(_ entry: Entry) -> Double {
                    fields[type]?.isRanked == true ? entry.rank ?? -.infinity : -.infinity
                }
                return found.sorted { a, b in
                    rank(a) == rank(b) ? a.id.id < b.id.id : rank(a) > rank(b)
                }
            }
            for place in 0..<(lists.map(\.count).max() ?? 0) {
                for list in lists where place < list.count { ids.append(list[place].id) }
            }
        }
        return ids
    }

    /// How well an entry has all needles: 0 as words, 1 as beginnings, 2 within words, 3 a letter off.
    private func tier(of entry: Entry, _ needles: [String]) -> Int? {
        guard let fields = fields[entry.id.type] else { return nil }
        let texts = fields.names.flatMap { entry.texts[$0] ?? [] }.flatMap { SearchText.spellings(of: $0) }
            .map { Array(" \($0) ".unicodeScalars) }
        func has(_ needle: String) -> Bool {
            texts.contains { $0.contains(Array(needle.unicodeScalars)) }
        }
        if needles.allSatisfy({ has(" \($0) ") }) { return 0 }
        if needles.allSatisfy({ has(" \($0)") }) { return 1 }
        if needles.allSatisfy(has) { return 2 }
        return needles.allSatisfy { needle in
            has(needle)
                || isLong(needle)
                    && texts.contains { $0.split(separator: " ").contains { isNear(needle, to: Array($0)) } }
        } ? 3 : nil
    }

    private func isLong(_ needle: String) -> Bool {
        let scalars = Array(needle.unicodeScalars)
        return (5...24).contains(scalars.count) && !scalars.contains { $0 == " " || ("0"..."9").contains($0) }
    }

    /// Whether any beginning of a word is made from the needle by one edit, tried one after the other.
    private func isNear(_ needle: String, to word: [Unicode.Scalar]) -> Bool {
        let needle = Array(needle.unicodeScalars)
        guard let first = needle.first, word.first == first else { return false }
        var edited: [[Unicode.Scalar]] = []
        for place in 1..<needle.count {
            edited.append(Array(needle[..<place] + needle[(place + 1)...]))
            if place + 1 < needle.count {
                edited.append(Array(needle[..<place]) + [needle[place + 1], needle[place]] + needle[(place + 2)...])
            }
            for letter in word {
                edited.append(Array(needle[..<place]) + [letter] + needle[place...])
                edited.append(Array(needle[..<place]) + [letter] + needle[(place + 1)...])
            }
        }
        return edited.contains { word.starts(with: $0) }
    }
}

/// Random commits and queries in Latin, Hangul and both.
struct RandomSearches {
    private var random: SeededGenerator
    private(set) var naive = NaiveSearch()
    private var isFirst = true

    private static let words = [
        "Tide", "tidal", "Él", "Ocean's", "bread-crumb", "E.T.", "Rye", "aB", "괴물", "기생충", "살인의 추억", "ㅋㅋ",
        "Seoul의 밤", "빵 bread", "tidals", "Breadcrumbs", "12", "½", "ﾊﾝ", "o", "no-no", "...",
    ]

    private static let types = ["show", "episode", "trailer"]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func text() -> String {
        let count = number(1...3)
        return (0..<count).map { _ in Self.words[number(0...Self.words.count - 1)] }
            .joined(separator: [" ", ", ", "-", ""][number(0...3)])
    }

    mutating func types() -> [String] {
        Array(Self.types.shuffled(using: &random).prefix(number(1...3)))
    }

    /// Whole words, pieces of them, and words with a letter off.
    mutating func queries() -> [String] {
        (0..<6).map { _ in
            let characters = Array(text())
            let start = number(0...characters.count - 1)
            return String(characters[start...].prefix(number(1...5)))
        } + (0..<3).map { _ in mistyped(text()) }
    }

    private mutating func mistyped(_ text: String) -> String {
        var letters = Array(text)
        let place = number(0...letters.count - 1)
        switch number(0...3) {
        case 0: letters.remove(at: place)
        case 1: letters.insert("x", at: place)
        case 2: letters[place] = "d"
        default: letters.swapAt(place, number(0...1) == 0 ? place : max(0, place - 1))
        }
        return String(letters)
    }

    mutating func commit() -> [Change] {
        var changes: [Change] = []
        if isFirst || number(1...8) == 1 { changes.append(newTypes()) }
        isFirst = false
        for _ in 0..<number(1...6) { changes.append(change()) }
        return changes
    }

    private mutating func newTypes() -> Change {
        naive.fields = [:]
        var searches: [String: String] = [:]
        for (type, fields, rank) in [
            ("show", ["title", "author"], "year"), ("episode", ["title", "topics"], "plays"),
            ("trailer", ["title", "topics"], "plays"),
        ] where number(1...5) > 1 {
            let names = Array(fields.shuffled(using: &random).prefix(number(1...2)))
            let isRanked = number(1...3) > 1
            naive.fields[type] = (names, isRanked)
            let list = "[\(names.joined(separator: ", "))]"
            searches[type] = isRanked ? "{fields: \(list), rank: \(rank)}" : list
        }
        return Sample.types(show: searches["show"], episode: searches["episode"], trailer: searches["trailer"])
    }

    private mutating func change() -> Change {
        let type = Self.types[number(0...2)]
        let id = RecordID(type: type, id: "\(type.prefix(1))\(number(1...9))")
        if number(1...5) == 1 {
            naive.entries[id] = nil
            return .remove(id)
        }
        let rank = number(0...3)
        var entry = NaiveSearch.Entry(id: id, texts: [:], rank: Double(rank))
        let change: Change
        if type == "show" {
            let titles = ["en": text(), "ko": text()]
            let author = text()
            entry.texts = ["title": Array(titles.values), "author": [author]]
            change = .show(id.id, titles, author: author, followers: rank)
        } else {
            let (title, topics) = (text(), (0..<number(0...3)).map { _ in text() })
            entry.texts = ["title": [title], "topics": topics]
            change = .episode(id.id, title, topics: topics, plays: UInt64(rank), type: type)
        }
        naive.entries[id] = entry
        return change
    }
}
