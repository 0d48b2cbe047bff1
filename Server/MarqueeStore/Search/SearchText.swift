import Foundation
import MarqueeCatalogue
import MarqueeModel

/// Texts in the form in which a search compares them: without case, accents, widths, punctuation and invisible
/// characters, in composed form, where a Korean syllable is one character.
package enum SearchText {
    /// To be changed whenever texts are folded or documents are stored differently, so that an index of another version
    /// is rebuilt.
    static let version = "9"
    /// Separates two texts; no query contains it.
    static let separator: Unicode.Scalar = "\n"
    /// The longest text that is looked up as a whole; longer queries are found by their trigrams.
    static let longestGram = 2

    /// The most bytes of a document's folded texts; anything beyond is not found. It bounds what a commit has to index.
    static let documentBytes = 8_192

    /// The texts of a document, each spelling once, with a space around each, so that a word's ends can be looked up.
    /// The first text that doesn't fit is cut, and the rest are left out.
    static func joined(_ texts: [String]) -> String {
        var seen = Set<String>()
        var joined = ""
        for text in texts {
            for spelling in spellings(of: text) where seen.insert(spelling).inserted {
                let room = documentBytes - joined.utf8.count - (joined.isEmpty ? 2 : 3)
                guard room > 0 else { return joined }
                if !joined.isEmpty { joined.unicodeScalars.append(separator) }
                joined += " \(clipped(spelling, to: room)) "
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

    /// The texts under which a title is found: punctuation may stand for a space or for nothing, so `Spider-Man` is
    /// both `spider man` and `spiderman`.
    package static func spellings(of title: String) -> [String] {
        let folded = plain(title)
        return [words(of: folded), withoutPunctuation(folded, separatesWords: false)].filter { !$0.isEmpty }
    }

    /// The text that different spellings of one title share: `Battle: Los Angeles` and `battle los angeles`.
    package static func fold(_ text: String) -> String { words(of: plain(text)) }

    private static func words(of folded: String) -> String {
        let words = withoutPunctuation(folded, separatesWords: true)
        if !words.isEmpty { return words }
        // Some titles are nothing but punctuation.
        var visible = String.UnicodeScalarView()
        visible.append(contentsOf: folded.unicodeScalars.filter { !isSpace($0) && !isInvisible($0) })
        return String(visible)
    }

    private static func plain(_ text: String) -> String {
        // ASCII has neither accents nor widths.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        let folded = withVoicedKana(withApostrophes(text).folding(options: options, locale: nil))
        return withPlainLetters(folded.precomposedStringWithCanonicalMapping)
    }

    /// An accent on its own is often typed for an apostrophe; folding would make it a space.
    private static func withApostrophes(_ text: String) -> String {
        let accent: Unicode.Scalar = "\u{B4}"
        guard text.unicodeScalars.contains(accent) else { return text }
        var plain = String.UnicodeScalarView()
        plain.append(contentsOf: text.unicodeScalars.map { $0 == accent ? "'" : $0 })
        return String(plain)
    }

    /// Drops apostrophes and periods (`Ocean's`, `E.T.`), similar marks of other scripts (`Qurʾān`), and the stroke
    /// that stretches Arabic words. Other punctuation separates words as a space does, or is dropped too.
    static func withoutPunctuation(_ text: String, separatesWords: Bool) -> String {
        var words: [UInt8] = []
        words.reserveCapacity(text.utf8.count)
        var isBetweenWords = false
        for scalar in text.unicodeScalars {
            if joins(scalar) { continue }
            let isSpace = isSpace(scalar)
            if !isSpace, isInvisible(scalar) { continue }
            let isMark = !isSpace && isPunctuation(scalar)
            if isMark && !separatesWords { continue }
            if isMark || isSpace {
                isBetweenWords = true
                continue
            }
            if isBetweenWords, !words.isEmpty { words.append(UInt8(ascii: " ")) }
            isBetweenWords = false
            words.append(scalar)
        }
        return String(decoding: words, as: UTF8.self)
    }

    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "'", "\u{2018}", "\u{2019}", "`", ".": true
        // Modifiers that are marks, not small letters; the saltillo; the tatweel.
        case "\u{02B9}"..."\u{02DF}", "\u{A78B}", "\u{A78C}", "\u{0640}": true
        default: false
        }
    }

    /// Whether a character is white space, including no-break spaces, line breaks, and the blank Braille pattern.
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == " " || ("\t"..."\r").contains(scalar) }
        return scalar == "\u{2800}" || scalar.properties.isWhitespace
    }

    /// Whether a character has no shape of its own: a soft hyphen, a mark of direction or encoding, a joiner.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        if isLetterKnown(scalar) { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a character is a letter, as far as that is known without Unicode's tables.
    static func isLetterKnown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xC0...0x24F, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        // Most characters are decided here; a lookup in Unicode's tables costs more than everything else.
        if isLetterOrDigit(ascii: scalar) || isLetterKnown(scalar) { return false }
        return switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }

    // MARK: - Short pieces

    /// Every one- or two-character piece of a text, as words that SQLite's `ascii` tokenizer splits at the spaces.
    static func grams(of text: String) -> String {
        // One or two characters in a number: the first in the bits above the second, which is 0 if there is none.
        let second: UInt64 = 32
        var grams: [UInt64] = []
        grams.reserveCapacity(2 * text.utf8.count)
        var previous: UInt64?
        for scalar in text.unicodeScalars {
            guard scalar != separator else {
                previous = nil
                continue
            }
            let piece = UInt64(piece(scalar))
            grams.append(piece << second)
            if let previous { grams.append(previous << second | piece) }
            previous = piece
        }
        grams.sort()
        var words: [UInt8] = []
        words.reserveCapacity(3 * grams.count)
        var last: UInt64?
        for gram in grams where gram != last {
            if last != nil { words.append(UInt8(ascii: " ")) }
            last = gram
            if let first = Unicode.Scalar(UInt32(gram >> second)) { words.append(first) }
            let rest = UInt32(truncatingIfNeeded: gram)
            if rest != 0, let scalar = Unicode.Scalar(rest) { words.append(scalar) }
        }
        return String(decoding: words, as: UTF8.self)
    }

    /// A piece as one word. The tokenizer ends words at ASCII characters other than letters and digits; these are moved
    /// to code points that no text uses.
    static func word(_ gram: some Sequence<Unicode.Scalar>) -> String {
        var word = String.UnicodeScalarView()
        for scalar in gram { word.append(Unicode.Scalar(piece(scalar)) ?? scalar) }
        return String(word)
    }

    /// The code point of a character in a word.
    private static func piece(_ scalar: Unicode.Scalar) -> UInt32 {
        !scalar.isASCII || isLetterOrDigit(ascii: scalar) ? scalar.value : privateUse + scalar.value
    }

    private static func isLetterOrDigit(ascii scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", "A"..."Z": true
        default: false
        }
    }

    /// The first of Unicode's private-use code points.
    private static let privateUse: UInt32 = 0xE000
}

extension [UInt8] {
    /// Appends a character in UTF-8.
    fileprivate mutating func append(_ scalar: Unicode.Scalar) {
        if let encoded = UTF8.encode(scalar) { append(contentsOf: encoded) }
    }
}
