/// Counts the rows of one file, and tells them now and then.
struct ProgressCounter {
    /// Progress is told once per so many rows, and at the end of a file.
    static let rowsPerCall = 100

    private let source: ImportSource
    private let importer: Importer
    private var rows = 0

    init(source: ImportSource, _ importer: Importer) {
        self.source = source
        self.importer = importer
    }

    /// - Throws: `cancelled` when the import is not wanted any more.
    mutating func row() throws(ImportError) {
        rows += 1
        guard rows.isMultiple(of: ProgressCounter.rowsPerCall) else { return }
        tellNow()
        guard importer.isWanted() else { throw ImportError(.cancelled, "\(source.name): stopped after \(rows) rows") }
    }

    /// Tells the end of the file, which was read whole.
    func finish() { tellNow() }

    private func tellNow() {
        importer.progress(
            ImportProgress(
                file: source.name, rows: rows, bytesRead: source.bytesRead, bytesTotal: source.bytesTotal))
    }
}
