/// Measures and breaks text without a font, using a table of letter widths.
///
/// Frames of estimated elements and line breaks are computed here. If the machine's fonts decided them, the same screen
/// would look different elsewhere, so a font only decides how letters look on lines already broken. The widths are
/// those of Inter, the first choice of `MarqueePictures`; a wider font is drawn slightly smaller.
package enum TextRuler {
    /// How far a text may shrink so that its longest word fits on a line.
    private static let smallestShrink = 0.6

    /// At small sizes fonts round letters to pixels, which can make them this much wider than designed.
    private static let slack = 1.01

    /// Width of a string on one line, in points.
    package static func width(of string: some StringProtocol, size: Double, weight: Text.Weight) -> Double {
        // The table has regular and bold widths; other weights are interpolated or extrapolated linearly.
        let boldness = Double(weight.rawValue - Text.Weight.regular.rawValue) / 300
        return string.unicodeScalars.reduce(0.0) { $0 + ems(of: $1, boldness) } * size * slack
    }

    package static func width(of text: Text) -> Double {
        width(of: text.string, size: text.size, weight: text.weight)
    }

    /// How many lines a text needs at a given width.
    ///
    /// - Returns: at least 1, at most the text's own limit.
    package static func lines(of text: Text, in width: Double) -> Int {
        width > 0 ? max(1, fitted(text, in: width).lines) : 1
    }

    /// Points from the top of a text's first line to the bottom of its last.
    package static func height(of text: Text, in width: Double) -> Double {
        let fitted = fitted(text, in: width)
        return Double(max(1, fitted.lines)) * fitted.lineHeight
    }

    /// The text as drawn at a given width: broken into lines, with an ellipsis after the last whole word if it exceeds
    /// its line limit, and smaller if a single word is wider than a line.
    ///
    /// Words are broken only if they don't fit on a line even at the smallest size; if the rest of one has no line, an
    /// ellipsis says so. Facts, separated by ` · `, are dropped whole.
    package static func fitted(_ text: Text, in width: Double) -> Text {
        guard width > 0, !text.string.isEmpty else { return text }
        var text = text
        let widest = pieces(of: text.string).reduce(0.0) {
            max($0, self.width(of: $1.letters, size: text.size, weight: text.weight))
        }
        if widest > width {
            // Slightly less than exact, so that rounding doesn't make the word too wide again.
            text.size *= max(width / widest * 0.999, smallestShrink)
        }
        let lines = broken(text, in: width)
        text.string = lines.joined(separator: "\n")
        text.lines = max(1, lines.count)
        return text
    }

    // MARK: - Breaking

    /// Letters that stay together.
    private struct Piece {
        var letters: Substring
        /// Whether there is a space before it, where a line can break invisibly.
        var hasSpace: Bool
    }

    /// Minimum letters in a word that may break after a hyphen.
    private static let longWord = 11

    /// Splits a text into words; long ones may break after a hyphen or slash, and scripts without spaces between any
    /// two letters.
    private static func pieces(of string: String) -> [Piece] {
        var pieces: [Piece] = []
        for word in string.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            var start = word.startIndex
            var hasSpace = !pieces.isEmpty
            let isLong = word.count >= longWord
            for index in word.indices.dropFirst() {
                let (before, after) = (word[word.index(before: index)], word[index])
                let isBreak =
                    isLong && (before == "-" || before == "/") && after != before && (after.isLetter || after.isNumber)
                    || before.isIdeograph && after.isIdeograph
                guard isBreak else { continue }
                pieces.append(Piece(letters: word[start..<index], hasSpace: hasSpace))
                (start, hasSpace) = (index, false)
            }
            pieces.append(Piece(letters: word[start...], hasSpace: hasSpace))
        }
        return pieces
    }

    private static func broken(_ text: Text, in width: Double) -> [String] {
        func fits(_ line: String) -> Bool { self.width(of: line, size: text.size, weight: text.weight) <= width }
        let facts = text.string.split(separator: Words.factSeparator)
        if text.lines == 1, facts.count > 1 {
            // Facts are in order of importance, so the last ones go first; in a list, the last words.
            for count in (1...facts.count).reversed() {
                let shown = facts.prefix(count).joined(separator: Words.factSeparator)
                if fits(shown) { return [shown] }
                let list = facts[count - 1].split(separator: ", ")
                let before = facts.prefix(count - 1).map { $0 + Words.factSeparator }.joined()
                // A number after a comma belongs to a date: `Mar 6, 2020`.
                let part = (1..<max(list.count, 1)).reversed().lazy.filter { list[$0].first?.isNumber != true }
                    .map { before + list.prefix($0).joined(separator: ", ") }.first(where: fits)
                if let part { return [part] }
            }
        }
        var pieces = pieces(of: text.string)[...]
        var lines: [String] = []
        while let first = pieces.first {
            pieces.removeFirst()
            var line = String(first.letters)
            if !fits(line) {
                if lines.count + 1 == text.lines { return lines + [line.longestPrefix { fits($0 + "…") } + "…"] }
                let head = line.longestPrefix(where: fits)
                pieces.insert(
                    Piece(letters: first.letters.dropFirst(head.count), hasSpace: false), at: pieces.startIndex)
                line = head
            } else {
                while let next = pieces.first {
                    let longer = line + (next.hasSpace ? " " : "") + next.letters
                    guard fits(longer) else { break }
                    pieces.removeFirst()
                    line = longer
                }
            }
            if lines.count + 1 == text.lines, !pieces.isEmpty { return lines + [cut(line, where: fits)] }
            lines.append(line)
        }
        return lines
    }

    /// The last allowed line of a longer text, with an ellipsis after the last word that leaves room for one. A lone
    /// word keeps the whole line.
    private static func cut(_ line: String, where fits: (String) -> Bool) -> String {
        var words = line.split(separator: " ")
        while let last = words.last {
            let kept = words.joined(separator: " ")
            let shown = String(kept.reversed().drop { " ·,:;-–—/(".contains($0) }.reversed()) + "…"
            if fits(shown) { return shown }
            if words.count == 1 { return String(last) }
            words.removeLast()
        }
        return line
    }

    // MARK: - Widths

    private static func ems(of scalar: Unicode.Scalar, _ boldness: Double) -> Double {
        let index = Int(scalar.value) - 32
        if regularWidths.indices.contains(index) {
            let (regular, bold) = (Double(regularWidths[index]), Double(boldWidths[index]))
            return (regular + (bold - regular) * boldness) / 1_000
        }
        return switch scalar {
        case "·", "’", "‘", "│": 0.29
        case "“", "”", "„", "–": 0.5
        case "—", "…", "★": 0.9
        // Combining marks, then the scripts whose letters fill a square.
        case "\u{300}"..."\u{36F}", "\u{200B}"..."\u{200F}", "\u{FE00}"..."\u{FE0F}": 0
        case "\u{AC00}"..."\u{D7A3}": 0.92
        case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}", "\u{FF00}"..."\u{FF60}",
            "\u{1F000}"..."\u{3FFFF}":
            1
        default: 0.65
        }
    }

    /// In thousandths of the letter size, in ASCII order from space to tilde.
    private static let regularWidths = [
        283, 278, 403, 630, 638, 813, 640, 223, 363, 363, 500, 660, 280, 460, 275, 358, 625, 465, 605, 638, 643, 608,
        623, 570, 618, 623, 275, 280, 660, 660, 660, 508, 935, 675, 650, 728, 720, 598, 588, 743, 740, 265, 543, 653,
        563, 890, 753, 763, 635, 763, 640, 638, 643, 743, 675, 950, 643, 665, 625, 363, 358, 363, 470, 453, 498, 565,
        620, 558, 620, 583, 360, 610, 590, 238, 238, 545, 238, 870, 585, 598, 610, 610, 373, 523, 363, 580, 558, 813,
        540, 558, 540, 363, 328, 363, 660,
    ]
    private static let boldWidths = [
        233, 325, 393, 650, 655, 860, 675, 210, 410, 410, 565, 680, 303, 470, 298, 390, 688, 490, 630, 660, 678, 645,
        660, 595, 660, 660, 298, 303, 680, 680, 680, 563, 1030, 748, 660, 753, 728, 613, 585, 760, 745, 280, 570,
        690, 568, 915, 735, 783, 648, 783, 658, 655, 668, 730, 748, 1035, 715, 725, 668, 410, 390, 410, 488, 478,
        498, 580, 635, 588, 635, 598, 385, 633, 625, 273, 273, 583, 273, 913, 623, 613, 633, 633, 408, 563, 388, 623,
        585, 850, 575, 585, 573, 410, 373, 410, 680,
    ]
}

extension Character {
    /// Whether lines can break before and after it, without a space: Chinese characters and Japanese kana. Korean
    /// breaks at spaces.
    fileprivate var isIdeograph: Bool {
        switch unicodeScalars.first {
        case .some("\u{3040}"..."\u{30FF}"), .some("\u{3400}"..."\u{9FFF}"), .some("\u{F900}"..."\u{FAFF}"): true
        default: false
        }
    }
}

extension String {
    /// As many characters as fit, at least one.
    fileprivate func longestPrefix(where fits: (String) -> Bool) -> String {
        var (low, high) = (1, count)
        while low < high {
            let middle = (low + high + 1) / 2
            if fits(String(prefix(middle))) { low = middle } else { high = middle - 1 }
        }
        return String(prefix(low))
    }
}
