import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// Collects commits and writes them in groups.
struct ImportBatch {
    /// Commits that are made durable together.
    static let commitsPerWrite = 500

    private struct Entry {
        var changes: [Change]
        var line: Int?
        var rows: Int
        var place: String
        var isRepeat: Bool
    }

    private let store: any CatalogueWriter
    private let keep: Importer.Keeper
    private let file: String
    private(set) var report: ImportReport
    private var entries: [Entry] = []

    init(_ importer: Importer, file: String, report: ImportReport) {
        self.store = importer.store
        self.keep = importer.keep
        self.file = file
        self.report = report
    }

    /// Adds the commit of one row.
    /// - Parameters:
    ///   - line: names the row if the store refuses it.
    ///   - rows: how many rows of the file it stands for.
    ///   - place: put before the reason if the store refuses it, where no line says which row it is.
    ///   - isRepeat: whether it replaces what an earlier row of the file put.
    mutating func add(
        _ changes: [Change], line: Int?, rows: Int = 1, place: String = "", isRepeat: Bool = false
    ) throws(ImportError) {
        entries.append(Entry(changes: changes, line: line, rows: rows, place: place, isRepeat: isRepeat))
        if entries.count >= ImportBatch.commitsPerWrite { try flush() }
    }

    /// Adds the removal of a record that the file doesn't have.
    mutating func remove(_ id: RecordID) throws(ImportError) {
        try add([.remove(id)], line: nil, rows: 0, place: "\(id.subject): ")
    }

    mutating func addBad(_ row: BadRow, line: Int?, rows: Int = 1) {
        report.add(ImportReport.Problem(file: file, line: line, reason: row.reason), rows: rows, cause: row.cause)
    }

    mutating func note(_ reason: String, line: Int?) {
        report.note(ImportReport.Problem(file: file, line: line, reason: reason))
    }

    /// Writes the collected commits.
    mutating func flush() throws(ImportError) {
        guard let first = entries.first else { return }
        let written = entries
        entries = []
        let outcomes: [StoreOutcome]
        do throws(StoreError) {
            outcomes = try store.write(written.map { .catalogue(key: nil, changes: $0.changes, mutation: nil) })
        } catch {
            let place = first.line.map { "\(file):\($0)" } ?? file
            throw ImportError(.store, "\(place): the store can't be written to: \(error)", storeError: error)
        }
        for (entry, outcome) in zip(written, outcomes) {
            switch outcome {
            case .done(_, let changed):
                var row = ImportedRow(
                    file: file, line: entry.line, rows: entry.rows, changes: entry.changes, isNew: changed)
                row.isRepeat = entry.isRepeat
                if let reason = try keep(row) {
                    addBad(BadRow(entry.place + reason), line: entry.line, rows: entry.rows)
                } else {
                    report.count(row)
                }
            case .refused(let reason):
                // One change stands for a row, so its number within the commit says nothing.
                addBad(
                    BadRow(entry.place + (RefusedChange(reason)?.reason ?? reason)), line: entry.line, rows: entry.rows)
            case .repeated, .cloned, .forgotten, .keyReused, .tooManyClients, .elsewhere, .failed:
                preconditionFailure("an import has neither mutations nor keys, and all of its writes go to one file")
            }
        }
    }
}
