/// Rows of a table, for people.
enum Columns {
    /// - Parameter rows: each with the same number of cells.
    /// - Returns: a line for each row, with all columns but the last as wide as their widest cell.
    static func lines(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let isLast = index == row.count - 1
                return isLast ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
            }.joined(separator: "  ")
        }
    }
}
