import MarqueeStore

/// Counts the rows of one file and reports progress now and then.
struct ProgressCounter {
    /// Progress is reported once per this many rows, and at the end of a file.
    static let rowsPerCall = 100

    private let name: String
    /// `nil` for rows that aren't read from a file.
    private let source: ImportSource?
    private let importer: Importer
    private var rows = 0

    init(source: ImportSource, _ importer: Importer) {
        name = source.name
        self.source = source
        self.importer = importer
    }

    /// For rows that aren't read from a file.
    init(name: String, _ importer: Importer) {
        self.name = name
        source = nil
        self.importer = importer
    }

    /// - Throws: `cancelled` when the caller stops the import, `store` when the transaction has ended.
    mutating func row() throws(ImportError) {
        rows += 1
        guard rows.isMultiple(of: ProgressCounter.rowsPerCall) else { return }
        report()
        guard importer.shouldContinue() else { throw ImportError(.cancelled, "\(name): stopped after \(rows) rows") }
        do throws(StoreError) { try importer.store.keepAlive() } catch {
            throw ImportError(
                .store, "\(name): the store gave up after \(rows) rows: \(error)", storeError: error)
        }
    }

    /// Reports that the file was read to its end.
    func finish() { report() }

    private func report() {
        importer.progress(
            ImportProgress(
                file: name, rows: rows, bytesRead: source?.bytesRead ?? 0, bytesTotal: source?.bytesTotal ?? 0))
    }
}
