import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// A file of records, read row by row.
package struct RecordFile: Hashable, Sendable, RecordRows {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// The first line names the columns.
        case csv, tsv
        /// One object per line.
        case ndjson
        /// A list of objects, or one object whose members are the rows.
        case json
        /// The items of an RSS document or an Atom feed.
        case rss
    }

    /// The most bytes of a JSON document, which is held in memory whole.
    static let documentBytes = 64 << 20

    package var path: String
    /// `nil` to decide by the name or the beginning of the file.
    package var format: Format?
    /// `nil` for that of the import, else what a byte order mark says, else UTF-8.
    package var encoding: TextEncoding?
    /// The separator between fields of a table; `nil` for the one that the first line declares, else a comma, or a tab
    /// in TSV.
    package var separator: UInt8?
    /// The quote around fields of a table; `nil` for the usual one with its separator.
    package var quote: Quote?
    /// Whether a backslash begins an escape in a table without quotes.
    package var hasEscapes = false
    /// Lines of a table before its columns.
    package var skippedLines = 0
    /// The columns of a table that doesn't name them.
    package var columns: [String] = []
    /// The names on the path to the rows of a JSON document.
    package var rows: [String] = []
    /// Whether the members of an object are the rows, and their names the ids.
    package var isKeyed = false
    /// Whether advice may name the options of an import.
    package var hasOptions = true
    /// Whether the document, or the value at the path, is the only row.
    package var isSingle = false

    /// The quoting of a table's fields.
    package enum Quote: Hashable, Sendable {
        case nothing
        case character(UInt8)
    }

    package init(path: String) { self.path = path }

    package var name: String { ImportSource.name(of: path) }

    func read(
        _ importer: Importer, columns: ([String]) throws(ImportError) -> Void,
        row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) -> String? {
        let source = try importer.source(path, encoding: encoding)
        var counter = ProgressCounter(source: source, importer)
        let format = format ?? guess(source)
        if format != .json, isKeyed || isSingle || !rows.isEmpty {
            throw ImportError(
                .malformed,
                "\(source.name) is read as \(format.rawValue), but --path, --keyed and --one need JSON; "
                    + "if it is JSON, add --format json")
        }
        var note: String?
        switch format {
        case .csv, .tsv: note = try readTable(source, format, &counter, columns, row)
        case .ndjson, .json, .rss:
            guard separator == nil, quote == nil, !hasEscapes, skippedLines == 0, self.columns.isEmpty else {
                throw ImportError(
                    .malformed,
                    "\(source.name) is read as \(format.rawValue), but --separator, --quote, --escapes, --skip and "
                        + "--columns are for tables; if it is one, add --format csv or tsv")
            }
            switch format {
            case .json: try readDocument(source, &counter, row)
            case .rss:
                try columns(RSSDocument.columns)
                for item in try RSSDocument.rows(of: source) {
                    try counter.row()
                    try row(item)
                }
            default: try readLines(source, &counter, row)
            }
        }
        counter.finish()
        return note
    }

    private func guess(_ source: ImportSource) -> Format {
        if !rows.isEmpty || isKeyed || isSingle { return .json }
        if let format = Self.format(ofFile: path) { return format }
        let start = source.firstLine()
        if separator != nil || !columns.isEmpty || TableDialect.declaredSeparator(in: start) != nil { return .csv }
        let first = skippedLines == 0 ? start : source.firstLine(skipping: skippedLines)
        let line = first.drop(while: \.isWhitespace)
        if line.first == "[" { return .json }
        if line.first == "<" { return .rss }
        guard line.first == "{" else { return line.contains("\t") && !line.contains(",") ? .tsv : .csv }
        // A whole object in the first line, or one that goes on.
        return (try? JSONValue(parsing: Array(line.utf8))) == nil ? .json : .ndjson
    }

    /// The format that a name ends in.
    static func format(ofFile path: String) -> Format? {
        var name = path.lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        for (suffix, format) in [
            (".csv", Format.csv), (".tsv", .tsv), (".ndjson", .ndjson), (".jsonl", .ndjson), (".json", .json),
        ] where name.hasSuffix(suffix) { return format }
        return nil
    }

    // MARK: - Tables

    private func readTable(
        _ source: ImportSource, _ format: Format, _ counter: inout ProgressCounter,
        _ columns: ([String]) throws(ImportError) -> Void, _ row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) -> String? {
        let dialect = try dialect(of: source, format)
        var header: [String]?
        var kept = PreservedQuotes()
        if !self.columns.isEmpty {
            let names = try RecordFile.header(CSVRow(line: 1, fields: self.columns), of: source)
            header = names
            try columns(names)
        }
        try dialect.read(source) { (raw) throws(ImportError) in
            guard let names = header else {
                let names = try RecordFile.header(raw, of: source)
                header = names
                return try columns(names)
            }
            try counter.row()
            if dialect.quote == nil { kept.look(at: raw) }
            var cells = RecordFile.row(raw, names)
            cells.isPlain = dialect.quote == nil
            try row(cells)
        }
        guard header != nil else {
            throw ImportError(.wrongColumns, "\(source.name) is empty; its first line should name the columns")
        }
        return kept.note
    }

    /// The line that names the columns of a table, as it is written.
    /// - Returns: `nil` for a file that isn't a table, or names its columns otherwise.
    func firstLine(_ importer: Importer) throws(ImportError) -> String? {
        let source = try importer.source(path, encoding: encoding)
        guard [.csv, .tsv].contains(format ?? guess(source)), columns.isEmpty,
            TableDialect.declaredSeparator(in: source.firstLine()) == nil
        else { return nil }
        return source.firstLine(skipping: skippedLines)
    }

    /// The names in the first line of a table, which may be empty or occur twice.
    /// - Returns: the names, and the number of lines before them; `nil` for a file that isn't a table, names its
    ///   columns otherwise or is empty.
    func firstRow(_ importer: Importer) throws(ImportError) -> (names: [String], skipped: Int)? {
        let source = try importer.source(path, encoding: encoding)
        let format = format ?? guess(source)
        guard [.csv, .tsv].contains(format), columns.isEmpty else { return nil }
        let dialect = try dialect(of: source, format)
        let found = ImportError(.cancelled, "the first row was found")
        var names: [String]?
        do throws(ImportError) {
            try dialect.read(source) { (row) throws(ImportError) in
                if row.flaw?.cause == .encoding {
                    throw ImportError(
                        .malformed, "\(source.name) is not UTF-8 text; name its encoding, such as --encoding cp949")
                }
                if row.flaw == nil { names = row.fields.map { Field.trimmed($0) } }
                throw found
            }
        } catch {
            guard error.message == found.message else { throw error }
        }
        return names.map { ($0, dialect.skippedLines) }
    }

    private func dialect(of source: ImportSource, _ format: Format) throws(ImportError) -> TableDialect {
        var dialect = TableDialect(separator: separator ?? (format == .tsv ? TableDialect.tab : TableDialect.comma))
        dialect.skippedLines = skippedLines
        let isDeclared = TableDialect.declaredSeparator(in: source.firstLine()) != nil
        dialect = dialect.declared(by: source, separatorIsGiven: separator != nil)
        switch quote {
        case .character(let quote)?: dialect.quote = quote
        case .nothing?: dialect.quote = nil
        case nil:
            // Tables with tabs have no quotes, except those that Excel writes: with a first line of its own, or in
            // UTF-16.
            let isExcel = isDeclared || source.encoding.map { $0.name.hasPrefix("UTF-16") } ?? false
            if hasEscapes || (dialect.separator == TableDialect.tab && !isExcel) { dialect.quote = nil }
        }
        dialect.hasEscapes = hasEscapes
        guard !hasEscapes || dialect.quote == nil else {
            throw ImportError(.malformed, "\(source.name): --escapes goes with tables without quotes: --quote none")
        }
        return dialect
    }

    private static func header(_ row: CSVRow, of source: ImportSource) throws(ImportError) -> [String] {
        if let flaw = row.flaw {
            throw ImportError(.wrongColumns, "\(source.name):\(row.line): \(flaw.reason)")
        }
        let names = row.fields.map { Field.trimmed($0) }
        if names.count == 1, let name = names.first {
            for (separator, option) in [(";", "';'"), ("\t", "tab"), ("|", "'|'")] where name.contains(separator) {
                throw ImportError(
                    .wrongColumns,
                    "\(source.name) has a single column, '\(Field.shown(name))'; is its separator a different one? Try "
                        + "--separator \(option)")
            }
        }
        var seen: Set<String> = []
        for name in names where !name.isEmpty && !seen.insert(name).inserted {
            throw ImportError(
                .wrongColumns, "\(source.name) has two columns '\(Field.shown(name))'; rename one of them")
        }
        return names
    }

    private static func row(_ raw: CSVRow, _ names: [String]) -> RecordRow {
        var row = RecordRow(line: raw.line)
        row.flaw = raw.flaw
        if row.flaw == nil, raw.fields.count != names.count {
            let span =
                raw.lines > 1 ? "; it goes on to line \(raw.line + raw.lines - 1), so a quote may be missing" : ""
            row.flaw = BadRow(
                "the row has \(raw.fields.count) fields, the header has \(names.count)\(span)", cause: .fieldCount)
        }
        guard row.flaw == nil else {
            row.rows = raw.lines
            return row
        }
        for (name, text) in zip(names, raw.fields) where !name.isEmpty && Field.text(text) != nil {
            row.cells.append(JSONValue.Member(name: name, value: .text(text)))
        }
        return row
    }

    // MARK: - JSON

    private func readLines(
        _ source: ImportSource, _ counter: inout ProgressCounter, _ row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) {
        try LineReader(source: source).read { (line, bytes) throws(ImportError) in
            let bytes = line == 1 ? Array(bytes.withoutByteOrderMark) : bytes
            guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return }
            try counter.row()
            guard String(validating: bytes, as: UTF8.self) != nil else {
                return try row(RecordRow(line: line, flaw: BadRow("the line is not UTF-8", cause: .encoding)))
            }
            let value: JSONValue
            do throws(RecordError) {
                value = try JSONValue(parsing: bytes)
            } catch {
                return try row(RecordRow(line: line, flaw: BadRow(error.reason)))
            }
            try row(RecordFile.row(value, RecordRow(line: line)))
        }
    }

    private func readDocument(
        _ source: ImportSource, _ counter: inout ProgressCounter, _ row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) {
        let bytes = Array(try FileContent.read(source, limit: RecordFile.documentBytes).withoutByteOrderMark)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ImportError(
                .malformed, "\(source.name) is not UTF-8 text; name its encoding, such as --encoding cp949")
        }
        let document: JSONValue
        do throws(RecordError) {
            document = try JSONValue(parsing: bytes, atMost: RecordFile.documentBytes)
        } catch {
            throw ImportError(.malformed, "\(source.name): \(error.reason)")
        }
        let value = try value(in: document, of: source)
        switch value {
        case .object where isSingle:
            try counter.row()
            try row(RecordFile.row(value, RecordRow(place: "the document")))
        case .list(let values) where !isKeyed && !isSingle:
            for (index, value) in values.enumerated() {
                try counter.row()
                try row(RecordFile.row(value, RecordRow(place: "item \(index + 1)")))
            }
        case .object(let members) where isKeyed && !isSingle:
            for member in members {
                try counter.row()
                try row(
                    RecordFile.row(
                        member.value, RecordRow(place: "'\(Field.shown(member.name))'", key: member.name.composed)))
            }
        default: throw ImportError(.malformed, "\(source.name): \(noRows(value))")
        }
    }

    /// The value at the path.
    private func value(in document: JSONValue, of source: ImportSource) throws(ImportError) -> JSONValue {
        var value = document
        for name in rows {
            guard case .object(let members) = value else {
                throw ImportError(.malformed, "\(source.name): the path leads to '\(name)' in \(value.found)")
            }
            guard let next = value[name] else {
                let names = members.map(\.name)
                throw ImportError(
                    .malformed,
                    "\(source.name): there is no '\(Field.shown(name))' for the path"
                        + "\(NearestName.hint(for: name, among: names)); there is \(RecordFile.list(names))")
            }
            value = next
        }
        return value
    }

    /// The message for a value without rows, with advice.
    private func noRows(_ value: JSONValue) -> String {
        let place = rows.isEmpty ? "the document" : "'\(rows.joined(separator: "."))'"
        guard case .object(let members) = value else {
            let option = isSingle ? "--one" : "--keyed"
            let expected = isKeyed || isSingle ? "an object is expected with \(option)" : "no list of rows"
            return "\(place) is \(value.found), and \(expected)"
        }
        let lists = members.filter { if case .list = $0.value { true } else { false } }.map(\.name)
        let objects = members.filter { if case .object = $0.value { true } else { false } }.map(\.name)
        let path = rows.isEmpty ? "" : rows.joined(separator: ".") + "."
        guard hasOptions else {
            let types = "scaffold needs a list of rows, so name one with --path"
            return "\(place) is an object, not a list of rows; \(types)"
                + (lists.first.map { " \(path)\($0)" } ?? "")
                + (lists.isEmpty && !objects.isEmpty
                    ? "; rows that are members of an object are put into a list first" : "")
        }
        var advice = "name the list with --path NAME"
        if let list = lists.first { advice = "name the list with --path \(path)\(list)" }
        if lists.isEmpty, !objects.isEmpty {
            advice = "if its members are the rows, and their names the ids, say --keyed"
        }
        return "\(place) is an object, not a list of rows; if it is the only row itself, say --one; \(advice)"
    }

    static func row(_ value: JSONValue, _ row: RecordRow) -> RecordRow {
        var row = row
        if case .object(let members) = value {
            row.cells = members.map { JSONValue.Member(name: $0.name.composed, value: $0.value.composed) }
        } else {
            row.flaw = BadRow("an object is expected, not \(value.found)")
        }
        return row
    }

    private static func list(_ names: [String]) -> String {
        let shown = 12
        return names.prefix(shown).map { "'\(Field.shown($0))'" }.joined(separator: ", ")
            + (names.count > shown ? ", …" : "")
    }
}

/// Cells of a table without quotes that look quoted. They are kept as they are, which may not be meant.
private struct PreservedQuotes {
    private var count = 0
    private var firstLine = 0

    mutating func look(at row: CSVRow) {
        let found = row.fields.count {
            $0.utf8.count > 1 && $0.utf8.first == TableDialect.doubleQuote && $0.utf8.last == TableDialect.doubleQuote
        }
        guard found > 0 else { return }
        if count == 0 { firstLine = row.line }
        count += found
    }

    var note: String? {
        guard count > 0 else { return nil }
        let cells = count == 1 ? "a cell begins and ends" : "\(count) cells begin and end"
        return "\(cells) with a quotation mark, which is kept, as tables with tabs have no quotes (line \(firstLine)); "
            + "if this one has, add --quote '\"'"
    }
}
