#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How many columns text takes on a terminal, and text made to fit columns.
enum TextWidth {
    /// The mark of something cut off.
    static let ellipsis = "…"

    /// The C library answers for the locale that is set; the default one, "C", knows ASCII only.
    private static let knowsUnicode: Bool =
        ["C.UTF-8", "UTF-8", "en_US.UTF-8"].contains { setlocale(LC_CTYPE, $0) != nil }

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
        guard knowsUnicode else { return 1 }
        let width = wcwidth(wchar_t(truncatingIfNeeded: scalar.value))
        return width < 0 ? 1 : Int(width)
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

    /// The text in lines of at most `width` columns, broken at spaces; between characters where a word alone is wider.
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
