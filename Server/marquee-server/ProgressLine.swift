import MarqueeImport
import MarqueeStore

/// Progress in one terminal line that is overwritten; silent if standard error is not a terminal.
final class ProgressLine {
    /// Returns to the start of the line and clears it.
    private static let restart = "\r\u{1B}[K"

    private let isShown = Console.showsProgress

    func show(_ text: @autoclosure () -> String) {
        if isShown { Console.show(ProgressLine.restart + text()) }
    }

    /// Clears the line.
    func end() {
        if isShown { Console.show(ProgressLine.restart) }
    }

    /// `shops.csv: 1200 rows, 25 %`
    static func text(_ progress: ImportProgress) -> String {
        let file = progress.file.split(separator: "/").last.map(String.init) ?? progress.file
        let rows = "\(file): \(counted(progress.rows, "row"))"
        guard progress.bytesTotal > 0 else { return rows }
        return "\(rows), \(percent(progress.bytesRead, of: progress.bytesTotal))"
    }

    /// `catalogue: 25 %`
    static func text(_ progress: BackupProgress) -> String {
        let step =
            switch progress.step {
            case .users: "users"
            case .catalogue: "catalogue"
            case .checking: "checking"
            case .database: "database"
            }
        return progress.rowsTotal > 0 ? "\(step): \(percent(progress.rows, of: progress.rowsTotal))" : step
    }

    private static func percent(_ part: Int, of whole: Int) -> String {
        "\(Int(min(1, max(0, Double(part) / Double(whole))) * 100)) %"
    }
}
