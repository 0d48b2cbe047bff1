import MarqueeCatalogue
import MarqueeModel

/// The parts of texts to look up in an index with one query. Every engine's index answers it.
struct SearchPattern: Hashable {
    /// A text has all of these.
    var needles: [String]
    /// It also has one of each of these. Each has three characters or more.
    var alternatives: [[String]] = []

    /// The most documents of a type that it asks for, in order of rank: one more than are used.
    var limit: Int { 1 + (alternatives.isEmpty ? SearchMatches.limit : SearchQuery.candidates) }
}

extension SearchPattern {
    /// The same for texts that have marks as well.
    func with(_ marks: [SearchMark]?) -> SearchPattern {
        SearchPattern(needles: needles + (marks ?? []).map(\.text), alternatives: alternatives)
    }
}

/// A document that an index found for a pattern.
struct SearchCandidate {
    var id: RecordID
    /// Only read for a pattern with alternatives, which has to be compared with the text.
    var text: String?
}

/// The order of matches, the same for all engines.
extension SearchQuery {
    /// The most documents of a type to compare with words that may be a letter off, those of the highest rank.
    static let candidates = 1_000
    /// Words may be a letter off only if fewer matches than this have all words as they are spelled.
    static let enoughMatches = 50

    /// Every pattern finds what the one before it finds, and more: whole words, beginnings of words, parts.
    var strict: [SearchPattern] {
        [needles.map { " \($0) " }, needles.map { " \($0)" }, needles].map { SearchPattern(needles: $0) }
    }

    /// Texts that may have all words if some are a letter off, and are compared with them; `nil` if no word is long
    /// enough.
    var tolerant: SearchPattern? {
        guard !tolerated.isEmpty else { return nil }
        return SearchPattern(
            needles: needles.filter { !tolerated.contains($0) },
            alternatives: tolerated.map { SearchWord($0).alternatives })
    }

    /// Whether a text has all words, each as it is spelled or a letter off where that is allowed.
    func tolerates(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        let words = scalars.split { $0 == " " || $0 == SearchText.separator }
        return needles.allSatisfy { needle in
            if scalars.contains(needle.unicodeScalars) { return true }
            guard tolerated.contains(needle) else { return false }
            let word = SearchWord(needle)
            return words.contains { word.isNearlyBeginning($0) }
        }
    }

    /// The documents that match a query, at most `SearchMatches.limit`, and whether there are more.
    ///
    /// Those with all words come first, then those with beginnings of words, then those with the query's words within
    /// others, then those with a word that is a letter off. Among these, documents of one type go by rank, the largest
    /// first, then by id; types take turns in the order they are named.
    /// - Parameter ask: returns the documents for a pattern, those of each type in order.
    func found(
        _ ask: (SearchPattern) throws -> [[SearchCandidate]]
    ) rethrows -> FoundRecords {
        guard !needles.isEmpty else { return FoundRecords() }
        var (ids, seen, work): ([RecordID], Set<RecordID>, SearchWork) = ([], [], SearchWork())
        var hasMore = false
        func add(_ found: [[SearchCandidate]], where isMatch: (SearchCandidate) -> Bool = { _ in true }) {
            work.count(found)
            let matches = found.map { $0.filter(isMatch).map(\.id).filter { seen.insert($0).inserted } }
            ids += SearchMatches.takingTurns(matches)
        }
        for pattern in strict where ids.count <= SearchMatches.limit { add(try ask(pattern)) }
        if ids.count < Self.enoughMatches, let tolerant {
            let found = try ask(tolerant)
            hasMore = found.contains { $0.count > Self.candidates }
            add(found.map { Array($0.prefix(Self.candidates)) }) { tolerates($0.text ?? "") }
        }
        return FoundRecords(
            ids: Array(ids.prefix(SearchMatches.limit)), isCapped: hasMore || ids.count > SearchMatches.limit,
            work: work)
    }
}

/// A word of a query that may be a letter off: one too many, one missing, one wrong, or two neighbours swapped. The
/// first letter is right.
struct SearchWord {
    private let letters: [Unicode.Scalar]

    init(_ word: String) { letters = Array(word.unicodeScalars) }

    /// Whether a word begins with this one, at most a letter off.
    func isNearlyBeginning(_ word: Substring.UnicodeScalarView) -> Bool {
        isNearlyBeginning(Array(word.prefix(letters.count + 1)))
    }

    private func isNearlyBeginning(_ word: [Unicode.Scalar]) -> Bool {
        // The first letter in which the words differ may be taken to be the one that is off.
        let same = zip(letters, word).prefix { $0 == $1 }.count
        guard same > 0 else { return false }
        let (mine, other) = (letters.dropFirst(same), word.dropFirst(same))
        if mine.isEmpty || other.starts(with: mine.dropFirst()) || other.dropFirst().starts(with: mine) { return true }
        if other.isEmpty { return false }
        if other.dropFirst().starts(with: mine.dropFirst()) { return true }
        return mine.count > 1 && other.count > 1 && mine.first == other.dropFirst().first
            && mine.dropFirst().first == other.first && other.dropFirst(2).starts(with: mine.dropFirst(2))
    }

    /// Parts, one of which is in every text with a word that is nearly this one: a wrong letter leaves one half right,
    /// unless the letters where the halves meet are swapped.
    var alternatives: [String] {
        let middle = letters.count / 2
        guard middle > 1 else { return [] }
        var swapped = letters
        swapped.swapAt(middle - 1, middle)
        return [part(beginning: letters[..<middle]), part(letters[middle...]), part(beginning: swapped)]
    }

    private func part(beginning letters: some Sequence<Unicode.Scalar>) -> String { " \(part(letters))" }

    private func part(_ letters: some Sequence<Unicode.Scalar>) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: letters)
        return String(scalars)
    }
}
