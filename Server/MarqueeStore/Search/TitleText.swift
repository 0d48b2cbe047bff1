import Foundation
import MarqueeModel

/// Titles as a search compares them: without case, accents, widths and punctuation, in composed form, where a Korean
/// syllable is one character.
package enum TitleText {
    /// Changes whenever titles are folded differently, so that an index of another version is rebuilt.
    static let version = "2"
    /// Between two titles; no query holds it.
    static let separator: Unicode.Scalar = "\n"
    /// Characters of a piece that is found by its whole text; longer queries are found by their runs of three.
    static let longestGram = 2

    /// All titles of a movie: the original, the English one, and those of other languages, each once.
    static func of(_ movie: Movie) -> String {
        var titles = [movie.title, movie.originalTitle].compactMap { $0 }
        titles += (movie.titles ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        var seen = Set<String>()
        let folded = titles.flatMap { spellings(of: $0) }.filter { !$0.isEmpty && seen.insert($0).inserted }
        return folded.joined(separator: String(separator))
    }

    /// What is searched for; `nil` for a query without characters.
    static func needle(_ query: String) -> String? {
        let folded = fold(query.trimmingCharacters(in: .whitespaces))
        return folded.isEmpty || folded.unicodeScalars.contains(separator) ? nil : folded
    }

    /// The texts under which a title is found: punctuation may stand for a space or for nothing, so `Spider-Man` is
    /// `spider man` and `spiderman`.
    package static func spellings(of title: String) -> [String] {
        let folded = plain(title)
        return [fold(title), withoutPunctuation(folded, separatesWords: false)].filter { !$0.isEmpty }
    }

    /// The text by which two ways to write one title are the same: `Battle: Los Angeles` and `battle los angeles`.
    package static func fold(_ text: String) -> String {
        let folded = plain(text)
        let words = withoutPunctuation(folded, separatesWords: true)
        // A title may be nothing but punctuation.
        return words.isEmpty ? folded : words
    }

    private static func plain(_ text: String) -> String {
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }

    /// Apostrophes and periods go (`Ocean's`, `E.T.`). Other punctuation stands between words as a space does, or goes
    /// too.
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

    /// Every piece of one or two characters of a text, as words that SQLite's tokenizer `ascii` takes apart at the
    /// spaces.
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

    /// A piece as one word. The tokenizer ends words at ASCII characters that are no letters or digits; these are moved
    /// to where no text is.
    static func word(_ gram: some Sequence<Unicode.Scalar>) -> String {
        var word = String.UnicodeScalarView()
        for scalar in gram {
            let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            word.append(isPlain ? scalar : Unicode.Scalar(privateUse + scalar.value) ?? scalar)
        }
        return String(word)
    }

    /// The first of Unicode's code points that stand for nothing.
    private static let privateUse: UInt32 = 0xE000
}
