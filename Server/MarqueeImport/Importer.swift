package import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore

/// Imports files into a store.
///
/// Each row becomes a commit. Rows that the store already holds change nothing, so importing a file twice has no
/// further effect. Rows that can't be used are reported and left out. A file is a path, or `-` for standard input; it
/// may be gzip-compressed. Calls block; use one thread at a time.
package struct Importer {
    let store: any CatalogueWriter
    let encoding: TextEncoding?
    let progress: (ImportProgress) -> Void
    let shouldContinue: () -> Bool
    let keep: Keeper
    let types: TypesDocument?
    let placeholder: String?
    let copies: SpooledInputs

    /// Receives each row that the store has accepted.
    /// - Returns: why it can't be kept, which makes it a bad row; else `nil`.
    package typealias Keeper = (ImportedRow) throws(ImportError) -> String?

    /// - Parameters:
    ///   - store: the writer that rows go to as the file is read.
    ///   - encoding: the encoding of the files' text; `nil` for what a byte order mark says, else UTF-8.
    ///   - copies: copies of pipes, for an import that mustn't wait for them.
    ///   - shouldContinue: called once per hundred rows; the import stops when it returns `false`.
    ///   - types: the record types in force at the destination; `nil` if it has none or they aren't known.
    ///   - placeholder: the text of the built-in programme, which counts as none.
    ///   - keep: called with each accepted row, for an import that passes rows on.
    ///   - progress: called once per hundred rows and at the end of each file, from the thread that imports.
    package init(
        store: any CatalogueWriter, encoding: TextEncoding? = nil, types: TypesDocument? = nil,
        placeholder: String? = nil, copies: SpooledInputs = SpooledInputs(),
        shouldContinue: @escaping () -> Bool = { true },
        keep: @escaping Keeper = { (_) throws(ImportError) in nil },
        progress: @escaping (ImportProgress) -> Void = { _ in }
    ) {
        self.store = store
        self.encoding = encoding
        self.types = types
        self.placeholder = placeholder
        self.copies = copies
        self.shouldContinue = shouldContinue
        self.keep = keep
        self.progress = progress
    }

    /// Opens a file for reading.
    /// - Parameters:
    ///   - own: the encoding of this file alone, unless the import has one.
    ///   - isPropertyList: whether it may be binary, or declare its own encoding.
    func source(
        _ path: String, encoding own: TextEncoding? = nil, isPropertyList: Bool = false
    ) throws(ImportError) -> ImportSource {
        try ImportSource(path, encoding: encoding ?? own, copies: copies, isPropertyList: isPropertyList)
    }

    /// Imports a CSV file in which each row is a commit of its own.
    /// - Parameter commit: makes the changes from a row's values and line.
    func importRows(
        of table: CSVTable, into report: inout ImportReport,
        commit: ([String], Int) throws(BadRow) -> [Change]
    ) throws(ImportError) {
        var batch = ImportBatch(self, file: table.source.name, report: report)
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
