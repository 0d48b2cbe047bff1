import CNcurses

/// How many columns text takes on a terminal, and text made to fit columns.
///
/// Terminals add up the widths of a character's parts, and so does this. The C library knows them, as it does for most
/// programs; it is older than the standard library, which knows the latest emoji.
enum TextWidth {
    /// Marks text that was cut off.
    static let ellipsis = "…"

    // Made once and never freed; the C library only reads it.
    nonisolated(unsafe) private static let locale = marquee_width_locale()

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
        // A flag is two letters, one column each, whether or not the terminal draws them as one.
        let isFlagLetter = (0x1F1E6...0x1F1FF).contains(scalar.value)
        if scalar.properties.isEmojiPresentation, !isFlagLetter { return 2 }
        let known = marquee_width(locale, scalar.value)
        if known >= 0 { return Int(known) }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: 1
        }
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
