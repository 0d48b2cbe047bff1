import MarqueeModel
package import MarqueeStore

/// A table of a database, read row by row like a file: never more than one row of it is held.
package struct DatabaseTable: Hashable, Sendable, RecordRows {
    package enum Database: Hashable, Sendable {
        case postgres(PostgresURL)
        /// The path of a file.
        case sqlite(String)

        /// The name in messages.
        var name: String {
            switch self {
            case .postgres(let url): url.description
            case .sqlite(let path): path
            }
        }
    }

    /// The most bytes of a value.
    static let valueBytes = LineReader.lineBytes

    package var database: Database
    /// The table's name as a person gives it: `product`, or with its schema, `public.product`.
    package var table: String
    /// A condition in the database's SQL that rows meet; `nil` for all rows.
    package var condition: String?
    /// Columns that are known to exist and whose values aren't read.
    package var omitted: Set<String> = []
    /// The most rows; `nil` for all.
    var limit: Int?

    package init(_ database: Database, table: String) {
        self.database = database
        self.table = table
    }

    private static func bytes(of value: JSONValue) -> Int {
        if case .text(let text) = value { text.utf8.count } else { 0 }
    }

    package var name: String { table }
    package var isKeyed: Bool { false }

    func read(
        _ importer: Importer, columns: ([String]) throws(ImportError) -> Void,
        row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) -> String? { try read(importer, from: nil, columns: columns, row: row) }

    /// - Parameter held: the SQLite file, if it is open.
    func read(
        _ importer: Importer, from held: SQLiteSource?, columns: ([String]) throws(ImportError) -> Void,
        row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) -> String? {
        var counter = ProgressCounter(name: table, importer)
        var count = 0
        func handOut(_ cells: [JSONValue.Member]) throws(ImportError) {
            count += 1
            try counter.row()
            var next = RecordRow(place: "row \(count)", cells: cells)
            if let large = cells.first(where: { Self.bytes(of: $0.value) > Self.valueBytes }) {
                next.cells = []
                next.flaw = BadRow(
                    "column '\(large.name)' has \(Self.bytes(of: large.value)) bytes; at most \(Self.valueBytes) are read"
                )
            }
            try row(next)
        }
        switch database {
        case .postgres(let url):
            let connection = try PostgresSource(url)
            let table = try connection.table(named: self.table)
            let all = try connection.columns(of: table)
            try columns(all.map(\.name))
            let wanted = all.filter { !omitted.contains($0.name) }
            try connection.each(PostgresSource.select(wanted, from: table, where: condition, limit: limit)) {
                (values) throws(ImportError) in
                try handOut(
                    zip(wanted, values).compactMap { column, value in
                        value.map { JSONValue.Member(name: column.name, value: .text($0.composed)) }
                    })
            }
        case .sqlite(let path):
            let source = if let held { held } else { try SQLiteSource(path) }
            let all = try source.columns(of: table)
            try columns(all.map(\.name))
            let wanted = all.map(\.name).filter { !omitted.contains($0) }
            try source.each(wanted, of: table, where: condition, limit: limit) {
                (cells) throws(ImportError) in try handOut(cells)
            }
        }
        counter.finish()
        return nil
    }
}
