/// Counts the rows of one file, and tells them now and then.
struct ProgressCounter {
    /// Progress is told once per so many rows, and at the end of a file.
    static let rowsPerCall = 100

    private let source: ImportSource
    private let tell: (ImportProgress) -> Void
    private var rows = 0

    init(source: ImportSource, tell: @escaping (ImportProgress) -> Void) {
        self.source = source
        self.tell = tell
    }

    mutating func row() {
        rows += 1
        if rows.isMultiple(of: ProgressCounter.rowsPerCall) { tellNow() }
    }

    /// Tells the end of the file, which was read whole.
    func finish() { tellNow() }

    private func tellNow() {
        tell(
            ImportProgress(
                file: source.path, rows: rows, bytesRead: source.bytesRead, bytesTotal: source.bytesTotal))
    }
}
