import MarqueeClient
import MarqueePresentation

/// Numbered rows with aligned columns, within a width.
struct RowTable {
    struct Row {
        var number: Int
        var sign: String
        var text: ItemText
    }

    /// A title is not made narrower than this for the sake of the facts beside it.
    static let narrowestTitle = 16
    /// A long fact, such as a caption, is cut to this many columns before a title is cut.
    static let widestFact = 24
    private static let gap = "  "

    var rows: [Row]

    /// - Parameter first: the place of the first item in the whole list, from 0.
    init(_ items: some Collection<ScreenItem>, from first: Int = 0) {
        rows = items.enumerated().map { index, item in
            Row(
                number: item.content.rank(at: first + index), sign: ItemText.sign(of: item.favorite),
                text: ItemText(item, at: first + index))
        }
    }

    /// - Parameter limit: maximum columns of a line.
    func lines(within limit: Int) -> [String] {
        let numberWidth = max(2, TextWidth.columns(String(rows.map(\.number).max() ?? 0)))
        let signWidth = rows.contains { !$0.sign.isEmpty } ? 2 : 0
        let titles = rows.map { TextWidth.columns($0.text.title) }
        var cellWidths = columnWidths()
        let before = 2 + numberWidth + Self.gap.count + signWidth
        let missing = before + (titles.max() ?? 0) + taken(by: cellWidths) - limit
        if missing > 0, let widest = cellWidths.indices.max(by: { cellWidths[$0] < cellWidths[$1] }),
            cellWidths[widest] > Self.widestFact
        {
            cellWidths[widest] = max(Self.widestFact, cellWidths[widest] - missing)
        }
        // The last facts go first when there is no room for a readable title beside them.
        let wanted = min(titles.max() ?? 0, Self.narrowestTitle)
        while !cellWidths.isEmpty, before + wanted + taken(by: cellWidths) > limit { cellWidths.removeLast() }
        let titleWidth = min(titles.max() ?? 0, max(0, limit - before - taken(by: cellWidths)))
        return rows.map { row in
            var line = "  " + TextWidth.pad(String(row.number), to: numberWidth, right: true) + Self.gap
            if signWidth > 0 { line += TextWidth.pad(row.sign, to: signWidth) }
            line += TextWidth.pad(TextWidth.truncate(row.text.title, to: titleWidth), to: titleWidth)
            for (width, cell) in zip(cellWidths, row.text.cells) where width > 0 {
                line +=
                    Self.gap + TextWidth.pad(TextWidth.truncate(cell.text, to: width), to: width, right: cell.isNumber)
            }
            while line.last == " " { line.removeLast() }
            return TextWidth.truncate(line, to: limit)
        }
    }

    private func columnWidths() -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.text.cells.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], TextWidth.columns(cell.text))
            }
        }
        return widths
    }

    private func taken(by widths: [Int]) -> Int {
        widths.reduce(0) { $0 + ($1 > 0 ? $1 + Self.gap.count : 0) }
    }
}
