/// How a cell is drawn.
struct CellStyle: Hashable, Sendable {
    /// `nil`: the terminal's own.
    var ink: CellColor?
    var paper: CellColor?
    var isBold = false
    var isDim = false
    var isUnderlined = false
    var isReversed = false

    static let plain = CellStyle()
    static let bold = CellStyle(isBold: true)
    static let dim = CellStyle(isDim: true)
}

/// A rectangle of cells.
struct CellRect: Hashable, Sendable {
    var column: Int
    var row: Int
    var columns: Int
    var rows: Int

    var endColumn: Int { column + columns }
    var endRow: Int { row + rows }
    var isEmpty: Bool { columns <= 0 || rows <= 0 }

    func intersection(_ other: CellRect) -> CellRect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return CellRect(
            column: left, row: top, columns: max(0, min(endColumn, other.endColumn) - left),
            rows: max(0, min(endRow, other.endRow) - top))
    }
}

/// The whole terminal as a grid of cells, painted first and then shown at once. Nothing is drawn outside the clip.
struct Canvas: Hashable, Sendable {
    struct Cell: Hashable, Sendable {
        /// `nil`: another column of the character before, which may take several.
        var text: Character? = " "
        var style = CellStyle.plain
    }

    let columns: Int
    let rows: Int
    private(set) var cells: [Cell]
    var clip: CellRect

    init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        cells = Array(repeating: Cell(), count: self.columns * self.rows)
        clip = CellRect(column: 0, row: 0, columns: self.columns, rows: self.rows)
    }

    var bounds: CellRect { CellRect(column: 0, row: 0, columns: columns, rows: rows) }

    subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

    /// Fills all cells of a rectangle with a character in one style.
    mutating func fill(_ rect: CellRect, _ style: CellStyle, with character: Character = " ") {
        let visible = rect.intersection(clip).intersection(bounds)
        for row in visible.row..<visible.endRow {
            for column in visible.column..<visible.endColumn { set(character, style, column, row) }
        }
    }

    /// Writes text starting at a cell.
    /// - Parameters:
    ///   - limit: maximum columns; longer text is cut with an ellipsis.
    ///   - style: without a `paper`, each cell keeps its own.
    mutating func write(_ text: String, at column: Int, _ row: Int, within limit: Int, _ style: CellStyle = .plain) {
        guard limit > 0, row >= clip.row, row < clip.endRow, row >= 0, row < rows else { return }
        var position = column
        for character in Canvas.fitted(text, to: limit) {
            let width = TextWidth.columns(of: character)
            guard width > 0 else { continue }
            if position >= clip.column, position + width <= clip.endColumn, position >= 0, position + width <= columns {
                var style = style
                if style.paper == nil { style.paper = cells[row * columns + position].style.paper }
                set(character, style, position, row, width: width)
            }
            position += width
        }
    }

    /// Draws pixels, two to a cell, one above the other. The raster is as wide as the rectangle and twice as high.
    mutating func draw(_ raster: Raster, in rect: CellRect) {
        let visible = rect.intersection(clip).intersection(bounds)
        for row in visible.row..<visible.endRow {
            for column in visible.column..<visible.endColumn {
                let (x, y) = (column - rect.column, 2 * (row - rect.row))
                guard let top = raster[x, y], let bottom = raster[x, y + 1] else { continue }
                set("▀", CellStyle(ink: CellColor(rgb: top), paper: CellColor(rgb: bottom)), column, row)
            }
        }
    }

    /// Darkens what is there and empties it, so that white text on it can be read.
    mutating func shade(_ rect: CellRect) {
        let visible = rect.intersection(clip).intersection(bounds)
        for row in visible.row..<visible.endRow {
            for column in visible.column..<visible.endColumn {
                let cell = self[column, row]
                guard let paper = cell.style.paper else { continue }
                // A half block shows two colours.
                let color = cell.text == "▀" ? paper.mixed(with: cell.style.ink ?? paper, 0.5) : paper
                set(" ", CellStyle(ink: .white, paper: color.mixed(with: .black, 0.6)), column, row)
            }
        }
    }

    /// A thin, empty frame; blanks if there is no room for one.
    mutating func frame(_ rect: CellRect, _ style: CellStyle) {
        fill(rect, style)
        guard rect.columns >= 2, rect.rows >= 2 else { return }
        let line = String(repeating: "─", count: rect.columns - 2)
        write("┌\(line)┐", at: rect.column, rect.row, within: rect.columns, style)
        for row in (rect.row + 1)..<(rect.endRow - 1) {
            write("│", at: rect.column, row, within: 1, style)
            write("│", at: rect.endColumn - 1, row, within: 1, style)
        }
        write("└\(line)┘", at: rect.column, rect.endRow - 1, within: rect.columns, style)
    }

    /// Writes one character, and blanks the rest of any characters that it covers in part.
    private mutating func set(_ character: Character, _ style: CellStyle, _ column: Int, _ row: Int, width: Int = 1) {
        let start = row * columns
        var left = column
        while left > 0, cells[start + left].text == nil { left -= 1 }
        for covered in left..<column { cells[start + covered].text = " " }
        var right = column + width
        while right < columns, cells[start + right].text == nil {
            cells[start + right].text = " "
            right += 1
        }
        cells[start + column] = Cell(text: character, style: style)
        for further in (column + 1)..<(column + width) { cells[start + further] = Cell(text: nil, style: style) }
    }

    /// The rows as text, without styles: what a person would read.
    var text: [String] {
        (0..<rows).map { row in
            var line = String(cells[row * columns..<(row + 1) * columns].compactMap(\.text))
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Clean text of characters that terminals agree on: an emoji of several parts is drawn as its first one, whose
    /// width is certain.
    static func fitted(_ text: String, to limit: Int) -> String {
        let plain = String(Sanitizer.line(text).map { simple($0) })
        return TextWidth.truncate(plain, to: limit)
    }

    private static func simple(_ character: Character) -> Character {
        let scalars = character.unicodeScalars
        // Joined emoji, presentation marks, keycaps and skin tones. Letters are joined, too, and stay as they are.
        guard let first = scalars.first, first.properties.isEmoji,
            scalars.dropFirst().contains(where: { scalar in
                [0x200D, 0xFE0F, 0x20E3].contains(scalar.value) || scalar.properties.isEmojiModifier
            })
        else { return character }
        return Character(first)
    }
}
