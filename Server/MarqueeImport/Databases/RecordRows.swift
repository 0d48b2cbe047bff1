/// A source of rows that become records: a file, or a table of a database.
protocol RecordRows {
    /// The name in messages.
    var name: String { get }
    /// Whether each row has a name, which is its id.
    var isKeyed: Bool { get }

    /// Hands out all rows.
    /// - Parameter columns: called with the columns of a table before its rows.
    /// - Returns: a note for its author, if there is one.
    func read(
        _ importer: Importer, columns: ([String]) throws(ImportError) -> Void,
        row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) -> String?
}
