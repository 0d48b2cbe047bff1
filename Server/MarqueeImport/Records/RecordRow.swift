import MarqueeModel

/// One row of a file of records: what stands in its columns, before anything is known of types.
struct RecordRow {
    /// `nil` in a JSON document, which isn't read by lines.
    var line: Int?
    /// Where the row is in a document that isn't read by lines: `item 12`.
    var place: String?
    /// Rows of the file that it probably stands for.
    var rows = 1
    /// Why it can't be used, if so; then there are no cells.
    var flaw: BadRow?
    /// In the order of the file. A cell of a table is a text; an empty one is missing.
    var cells: [JSONValue.Member] = []
    /// The name under which the row stands in an object, where that is asked for.
    var key: String?

    /// For messages, where no line says which row it is.
    var placePrefix: String { place.map { "\($0): " } ?? "" }

    /// What stands in the column of that name.
    subscript(column: String) -> JSONValue? { cells.first { $0.name == column }?.value }
}
