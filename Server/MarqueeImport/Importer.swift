import MarqueeModel
package import MarqueeStore

/// Brings files into a store.
///
/// A row becomes a commit, and many commits are made durable together. What the store already holds changes nothing, so a file imported twice
/// is imported once. Rows that can't be used are reported and left out. Calls block; one thread at a time.
package struct Importer {
    let store: any StoreEngine
    let progress: (ImportProgress) -> Void

    /// - Parameter progress: called once per hundred rows and at the end of each file, from the thread that imports.
    package init(store: any StoreEngine, progress: @escaping (ImportProgress) -> Void = { _ in }) {
        self.store = store
        self.progress = progress
    }

    /// Imports a CSV file of which each row is a commit of its own.
    /// - Parameter commit: makes the changes from a row's values and line.
    func importRows(
        of table: CSVTable, into report: inout ImportReport,
        commit: ([String], Int) throws(BadRow) -> [Change]
    ) throws(ImportError) {
        var batch = ImportBatch(store: store, file: table.path, report: report)
        try table.read(progress: progress) { (row) throws(ImportError) in
            let changes: [Change]
            do throws(BadRow) {
                changes = try commit(try row.values(), row.line)
            } catch {
                return batch.addBad(error.reason, line: row.line)
            }
            try batch.add(changes, line: row.line)
        }
        try batch.flush()
        report = batch.report
    }
}
