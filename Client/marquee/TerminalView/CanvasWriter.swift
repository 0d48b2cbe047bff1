/// A canvas as the bytes that show it on a terminal of the ANSI family: only what differs from the canvas before.
struct CanvasWriter {
    let depth: ColorDepth
    /// Whether a character in the last column leaves the cursor there until the next one; otherwise writing the very
    /// last cell would scroll the screen.
    let wrapsLate: Bool

    /// - Parameter old: what the terminal shows; `nil` if that is unknown, and then everything is written.
    func bytes(from old: Canvas?, to new: Canvas) -> [UInt8] {
        let known = old.flatMap { $0.columns == new.columns && $0.rows == new.rows ? $0 : nil }
        var text = ""
        var style: CellStyle?
        for row in 0..<new.rows {
            var column = 0
            // The cursor's column in this row; `nil` when it is, or may be, elsewhere.
            var cursor: Int?
            // Whether the previous character may have covered this column, or may combine with the next one.
            var isDoubtful = false
            while column < new.columns {
                guard let character = new[column, row].text else {
                    column += 1
                    continue
                }
                var end = column + 1
                while end < new.columns, new[end, row].text == nil { end += 1 }
                let (start, width) = (column, end - column)
                column = end
                let isLast = row == new.rows - 1 && end == new.columns
                if isLast, !wrapsLate { break }
                if let known, !isDoubtful, (start..<end).allSatisfy({ known[$0, row] == new[$0, row] }) { continue }
                let place = "\u{1B}[\(row + 1);\(start + 1)H"
                if cursor != start { text += place }
                let cell = new[start, row]
                if style != cell.style {
                    text += sequence(cell.style)
                    style = cell.style
                }
                // A terminal may draw it narrower, or join it to the one before. Spaces are written first, so that the
                // columns left over are empty.
                let followsDoubt = isDoubtful
                isDoubtful = !Self.isCertain(character) && !Self.isAgreed(character)
                if isDoubtful || followsDoubt { text += String(repeating: " ", count: width) + place }
                text.append(character)
                // Terminals disagree about the width of some characters; after one that isn't certain the cursor is
                // positioned again.
                cursor = Self.isCertain(character) && end < new.columns ? end : nil
            }
        }
        guard !text.isEmpty else { return [] }
        // Later output is plain.
        return Array((text + "\u{1B}[0m").utf8)
    }

    private static func isCertain(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return false }
        // ASCII, frames and blocks.
        return (0x20..<0x7F).contains(scalar.value) || (0x2500...0x259F).contains(scalar.value)
    }

    /// Whether terminals agree about its width: a single letter, and no emoji.
    private static func isAgreed(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return false }
        return !scalar.properties.isEmojiPresentation
    }

    private func sequence(_ style: CellStyle) -> String {
        var parameters = ["0"]
        if style.isBold { parameters.append("1") }
        if style.isDim { parameters.append("2") }
        if style.isUnderlined { parameters.append("4") }
        // Without colours, a painted background is shown reversed, so bars and marks remain visible.
        if style.isReversed || (depth == .none && style.paper != nil) { parameters.append("7") }
        if let ink = style.ink.flatMap({ depth.parameters($0, isPaper: false) }) { parameters.append(ink) }
        if let paper = style.paper.flatMap({ depth.parameters($0, isPaper: true) }) { parameters.append(paper) }
        return "\u{1B}[\(parameters.joined(separator: ";"))m"
    }
}
