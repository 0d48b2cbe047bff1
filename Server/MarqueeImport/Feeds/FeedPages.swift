import MarqueeDiff
import MarqueeModel
package import MarqueeTypes

/// The pages, or files, of one reading of a source, in their order; or a copy of a database.
package struct FeedPages {
    package private(set) var files: [RecordFile]
    /// How those that aren't there yet are read.
    private let settings: RecordFile
    private(set) var copies = SpooledInputs()
    private var database: SQLiteSource?
    private var tables: [String: any RecordRows] = [:]
    /// A sum of the bytes of all pages.
    package private(set) var sum: UInt64 = 0

    /// Pages that are kept in a file without a name, one after the other.
    /// - Parameter settings: how each is read.
    package init(_ settings: RecordFile) {
        var settings = settings
        // Only the first has the name from which it would follow.
        if settings.format == nil, settings.rows.isEmpty, !settings.isKeyed {
            settings.format = RecordFile.format(ofFile: settings.path)
        }
        (files, self.settings) = ([], settings)
    }

    /// Files that are where they are.
    package init(files: [RecordFile]) {
        self.files = files
        settings = RecordFile(path: "")
    }

    /// The tables of an SQLite file.
    init(database: SQLiteSource) {
        self.init(files: [])
        self.database = database
    }

    /// Rows by the names of their tables.
    init(tables: [String: any RecordRows]) {
        self.init(files: [])
        self.tables = tables
    }

    /// The rows of a table: of all pages, or those of that name.
    fileprivate func rows(of table: SourceFile.Table) -> [any RecordRows] {
        if let rows = tables[table.name] { return [rows] }
        guard let database else { return files }
        var rows = DatabaseTable(.sqlite(""), table: table.name)
        (rows.condition, rows.omitted) = (table.condition, Set(table.mapping.omitted))
        return [HeldTable(database: database, table: rows)]
    }

    package mutating func append(_ bytes: [UInt8]) throws(ImportError) {
        var file = settings
        if !files.isEmpty { file.path += " (page \(files.count + 1))" }
        try copies.keep(bytes, as: file.path)
        files.append(file)
        sum = XXH64.hash(Array("\(sum) \(XXH64.hash(bytes))".utf8))
    }

    /// The value in the last page that leads to the next one; `nil` if there is none.
    /// - Parameter path: the names on the way there.
    package func cursor(at path: [String]) throws(ImportError) -> String? {
        guard let file = files.last else { return nil }
        let source = try ImportSource(file.path, encoding: file.encoding, copies: copies)
        let bytes = Array(try FileContent.read(source, limit: RecordFile.documentBytes).withoutByteOrderMark)
        var value: JSONValue
        do throws(RecordError) {
            value = try JSONValue(parsing: bytes, atMost: RecordFile.documentBytes)
        } catch {
            throw ImportError(.malformed, "\(source.name): \(error.reason)")
        }
        for name in path {
            guard let next = value[name] else { return nil }
            value = next
        }
        switch value {
        case .text(let text): return text.isEmpty ? nil : text
        case .number(let digits): return digits
        case .null, .bool(false): return nil
        case .bool(true), .list, .object:
            throw ImportError(
                .malformed,
                "\(source.name): '\(path.joined(separator: "."))' is \(value.found), and 'cursor' has to lead to a "
                    + "text or number")
        }
    }
}

/// Makes records of a type of the rows of pages, by the rules of an import.
package struct FeedTable {
    private let table: SourceFile.Table
    private let declaration: TypeDeclaration
    private let schema: DescriptorSet

    /// - Throws: when the type isn't declared, or the mapping doesn't fit it.
    package init(_ table: SourceFile.Table, _ types: TypeSet) throws(ImportError) {
        self.table = table
        (declaration, schema) = (try types.declared(table.type), types.schema)
        _ = try plan(isKeyed: false)
    }

    package var name: String { table.name }
    /// The type's alias.
    package var type: String { table.type }

    private func plan(isKeyed: Bool) throws(ImportError) -> RecordPlan {
        try RecordPlan(type: declaration, schema: schema, mapping: table.mapping, isKeyed: isKeyed)
    }

    /// Hands out all rows.
    /// - Parameter shouldContinue: asked once per hundred rows; the reading stops when it says no.
    /// - Returns: columns that fill no field, and what else its author should know.
    /// - Throws: when a page can't be read, or lacks a column that the mapping names.
    package func each(
        of pages: FeedPages, shouldContinue: @escaping () -> Bool,
        _ body: (FollowedDatabase.Row) throws(ImportError) -> Void
    ) throws(ImportError) -> [String] {
        let importer = Importer(store: UnknownCatalogue(), copies: pages.copies, shouldContinue: shouldContinue)
        var notes: [String] = []
        // The columns of a document are known once all have been read.
        var documents: RecordPlan?
        let files = pages.rows(of: table)
        for file in files {
            var plan = if let documents { documents } else { try self.plan(isKeyed: file.isKeyed) }
            var isTable = false
            let note = try file.read(importer) { (columns) throws(ImportError) in
                isTable = true
                // Each table names its columns itself.
                plan = try self.plan(isKeyed: file.isKeyed)
                try plan.meet(columns, in: file.name, isHeader: true)
                try plan.checkColumns(of: file.name, needsID: true)
                try plan.checkSpelling(in: file.name)
            } row: { (row) throws(ImportError) in
                try plan.meet(row.cells.lazy.map(\.name), in: file.name)
                try body(Self.judged(row, plan))
            }
            if isTable { notes += [plan.unused].compactMap { $0 } } else { documents = plan }
            if let note { notes.append(note) }
        }
        if let documents, !documents.columns.isEmpty {
            try documents.checkColumns(of: files.first?.name ?? name, needsID: false)
            try documents.checkSpelling(in: files.first?.name ?? name)
            notes += [documents.unused].compactMap { $0 }
        }
        var seen: Set<String> = []
        return notes.filter { seen.insert($0).inserted }
    }

    static func judged(_ row: RecordRow, _ plan: RecordPlan) -> FollowedDatabase.Row {
        do throws(BadRow) {
            let record = try JudgedRow(row, plan, .put)
            return .record(id: record.id, bytes: record.record)
        } catch {
            let place = row.line.map { "line \($0): " } ?? row.placePrefix
            return .bad(id: id(of: row, plan), reason: place + error.reason)
        }
    }

    /// The id of a row whose other values may be wrong.
    static func id(of row: RecordRow, _ plan: RecordPlan) -> String? {
        guard row.flaw == nil else { return row.key }
        var row = row
        let columns = Set(plan.idColumns)
        row.cells.removeAll { !columns.contains($0.name) }
        return try? JudgedRow(row, plan, .remove).id
    }
}
