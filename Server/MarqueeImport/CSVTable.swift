/// A CSV file whose first row names the columns.
struct CSVTable {
    /// One row, reduced to the wanted columns.
    struct Row {
        var line: Int
        /// The number of rows it probably stands for: a row with a missing quote swallows the rows on the lines that
        /// follow.
        var rows: Int
        fileprivate var flaw: BadRow?
        fileprivate var wanted: [String]

        /// The wanted columns, in the order in which they were asked for.
        func values() throws(BadRow) -> [String] {
            if let flaw { throw flaw }
            return wanted
        }
    }

    private struct Header {
        var count: Int
        /// The positions of the wanted columns; `nil` for one that the file lacks.
        var indices: [Int?]
    }

    let source: ImportSource
    /// Columns that the file must have, in any order; others are ignored.
    let columns: [String]
    /// Columns that the file may have; a missing one reads as empty.
    var optionalColumns: [String] = []
    var dialect = TableDialect()

    /// Hands out all rows except the header.
    func read(
        _ importer: Importer, row: (Row) throws(ImportError) -> Void
    ) throws(ImportError) {
        var counter = ProgressCounter(source: source, importer)
        var header: Header?
        try dialect.declared(by: source).read(source) { (raw) throws(ImportError) in
            guard let known = header else {
                header = try self.header(raw)
                return
            }
            try counter.row()
            try row(self.row(raw, known))
        }
        guard header != nil else {
            throw ImportError(.wrongColumns, "\(source.name) is empty; its first line should name the columns")
        }
        counter.finish()
    }

    private func row(_ raw: CSVRow, _ header: Header) -> Row {
        var flaw = raw.flaw
        if flaw == nil, raw.fields.count != header.count {
            let span =
                raw.lines > 1 ? "; it goes on to line \(raw.line + raw.lines - 1), so a quote may be missing" : ""
            flaw = BadRow(
                "the row has \(raw.fields.count) fields, the header has \(header.count)\(span)", cause: .fieldCount)
        }
        return Row(
            line: raw.line, rows: flaw == nil ? 1 : raw.lines, flaw: flaw,
            wanted: flaw == nil ? header.indices.map { $0.map { raw.fields[$0] } ?? "" } : [])
    }

    private func header(_ row: CSVRow) throws(ImportError) -> Header {
        if let flaw = row.flaw {
            throw ImportError(.wrongColumns, "\(source.name):\(row.line): \(flaw.reason)")
        }
        var indices: [Int?] = []
        for column in columns {
            guard let index = row.fields.firstIndex(of: column) else {
                // The first line of some other kind of file can be anything.
                let found = row.fields.prefix(columns.count * 2).map { Field.shown($0) }.joined(separator: ", ")
                throw ImportError(
                    .wrongColumns,
                    "\(source.name):\(row.line): there is no column '\(column)'; the first line has: \(found)")
            }
            indices.append(index)
        }
        for column in columns + optionalColumns where row.fields.count(where: { $0 == column }) > 1 {
            throw ImportError(.wrongColumns, "\(source.name):\(row.line): there are two columns '\(column)'")
        }
        indices += optionalColumns.map { row.fields.firstIndex(of: $0) }
        return Header(count: row.fields.count, indices: indices)
    }
}
