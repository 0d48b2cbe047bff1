import MarqueeModel
import MarqueeTypes

/// A file of records, read row by row.
package struct RecordFile: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// The first line names the columns.
        case csv, tsv
        /// One object per line.
        case ndjson
        /// A list of objects, or one object whose members are the rows.
        case json
    }

    /// The most bytes of a JSON document, which is held in memory whole.
    static let documentBytes = 64 << 20

    package var path: String
    /// `nil` to decide by the name or the beginning of the file.
    package var format: Format?
    /// Between two fields of a table; `nil` for a comma, or a tab in TSV.
    package var separator: UInt8?
    /// The names on the path to the rows of a JSON document.
    package var rows: [String] = []
    /// Whether the members of an object are the rows, and their names the ids.
    package var isKeyed = false

    package init(path: String) { self.path = path }

    /// Hands out all rows.
    /// - Parameter columns: called with the columns of a table before its rows.
    func read(
        _ importer: Importer, columns: ([String]) throws(ImportError) -> Void,
        row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) {
        let source = try importer.source(path)
        var counter = ProgressCounter(source: source, importer)
        let format = format ?? guess(source)
        if format != .json, isKeyed || !rows.isEmpty {
            throw ImportError(
                .malformed,
                "\(source.name) is read as \(format.rawValue), but --path and --keyed need JSON; "
                    + "if it is JSON, add --format json")
        }
        switch format {
        case .csv, .tsv: try readTable(source, format, &counter, columns, row)
        case .ndjson: try readLines(source, &counter, row)
        case .json: try readDocument(source, &counter, row)
        }
        counter.finish()
    }

    private func guess(_ source: ImportSource) -> Format {
        if !rows.isEmpty || isKeyed { return .json }
        var name = path.lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        for (suffix, format) in [
            (".csv", Format.csv), (".tsv", .tsv), (".ndjson", .ndjson), (".jsonl", .ndjson), (".json", .json),
        ] where name.hasSuffix(suffix) { return format }
        let line = source.firstLine().drop(while: \.isWhitespace)
        if line.first == "[" { return .json }
        guard line.first == "{" else { return line.contains("\t") && !line.contains(",") ? .tsv : .csv }
        // A whole object in the first line, or one that goes on.
        return (try? JSONValue(parsing: Array(line.utf8))) == nil ? .json : .ndjson
    }

    // MARK: - Tables

    private func readTable(
        _ source: ImportSource, _ format: Format, _ counter: inout ProgressCounter,
        _ columns: ([String]) throws(ImportError) -> Void, _ row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) {
        let separator = separator ?? UInt8(ascii: format == .tsv ? "\t" : ",")
        var header: [String]?
        try CSVReader(source, delimiter: separator).read { (raw) throws(ImportError) in
            guard let names = header else {
                let names = try RecordFile.header(raw, of: source)
                header = names
                return try columns(names)
            }
            try counter.row()
            try row(RecordFile.row(raw, names))
        }
        guard header != nil else {
            throw ImportError(.wrongColumns, "\(source.name) is empty; its first line should name the columns")
        }
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
            throw ImportError(.wrongColumns, "\(source.name) has two columns '\(Field.shown(name))'")
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
            let bytes = line == 1 ? RecordFile.withoutMark(bytes) : bytes
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
        let bytes = RecordFile.withoutMark(try FileContent.read(source, limit: RecordFile.documentBytes))
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
        case .list(let values) where !isKeyed:
            for (index, value) in values.enumerated() {
                try counter.row()
                try row(RecordFile.row(value, RecordRow(place: "item \(index + 1)")))
            }
        case .object(let members) where isKeyed:
            for member in members {
                try counter.row()
                try row(
                    RecordFile.row(member.value, RecordRow(place: "'\(Field.shown(member.name))'", key: member.name)))
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

    /// Why a value has no rows, and what to do.
    private func noRows(_ value: JSONValue) -> String {
        let place = rows.isEmpty ? "the document" : "'\(rows.joined(separator: "."))'"
        guard case .object(let members) = value else {
            return
                "\(place) is \(value.found), and \(isKeyed ? "an object is expected with --keyed" : "no list of rows")"
        }
        let lists = members.filter { if case .list = $0.value { true } else { false } }.map(\.name)
        let objects = members.filter { if case .object = $0.value { true } else { false } }.map(\.name)
        let path = rows.isEmpty ? "" : rows.joined(separator: ".") + "."
        var advice = "name the list with --path NAME"
        if let list = lists.first { advice = "name the list with --path \(path)\(list)" }
        if lists.isEmpty, !objects.isEmpty {
            advice = "if its members are the rows, and their names the ids, say --keyed"
        }
        return "\(place) is an object, not a list of rows; \(advice)"
    }

    private static func row(_ value: JSONValue, _ row: RecordRow) -> RecordRow {
        var row = row
        if case .object(let members) = value {
            row.cells = members
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

    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
}
