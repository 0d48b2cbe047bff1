/// A query, taken apart: every word has to be in a text, in any order, and what stands in quotation marks as it stands.
struct SearchQuery: Hashable {
    /// The folded texts to find, none of which is part of another; empty for a query without characters.
    let needles: [String]

    private static let quotes: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{FF02}"]

    init(_ query: String) {
        let parts = SearchQuery.parts(of: query)
        let lettered = parts.filter { !SearchText.withoutPunctuation($0, separatesWords: true).isEmpty }
        // Some titles are nothing but punctuation.
        let texts = lettered.isEmpty ? [query] : lettered
        var needles: [String] = []
        for needle in texts.map({ SearchText.fold($0) }) where !needle.isEmpty {
            if needles.contains(where: { $0.unicodeScalars.contains(needle.unicodeScalars) }) { continue }
            needles.removeAll { needle.unicodeScalars.contains($0.unicodeScalars) }
            needles.append(needle)
        }
        self.needles = needles
    }

    /// The words of a query, and its phrases. A quotation mark without another one is white space.
    private static func parts(of query: String) -> [String] {
        var parts: [String] = []
        var rest = Substring(query).unicodeScalars
        while let first = rest.first {
            if SearchText.isSpace(first) {
                rest = rest.dropFirst()
            } else if quotes.contains(first) {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(where: { quotes.contains($0) }) else { continue }
                parts.append(String(Substring(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            } else {
                let word = rest.prefix { !SearchText.isSpace($0) && !quotes.contains($0) }
                parts.append(String(Substring(word)))
                rest = rest[word.endIndex...]
            }
        }
        return parts
    }
}
