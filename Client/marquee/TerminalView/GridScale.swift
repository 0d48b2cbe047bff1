import MarqueeLayout

/// Points to cells: how a screen that was designed for a phone stands on a terminal.
///
/// A terminal is wide and low where a phone is narrow and high. The screen keeps the width that its layouts were made for, as long as a column is
/// worth at least `narrowestColumn` points; its height is fitted to the rows, so that one phone screen is one terminal screen.
struct GridScale: Hashable, Sendable {
    static let phone = LayoutSize(width: 390, height: 844)
    /// Points; on a wider terminal the screen becomes wider, as on a tablet.
    static let narrowestColumn = 3.0
    /// Positions further away are as good as there.
    private static let farthest = 1e6

    let columns: Int
    let rows: Int
    let pointsPerColumn: Double
    let pointsPerRow: Double

    init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        pointsPerColumn = max(GridScale.phone.width / Double(self.columns), GridScale.narrowestColumn)
        let width = pointsPerColumn * Double(self.columns)
        // A cell is about twice as high as it is wide; a row worth less would draw squares upright.
        pointsPerRow = max(
            GridScale.phone.height * width / GridScale.phone.width / Double(self.rows), 2 * pointsPerColumn)
    }

    /// The size that screens are laid out for, in points.
    var container: LayoutSize {
        LayoutSize(width: pointsPerColumn * Double(columns), height: pointsPerRow * Double(rows))
    }

    /// Everything visible takes a row and a column at least.
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
