/// Whatever has the rows that become records: a file, or a table of a database.
protocol RecordRows {
    /// For messages.
    var name: String { get }
    /// Whether each row has a name, which is its id.
    var isKeyed: Bool { get }

    /// Hands out all rows.
    /// - Parameter columns: called with the columns of a table before its rows.
    /// - Returns: what its author should know, if anything.
    func read(
        _ importer: Importer, columns: ([String]) throws(ImportError) -> Void,
        row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) -> String?
}
