/// Measures text without a font: by a table of how wide letters usually are.
///
/// Sizes of estimated elements come from here. Were they measured with the fonts of the machine, the same screen would be laid out in another
/// way elsewhere; so fonts decide how letters look inside their frames, and the frames are the same everywhere. The table is on the wide side, as
/// text that is a little shorter than its box looks well and text that is longer is cut.
package enum TextRuler {
    /// Points that a string takes on one line.
    package static func width(of string: some StringProtocol, size: Double, weight: Text.Weight) -> Double {
        let sum = string.unicodeScalars.reduce(0.0) { $0 + ems(of: $1) }
        return sum * size * (weight.rawValue >= Text.Weight.semibold.rawValue ? 1.06 : 1)
    }

    package static func width(of text: Text) -> Double {
        width(of: text.string, size: text.size, weight: text.weight)
    }

    /// How many lines a text takes in a width, broken at spaces, and between letters where a word alone is wider.
    ///
    /// - Returns: at least 1, at most the text's own limit.
    package static func lines(of text: Text, in width: Double) -> Int {
        guard width > 0, text.lines > 1 else { return 1 }
        let space = self.width(of: " ", size: text.size, weight: text.weight)
        var (lines, used) = (1, 0.0)
        for word in text.string.split(separator: " ") {
            let wide = self.width(of: word, size: text.size, weight: text.weight)
            if used > 0, used + space + wide > width {
                lines += 1
                used = 0
            }
            used += (used > 0 ? space : 0) + wide
            while used > width, lines < text.lines {
                lines += 1
                used -= width
            }
            if lines >= text.lines { return text.lines }
        }
        return lines
    }

    /// Points that a text takes from its first line's top to its last line's bottom.
    package static func height(of text: Text, in width: Double) -> Double {
        Double(lines(of: text, in: width)) * text.lineHeight
    }

    private static func ems(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case " ", "i", "l", "j", "I", ".", ",", ":", ";", "'", "’", "!", "|", "·": 0.29
        case "f", "t", "r", "(", ")", "[", "]", "-", "/", "│": 0.4
        case "m", "w", "M", "W", "@", "%", "—", "…": 0.88
        case "A"..."Z", "&", "#": 0.69
        case "0"..."9", "a"..."z", "$", "?", "★": 0.58
        // Marks that join what is before them, then the scripts whose letters fill a square.
        case "\u{300}"..."\u{36F}", "\u{200B}"..."\u{200F}", "\u{FE00}"..."\u{FE0F}": 0
        case "\u{AC00}"..."\u{D7A3}": 0.92
        case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}", "\u{FF00}"..."\u{FF60}",
            "\u{1F000}"..."\u{3FFFF}":
            1
        default: 0.62
        }
    }
}
