import Foundation
import SeededRandom
import Testing

@testable import MarqueeStore

@Suite struct SearchTextTests {
    /// Text that is all ASCII takes a path of its own; an accent anywhere takes the other path.
    @Test func `ASCII is folded as all other text is`() {
        var random = SeededGenerator(seed: 7)
        let letters = (0x20...0x7E).compactMap { Unicode.Scalar($0) }
        for _ in 0..<2_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<random.int(1...24) {
                if let letter = random.pick(letters) { text.append(letter) }
            }
            let ascii = String(text) + "x"
            let accented = String(text) + "x\u{301}"
            #expect(SearchText.fold(ascii) == SearchText.fold(accented), "\(ascii)")
            #expect(SearchText.spellings(of: ascii) == SearchText.spellings(of: accented), "\(ascii)")
        }
    }

    /// The table is a copy: this notices when the system's library knows more letters.
    @Test func `Plain letters are those of CLDR's transform`() {
        let transform = StringTransform("Latin-ASCII")
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        for (letter, plain) in SearchText.plainLetters {
            #expect(String(letter).applyingTransform(transform, reverse: false)?.lowercased() == plain, "\(letter)")
        }
        for value in UInt32(0x80)...0xABFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic,
                scalar.properties.generalCategory != .modifierLetter
            else { continue }
            let folded = String(scalar).folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
            let plain = folded.applyingTransform(transform, reverse: false)?.lowercased() ?? ""
            guard folded.unicodeScalars.count == 1, plain.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
                continue
            }
            #expect(SearchText.fold(String(scalar)) == plain, "\(scalar)")
        }
    }

    @Test func `Apostrophe-like marks and strokes that stretch words don't count, and a blank is a space`() {
        for (text, folded) in [
            ("Qurʾān", "quran"), ("Ocean´s", "oceans"), ("Oceanʼs", "oceans"), ("Kaꞌa", "kaa"), ("محـمد", "محمد"),
            ("ʿAlī", "ali"), ("a\u{2800}b", "a b"), ("\u{2800}", ""), ("人々", "人々"), ("スーパー", "スーパー"),
        ] {
            #expect(SearchText.fold(text) == folded, "\(text)")
            #expect(SearchText.spellings(of: text).first == (folded.isEmpty ? nil : folded), "\(text)")
        }
        #expect(SearchQuery("\u{2800}").needles.isEmpty)
    }

    @Test func `Vowel points of Hebrew and Arabic, and forms of digits, don't count`() {
        for (text, folded) in [
            ("كِتَاب", "كتاب"), ("أحمد", "احمد"), ("القُرْآن", "القران"), ("שָׁלוֹם", "שלום"), ("٣ عصر", "3 عصر"),
            ("۲۰۲۶", "2026"),
            ("E=mc²", "e=mc2"), ("①", "1"), ("हिन्दी", "हिन्दी"), ("ที่", "ที่"), ("½", "½"),
        ] {
            #expect(SearchText.fold(text) == folded.precomposedStringWithCanonicalMapping, "\(text)")
        }
    }

    @Test func `A query is its words, its phrases, and no word that is part of another`() {
        for (query, needles) in [
            ("John  Kennedy", ["john", "kennedy"]), ("a \"b  c\" d", ["a", "b c", "d"]),
            ("ken kennedy en", ["kennedy"]),
            ("Spider-Man far", ["spider man", "far"]), ("&", ["&"]), ("crumb & crust", ["crumb", "crust"]), ("", []),
            ("\u{A0}\n", []), ("\"", ["\""]), ("\"open", ["open"]), ("\"\"", ["\"\""]), ("…  ...", ["…..."]),
        ] as [(String, [String])] {
            #expect(SearchQuery(query).needles == needles, "\(query)")
        }
    }

    @Test func `Few words of a query may be a letter off, each in three ways`() {
        let letters = Array("abcdefghijkl").map(String.init)
        let words = letters.map { $0 + String(repeating: "xy", count: 5) }
        #expect(SearchQuery(words.joined(separator: " ")).tolerated == Array(words.prefix(SearchQuery.toleratedWords)))
        for count in 5...30 {
            let query = SearchQuery(String(repeating: "z", count: count))
            let isLong = SearchQuery.toleratedLetters.contains(count)
            #expect(query.tolerated.isEmpty != isLong)
            let alternatives = query.tolerant?.alternatives ?? []
            #expect(alternatives.map(\.count) == (isLong ? [3] : []))
            #expect(alternatives.joined().allSatisfy { $0.unicodeScalars.count >= 3 })
        }
    }

    @Test func `Pieces are all characters and pairs of a text, each once`() {
        var random = SeededGenerator(seed: 8)
        let letters = "abA0 -.\"(é기생\u{1F600}\n".unicodeScalars.map { $0 }
        for _ in 0..<500 {
            let text = (0..<random.int(0...20)).compactMap { _ in random.pick(letters) }
            var expected: Set<String> = []
            for (index, letter) in text.enumerated() where letter != SearchText.separator {
                expected.insert(SearchText.word([letter]))
                guard index + 1 < text.count, text[index + 1] != SearchText.separator else { continue }
                expected.insert(SearchText.word([letter, text[index + 1]]))
            }
            var string = String.UnicodeScalarView()
            string.append(contentsOf: text)
            let words = SearchText.grams(of: String(string)).split(separator: " ").map(String.init)
            #expect(words.count == expected.count)
            #expect(Set(words) == expected)
        }
    }
}
