import Foundation
import MarqueeCatalogue
import MarqueeModel

/// Texts as a search compares them: without case, accents, widths and punctuation, in composed form, where a Korean
/// syllable is one character.
package enum SearchText {
    /// Changes whenever texts are folded or documents are kept differently, so that an index of another version is
    /// rebuilt.
    static let version = "5"
    /// Between two texts; no query holds it.
    static let separator: Unicode.Scalar = "\n"
    /// The longest text that is looked up as a whole; longer queries are found by their trigrams.
    static let longestGram = 2

    /// The most bytes of a document's folded texts; anything beyond is not found. It bounds what a commit has to index.
    static let documentBytes = 8_192

    /// The texts of a document, each spelling once. A text that doesn't fit any more is cut, and the rest left out.
    static func joined(_ texts: [String]) -> String {
        var seen = Set<String>()
        var joined = ""
        for text in texts {
            for spelling in spellings(of: text) where seen.insert(spelling).inserted {
                let room = documentBytes - joined.utf8.count - (joined.isEmpty ? 0 : 1)
                guard room > 0 else { return joined }
                if !joined.isEmpty { joined.unicodeScalars.append(separator) }
                joined += clipped(spelling, to: room)
            }
        }
        return joined
    }

    private static func clipped(_ text: String, to bytes: Int) -> String {
        if text.utf8.count <= bytes { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: bytes)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text.unicodeScalars[..<end])
    }

    /// The text to search for; `nil` for a query without characters.
    static func needle(_ query: String) -> String? {
        let folded = fold(query.trimmingCharacters(in: .whitespaces))
        return folded.isEmpty || folded.unicodeScalars.contains(separator) ? nil : folded
    }

    /// The texts under which a title is found: punctuation may stand for a space or for nothing, so `Spider-Man` is
    /// both `spider man` and `spiderman`.
    package static func spellings(of title: String) -> [String] {
        let folded = plain(title)
        return [fold(title), withoutPunctuation(folded, separatesWords: false)].filter { !$0.isEmpty }
    }

    /// The text that different spellings of one title share: `Battle: Los Angeles` and `battle los angeles`.
    package static func fold(_ text: String) -> String {
        let folded = plain(text)
        let words = withoutPunctuation(folded, separatesWords: true)
        // Some titles are nothing but punctuation.
        return words.isEmpty ? folded : words
    }

    private static func plain(_ text: String) -> String {
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }

    /// Apostrophes and periods go (`Ocean's`, `E.T.`). Other punctuation separates words as a space does, or goes too.
    private static func withoutPunctuation(_ text: String, separatesWords: Bool) -> String {
        var words = String.UnicodeScalarView()
        var isBetweenWords = false
        for scalar in text.unicodeScalars {
            let isMark = isPunctuation(scalar)
            if joined.contains(scalar) || (isMark && !separatesWords) { continue }
            if isMark || scalar == " " {
                isBetweenWords = true
                continue
            }
            if isBetweenWords, !words.isEmpty { words.append(" ") }
            isBetweenWords = false
            words.append(scalar)
        }
        return String(words)
    }

    private static let joined: Set<Unicode.Scalar> = ["'", "\u{2018}", "\u{2019}", "\u{02BC}", "`", "."]

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }

    // MARK: - Short pieces

    /// Every one- or two-character piece of a text, as words that SQLite's `ascii` tokenizer splits at the spaces.
    static func grams(of text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var words = Set<String>()
        for (index, scalar) in scalars.enumerated() where scalar != separator {
            words.insert(word([scalar]))
            if index + 1 < scalars.count, scalars[index + 1] != separator {
                words.insert(word([scalar, scalars[index + 1]]))
            }
        }
        return words.sorted().joined(separator: " ")
    }

    /// A piece as one word. The tokenizer ends words at ASCII characters other than letters and digits; these are moved
    /// to code points that no text uses.
    static func word(_ gram: some Sequence<Unicode.Scalar>) -> String {
        var word = String.UnicodeScalarView()
        for scalar in gram {
            let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            word.append(isPlain ? scalar : Unicode.Scalar(privateUse + scalar.value) ?? scalar)
        }
        return String(word)
    }

    /// The first of Unicode's private-use code points.
    private static let privateUse: UInt32 = 0xE000
}
