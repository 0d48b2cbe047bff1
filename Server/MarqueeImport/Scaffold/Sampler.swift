import Foundation
import MarqueeModel
package import MarqueeStore
import MarqueeTypes

/// Looks at a source before anything is imported from it: its tables, their columns and keys, and a sample of their
/// rows.
///
/// Blocks. A database is only read.
package struct Sampler {
    /// The most rows of a table that are looked at.
    package static let rows = 10_000
    /// The most bytes of texts of a table that are looked at.
    static let bytes = 64 << 20
    /// The most tables of a database: a programme has 64 screens, and each type has one.
    static let tables = 60

    package enum Source: Hashable, Sendable {
        case file(RecordFile)
        case address(HTTPFeed)
        case database(DatabaseTable.Database)
    }

    /// The tables that were found.
    package struct Sample: Hashable, Sendable {
        /// The source; a file with the settings that it turned out to need.
        package var source: Source
        package var tables: [SampledTable] = []
        package var notes: [ScaffoldPlan.Note] = []
        /// Tables that weren't looked at.
        package var leftOut: [ScaffoldPlan.Note] = []
    }

    /// Ends reading once enough rows have been seen.
    private static let enough = ImportError(.cancelled, "enough rows were read")

    private let importer: Importer

    /// - Parameters:
    ///   - pages: the answer of an address.
    ///   - shouldContinue: called once per hundred rows; reading stops when it returns `false`.
    ///   - progress: called once per hundred rows.
    package init(
        _ pages: FeedPages? = nil, shouldContinue: @escaping () -> Bool, progress: @escaping (ImportProgress) -> Void
    ) {
        importer = Importer(
            store: UnknownCatalogue(), copies: pages?.copies ?? SpooledInputs(), shouldContinue: shouldContinue,
            progress: progress)
    }

    /// - Parameter wanted: the tables to look at; all if it is empty.
    /// - Throws: when the source can't be read, or a table doesn't exist.
    package func sample(_ source: Source, tables wanted: [String] = []) throws(ImportError) -> Sample {
        switch source {
        case .file(let file): return try sample(file)
        case .address(var feed):
            var sample = try self.sample(feed.file)
            if case .file(let file) = sample.source { feed.file = file }
            sample.source = .address(feed)
            return sample
        case .database(.postgres(let url)): return try sample(url, wanted)
        case .database(.sqlite(let path)): return try sample(path, wanted)
        }
    }

    /// Whether a path leads to an SQLite database.
    package static func isSQLite(_ path: String) -> Bool { SQLiteSource.isDatabase(path) }

    // MARK: - Files

    private func sample(_ file: RecordFile) throws(ImportError) -> Sample {
        var file = file
        var notes: [ScaffoldPlan.Note] = []
        if let renamed = try settle(&file) {
            notes.append(ScaffoldPlan.Note(subject: "the first line", text: renamed))
        }
        var name = (file.path as NSString).lastPathComponent
        for _ in 0..<2 where (name as NSString).deletingPathExtension != "" {
            name = (name as NSString).deletingPathExtension
        }
        var table = SampledTable(name: name, columns: [])
        let bad = try read(file, into: &table, isDynamic: true)
        if bad > 0 {
            notes.append(ScaffoldPlan.Note(subject: file.name, text: "\(bad) of the rows looked at can't be read"))
        }
        return Sample(source: .file(file), tables: [table], notes: notes)
    }

    /// Finds the separator of a table, and names for columns without a name of their own.
    /// - Returns: what was renamed.
    private func settle(_ file: inout RecordFile) throws(ImportError) -> String? {
        if let separator = try file.likelySeparator(importer) {
            file.separator = separator
            if separator == TableDialect.tab { file.format = .tsv }
        }
        guard let first = try file.firstRow(importer) else { return nil }
        var taken: Set<String> = []
        var renamed: [String] = []
        let names = first.names.enumerated().map { index, name in
            let wanted = name.isEmpty ? "column_\(index + 1)" : name
            let own = ScaffoldNames.free(wanted, "_", &taken) { $0 }
            if own != name { renamed.append("column \(index + 1) is called \(own) here") }
            return own
        }
        guard !renamed.isEmpty else { return nil }
        file.skippedLines = first.skipped + 1
        file.columns = names
        return renamed.joined(separator: ", ")
    }

    // MARK: - Rows

    /// - Parameter isDynamic: whether the columns are known only from the rows.
    /// - Returns: how many rows can't be used.
    private func read(
        _ rows: some RecordRows, into table: inout SampledTable, isDynamic: Bool = false
    ) throws(ImportError) -> Int {
        var places = Dictionary(table.columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var bad = 0
        var bytes = 0
        var columns = table.columns
        var sampled = 0
        func place(_ name: String) -> Int? {
            if let place = places[name] { return place }
            guard isDynamic, columns.count < RecordPlan.columns else { return nil }
            places[name] = columns.count
            columns.append(SampledColumn(name: name))
            return columns.count - 1
        }
        do throws(ImportError) {
            _ = try rows.read(importer) { (names) throws(ImportError) in
                for name in names where !name.isEmpty { _ = place(name) }
            } row: { (row) throws(ImportError) in
                guard row.flaw == nil else {
                    bad += 1
                    return
                }
                guard sampled < Self.rows, bytes < Self.bytes else { throw Self.enough }
                sampled += 1
                for cell in row.cells {
                    guard let place = place(cell.name) else { continue }
                    let value = columns[place].declared == .json ? Self.parsed(cell.value) : cell.value
                    if case .text(let text) = cell.value { bytes += text.utf8.count }
                    columns[place].profile.add(value)
                }
            }
        } catch {
            guard error.code == .cancelled, error.message == Self.enough.message else { throw error }
            table.isWhole = false
        }
        table.columns = columns
        table.sampled = sampled
        return bad
    }

    private static func parsed(_ value: JSONValue) -> JSONValue {
        guard case .text(let text) = value else { return value }
        return (try? JSONValue(parsing: Array(text.utf8))) ?? value
    }

    // MARK: - Databases

    private func sample(_ url: PostgresURL, _ wanted: [String]) throws(ImportError) -> Sample {
        let database = DatabaseTable.Database.postgres(url)
        var sample = Sample(source: .database(database))
        let connection = try PostgresSource(url)
        var tables: [PostgresTable] = []
        if wanted.isEmpty { tables = try connection.tables() }
        for name in wanted { tables.append(try connection.table(named: name)) }
        for table in tables {
            guard table.isReadable else {
                sample.leftOut.append(
                    ScaffoldPlan.Note(
                        subject: table.fullName,
                        text: "this user may not read it: GRANT SELECT ON \(PostgresSource.quoted(table.schema))."
                            + "\(PostgresSource.quoted(table.name)) TO …"))
                continue
            }
            guard isRoom(&sample, for: table.fullName) else { continue }
            var sampled = SampledTable(name: table.fullName, columns: [])
            let unique = Set(try connection.uniqueColumns(of: table))
            sampled.columns = try connection.columns(of: table).map { column in
                var own = SampledColumn(name: column.name, declared: PostgresTypes.declared(column))
                own.isUnique = unique.contains(column.name)
                return own
            }
            sampled.primaryKey = try connection.primaryKey(of: table)
            sampled.foreignKeys = try connection.foreignKeys(of: table).map {
                SampledTable.ForeignKey(columns: $0.columns, table: $0.table, otherColumns: $0.otherColumns)
            }
            sampled.estimate = table.rows
            try addRows(to: &sampled, of: database)
            sample.tables.append(sampled)
        }
        guard !sample.tables.isEmpty || !sample.leftOut.isEmpty else {
            throw ImportError(.noInput, "\(url) has no table outside of PostgreSQL's own")
        }
        return sample
    }

    private func sample(_ path: String, _ wanted: [String]) throws(ImportError) -> Sample {
        let database = DatabaseTable.Database.sqlite(path)
        var sample = Sample(source: .database(database))
        let file = try SQLiteSource(path)
        let tables = wanted.isEmpty ? try file.tables() : wanted
        for table in tables {
            guard isRoom(&sample, for: table) else { continue }
            var sampled = SampledTable(name: table, columns: [])
            let unique = Set(try file.uniqueColumns(of: table))
            sampled.columns = try file.columns(of: table).map { column in
                var own = SampledColumn(name: column.name, declared: .sampled(column.type))
                own.isUnique = unique.contains(column.name)
                return own
            }
            sampled.primaryKey = try file.primaryKey(of: table)
            sampled.foreignKeys = try file.foreignKeys(of: table).map {
                SampledTable.ForeignKey(columns: $0.columns, table: $0.table, otherColumns: $0.otherColumns)
            }
            try addRows(to: &sampled, of: database)
            sample.tables.append(sampled)
        }
        guard !sample.tables.isEmpty else { throw ImportError(.noInput, "\(path) has no table") }
        return sample
    }

    private func isRoom(_ sample: inout Sample, for table: String) -> Bool {
        guard sample.tables.count >= Self.tables else { return true }
        sample.leftOut.append(
            ScaffoldPlan.Note(
                subject: table, text: "there are at most \(Self.tables) types; name the tables that matter with --table"
            ))
        return false
    }

    private func addRows(to table: inout SampledTable, of database: DatabaseTable.Database) throws(ImportError) {
        var rows = DatabaseTable(database, table: table.name)
        // One row more shows whether there are more.
        rows.limit = Self.rows + 1
        rows.omitted = Set(
            table.columns.filter { if case .refused = $0.declared { true } else { false } }.map(\.name))
        _ = try read(rows, into: &table)
    }
}

extension RecordFile {
    /// The separator that the first line of a table shows, where it isn't the usual one.
    func likelySeparator(_ importer: Importer) throws(ImportError) -> UInt8? {
        guard separator == nil, let line = try firstLine(importer) else { return nil }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in line.utf8 {
            if byte == TableDialect.doubleQuote { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let others = [UInt8(ascii: ";"), TableDialect.tab, UInt8(ascii: "|")]
        guard let best = others.max(by: { counts[$0, default: 0] < counts[$1, default: 0] }),
            counts[best, default: 0] > 0,
            counts[best, default: 0] > counts[TableDialect.comma, default: 0]
        else { return nil }
        return best
    }
}
