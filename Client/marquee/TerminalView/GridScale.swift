import MarqueeLayout

/// Points to cells: how a screen that was designed for a phone looks on a terminal.
///
/// Up to 80 columns the screen is one phone wide. A wider terminal is a wider screen, with more items side by side; a
/// column never gets smaller than at 80. The height of one phone fills the rows, unless a row would be worth too few
/// points; then more of the screen is visible.
struct GridScale: Hashable, Sendable {
    static let phone = LayoutSize(width: 390, height: 844)
    /// Maximum columns of a screen that is one phone wide.
    static let phoneColumns = 80
    /// Minimum points of a row: a poster is then tall enough to be recognised, and more of them are visible.
    static let lowestRow = 30.0
    /// Positions further away count as this one.
    private static let farthest = 1e6

    let columns: Int
    let rows: Int
    let pointsPerColumn: Double
    let pointsPerRow: Double

    init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        pointsPerColumn = GridScale.phone.width / Double(min(self.columns, GridScale.phoneColumns))
        pointsPerRow = max(GridScale.phone.height / Double(self.rows), GridScale.lowestRow)
    }

    /// The screen's width in phones; 1 or more.
    var phones: Double { container.width / GridScale.phone.width }

    /// Maximum points of a section that is one large item: a quarter of the screen, but enough rows for a picture and
    /// its words.
    var heroHeight: Double { max(container.height / 4, 5 * pointsPerRow) }

    /// The size that screens are laid out for, in points.
    var container: LayoutSize {
        LayoutSize(width: pointsPerColumn * Double(columns), height: pointsPerRow * Double(rows))
    }

    /// The cells that a rectangle covers: at least one row and one column.
    func cells(_ rect: LayoutRect) -> CellRect {
        let left = cell(rect.x / pointsPerColumn)
        let top = cell(rect.y / pointsPerRow)
        return CellRect(
            column: left, row: top, columns: max(1, cell(rect.maxX / pointsPerColumn) - left),
            rows: max(1, cell(rect.maxY / pointsPerRow) - top))
    }

    private func cell(_ position: Double) -> Int {
        guard !position.isNaN else { return 0 }
        return Int(min(max(position, -GridScale.farthest), GridScale.farthest).rounded())
    }
}
