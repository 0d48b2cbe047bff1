import MarqueeImport

/// How far an import is, in one line of a terminal that is written over; silent where standard error is none.
final class ProgressLine {
    /// Back to the line's start, and clear it.
    private static let restart = "\r\u{1B}[K"

    private let isShown = Console.showsProgress

    func show(_ progress: ImportProgress) {
        if isShown { Console.show(ProgressLine.restart + ProgressLine.text(progress)) }
    }

    /// Clears the line.
    func end() {
        if isShown { Console.show(ProgressLine.restart) }
    }

    /// `movies.csv: 1200 rows, 25 %`
    static func text(_ progress: ImportProgress) -> String {
        let file = progress.file.split(separator: "/").last.map(String.init) ?? progress.file
        let rows = "\(file): \(counted(progress.rows, "row"))"
        guard progress.bytesTotal > 0 else { return rows }
        let share = Double(progress.bytesRead) / Double(progress.bytesTotal)
        return "\(rows), \(Int(min(1, max(0, share)) * 100)) %"
    }
}
