import MarqueeModel
package import MarqueeStore

/// Brings files into a store.
///
/// A row becomes a commit. What the store already holds changes nothing, so a file imported twice is imported once.
/// Rows that can't be used are reported and left out. A file is a path, or `-` for standard input; it may be packed
/// with gzip. Calls block; one thread at a time.
package struct Importer {
    let store: any CatalogueWriter
    let encoding: TextEncoding?
    let progress: (ImportProgress) -> Void
    let isWanted: () -> Bool

    /// - Parameters:
    ///   - store: what is written to as the file is read.
    ///   - encoding: of the files' text; `nil` for what a byte order mark says, else UTF-8.
    ///   - isWanted: asked once per hundred rows; the import stops when it says no.
    ///   - progress: called once per hundred rows and at the end of each file, from the thread that imports.
    package init(
        store: any CatalogueWriter, encoding: TextEncoding? = nil, isWanted: @escaping () -> Bool = { true },
        progress: @escaping (ImportProgress) -> Void = { _ in }
    ) {
        self.store = store
        self.encoding = encoding
        self.isWanted = isWanted
        self.progress = progress
    }

    /// Opens a file to be read.
    func source(_ path: String) throws(ImportError) -> ImportSource { try ImportSource(path, encoding: encoding) }

    /// Imports a CSV file of which each row is a commit of its own.
    /// - Parameter commit: makes the changes from a row's values and line.
    func importRows(
        of table: CSVTable, into report: inout ImportReport,
        commit: ([String], Int) throws(BadRow) -> [Change]
    ) throws(ImportError) {
        var batch = ImportBatch(store: store, file: table.source.name, report: report)
        try table.read(self) { (row) throws(ImportError) in
            let changes: [Change]
            do throws(BadRow) {
                changes = try commit(try row.values(), row.line)
            } catch {
                return batch.addBad(error, line: row.line, rows: row.rows)
            }
            try batch.add(changes, line: row.line)
        }
        try batch.flush()
        report = batch.report
    }
}
