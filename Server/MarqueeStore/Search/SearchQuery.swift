/// A parsed query: a text matches if it has every word, in any order, and every quoted phrase exactly.
struct SearchQuery: Hashable {
    /// The folded texts to find, none of which is part of another; empty for a query without characters.
    let needles: [String]
    /// The needles that may be a letter off, the longest first.
    let tolerated: [String]

    /// The number of letters in a word that may be a letter off. Shorter words are too close to too many others.
    static let toleratedLetters = 5...24
    /// The most words of a query that may be a letter off.
    static let toleratedWords = 4

    private static let quotes: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{FF02}"]

    init(_ query: String) {
        let parts = SearchQuery.parts(of: query)
        let lettered = parts.filter { !SearchText.withoutPunctuation($0.text, separatesWords: true).isEmpty }
        // Some titles are nothing but punctuation.
        let texts = lettered.isEmpty ? [Part(text: query, isQuoted: true)] : lettered
        var (needles, phrases): ([String], Set<String>) = ([], [])
        for part in texts {
            let needle = SearchText.fold(part.text)
            if needle.isEmpty { continue }
            if part.isQuoted { phrases.insert(needle) }
            if needles.contains(where: { $0.unicodeScalars.contains(needle.unicodeScalars) }) { continue }
            needles.removeAll { needle.unicodeScalars.contains($0.unicodeScalars) }
            needles.append(needle)
        }
        self.needles = needles
        let words = needles.filter { !phrases.contains($0) && SearchQuery.isTolerated($0) }
        let longest = words.enumerated().sorted { a, b in
            let (first, second) = (a.element.unicodeScalars.count, b.element.unicodeScalars.count)
            return first != second ? first > second : a.offset < b.offset
        }
        tolerated = longest.prefix(SearchQuery.toleratedWords).map(\.element)
    }

    /// Whether a text is one long word without digits: a different number is never what was meant.
    private static func isTolerated(_ needle: String) -> Bool {
        let scalars = needle.unicodeScalars
        return toleratedLetters.contains(scalars.count) && !scalars.contains { $0 == " " || ("0"..."9").contains($0) }
    }

    private struct Part {
        var text: String
        var isQuoted: Bool
    }

    /// The words of a query, and its phrases. A quotation mark without a closing one is white space.
    private static func parts(of query: String) -> [Part] {
        var parts: [Part] = []
        var rest = Substring(query).unicodeScalars
        while let first = rest.first {
            if SearchText.isSpace(first) {
                rest = rest.dropFirst()
            } else if quotes.contains(first) {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(where: { quotes.contains($0) }) else { continue }
                parts.append(Part(text: String(Substring(rest[..<end])), isQuoted: true))
                rest = rest[rest.index(after: end)...]
            } else {
                let word = rest.prefix { !SearchText.isSpace($0) && !quotes.contains($0) }
                parts.append(Part(text: String(Substring(word)), isQuoted: false))
                rest = rest[word.endIndex...]
            }
        }
        return parts
    }
}
