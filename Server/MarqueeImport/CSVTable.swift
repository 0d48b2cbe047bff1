/// A CSV file whose first row names the columns.
struct CSVTable {
    /// One row, of which only the wanted columns count.
    struct Row {
        var line: Int
        fileprivate var flaw: String?
        fileprivate var wanted: [String]

        /// The wanted columns in the order in which they were asked for.
        func values() throws(BadRow) -> [String] {
            if let flaw { throw BadRow(flaw) }
            return wanted
        }
    }

    private struct Header {
        var count: Int
        /// Of the wanted columns.
        var indices: [Int]
    }

    let path: String
    /// Columns that the file must have, in whatever order; others are ignored.
    let columns: [String]
    /// Between two fields.
    var delimiter = UInt8(ascii: ",")

    /// Hands out all rows but the header.
    func read(
        progress: @escaping (ImportProgress) -> Void, row: (Row) throws(ImportError) -> Void
    ) throws(ImportError) {
        let source = try ImportSource(path)
        var counter = ProgressCounter(source: source, tell: progress)
        var header: Header?
        try CSVReader(source, delimiter: delimiter).read { (raw) throws(ImportError) in
            guard let known = header else {
                header = try self.header(raw)
                return
            }
            counter.row()
            try row(self.row(raw, known))
        }
        guard header != nil else {
            throw ImportError(.wrongColumns, "\(path) is empty; its first line should name the columns")
        }
        counter.finish()
    }

    private func row(_ raw: CSVRow, _ header: Header) -> Row {
        var flaw = raw.flaw
        if flaw == nil, raw.fields.count != header.count {
            flaw = "the row has \(raw.fields.count) fields, the header has \(header.count)"
        }
        return Row(line: raw.line, flaw: flaw, wanted: flaw == nil ? header.indices.map { raw.fields[$0] } : [])
    }

    private func header(_ row: CSVRow) throws(ImportError) -> Header {
        if let flaw = row.flaw { throw ImportError(.wrongColumns, "\(path):\(row.line): \(flaw)") }
        var indices: [Int] = []
        for column in columns {
            guard let index = row.fields.firstIndex(of: column) else {
                // The first line of a file of another kind can be anything.
                let found = row.fields.prefix(columns.count * 2).map { Field.shown($0) }.joined(separator: ", ")
                throw ImportError(
                    .wrongColumns, "\(path):\(row.line): there is no column '\(column)'; the first line has: \(found)")
            }
            indices.append(index)
        }
        return Header(count: row.fields.count, indices: indices)
    }
}
