import MarqueeModel

/// One row of a file of records: the texts of its columns, before types are considered.
struct RecordRow {
    /// `nil` in a JSON document, which isn't read by lines.
    var line: Int?
    /// The row's place in a document that isn't read by lines: `item 12`.
    var place: String?
    /// How many rows of the file it probably represents.
    var rows = 1
    /// Why it can't be used, if it can't; then there are no cells.
    var flaw: BadRow?
    /// The cells in the order of the file. A cell of a table is a text; an empty one is missing.
    var cells: [JSONValue.Member] = []
    /// Whether it is of a table without quotes, where `\N` usually means no value.
    var isPlain = false
    /// The row's name in an object of rows, if the file is read with `isKeyed`.
    var key: String?

    /// For messages, if no line says which row it is.
    var placePrefix: String { place.map { "\($0): " } ?? "" }

    /// The text of the column with that name.
    subscript(column: String) -> JSONValue? { cells.first { $0.name == column }?.value }
}
