/// How many columns text takes on a terminal, and text made to fit columns.
///
/// The C library's `wcwidth` can't be called from Swift on Linux, and it answers for a locale that is set for the whole
/// process. Little is needed: the standard library knows emoji and marks, so only the ranges of East Asian scripts are
/// here.
enum TextWidth {
    /// Marks text that was cut off.
    static let ellipsis = "…"

    /// Scalars two columns wide that aren't emoji: East Asian Width W or F in Unicode 16, with the gaps inside a block
    /// left wide.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul, leading consonants
        0x2329...0x232A,  // angle brackets
        0x2630...0x2637, 0x268A...0x268F,  // trigrams, monograms
        0x2E80...0x303E,  // radicals, CJK punctuation
        0x3041...0x4DFF,  // Kana, Bopomofo, compatibility, ideographs A, hexagrams
        0x4E00...0xA4CF,  // ideographs, Yi
        0xA960...0xA97F, 0xAC00...0xD7A3,  // Hangul
        0xF900...0xFAFF,  // compatibility ideographs
        0xFE10...0xFE19, 0xFE30...0xFE6F,  // vertical and small forms
        0xFF01...0xFF60, 0xFFE0...0xFFE6,  // full width forms
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,  // Tangut, Khitan, Nushu, Kana supplements
        0x1D300...0x1D376,  // Tai Xuan Jing, counting rods
        0x1F200...0x1F265,  // ideographs in squares
        0x20000...0x3FFFD,  // ideographs
    ]

    /// Vowels and trailing consonants, which join the leading one.
    private static let joiningHangul: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

    /// Columns of a whole text.
    static func columns(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// Columns of one character as a reader sees it.
    static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        // Terminals draw an emoji of several parts as one.
        if scalars.count > 1, let first = scalars.first, first.properties.isEmoji,
            scalars.dropFirst().contains(where: { isEmojiPart($0) })
        {
            return 2
        }
        return scalars.reduce(0) { $0 + columns(of: $1) }
    }

    private static func isEmojiPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x200D || scalar.value == 0xFE0F || scalar.properties.isEmojiModifier
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        if (0x20..<0x7F).contains(scalar.value) { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if contains(joiningHangul, scalar) { return 0 }
        // A flag is two letters, one column each, whether or not the terminal draws them as one.
        let isFlagLetter = (0x1F1E6...0x1F1FF).contains(scalar.value)
        return (scalar.properties.isEmojiPresentation && !isFlagLetter) || contains(wide, scalar) ? 2 : 1
    }

    private static func contains(_ ranges: [ClosedRange<UInt32>], _ scalar: Unicode.Scalar) -> Bool {
        guard let first = ranges.first, scalar.value >= first.lowerBound else { return false }
        return ranges.contains { $0.contains(scalar.value) }
    }

    /// The text, cut with an ellipsis when it takes more columns.
    static func truncate(_ text: String, to limit: Int) -> String {
        guard columns(text) > limit else { return text }
        guard limit > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let width = columns(of: character)
            guard used + width <= limit - 1 else { break }
            result.append(character)
            used += width
        }
        return result + ellipsis
    }

    /// The text with spaces up to a width.
    static func pad(_ text: String, to width: Int, right: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - columns(text)))
        return right ? spaces + text : text + spaces
    }

    /// The text in lines of at most `width` columns, broken at spaces, or within a word that alone is wider.
    static func wrap(_ text: String, to width: Int) -> [String] {
        guard width > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        var used = 0
        func finishLine() {
            if !line.isEmpty { lines.append(line) }
            line = ""
            used = 0
        }
        for word in text.split(separator: " ") {
            let wide = columns(word)
            if used > 0, used + 1 + wide > width { finishLine() }
            if used > 0 {
                line.append(" ")
                used += 1
            }
            if wide <= width - used {
                line += word
                used += wide
                continue
            }
            for character in word {
                let width1 = columns(of: character)
                if used + width1 > width { finishLine() }
                line.append(character)
                used += width1
            }
        }
        finishLine()
        return lines
    }
}
