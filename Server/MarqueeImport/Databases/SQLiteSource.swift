import Foundation
import GRDB
import MarqueeModel

/// An SQLite file that is only read. Blocks; used by one thread at a time.
final class SQLiteSource {
    struct Column: Hashable {
        var name: String
        /// The declared type; empty if there is none.
        var type: String
        var isRequired: Bool
    }

    struct ForeignKey: Hashable {
        var columns: [String]
        var table: String
        var otherColumns: [String]
    }

    private let path: String
    private let queue: DatabaseQueue

    /// The bytes that such a file begins with.
    private static let magic = Array("SQLite format 3\u{0}".utf8)

    /// Whether a file is an SQLite database.
    static func isDatabase(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: magic.count)).map { $0.map(Array.init) == magic } ?? false
    }

    /// - Parameter patience: seconds to wait for a writer.
    /// - Throws: `noInput` for a file that can't be opened.
    init(_ path: String, patience: TimeInterval = 0) throws(ImportError) {
        self.path = path
        var configuration = Configuration()
        configuration.readonly = true
        if patience > 0 { configuration.busyMode = .timeout(patience) }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// A copy of one.
    private init(_ copy: DatabaseQueue, of path: String) { (queue, self.path) = (copy, path) }

    /// Copies the whole file into one without a name, which vanishes with the copy.
    /// - Parameter known: the version by `PRAGMA data_version`, on this connection, of which no copy is needed.
    func copy(unlessVersion known: Int?) throws(ImportError) -> (version: Int, copy: SQLiteSource)? {
        try reading { db in
            let version = try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0
            if version == known { return nil }
            let copy = try DatabaseQueue(path: "")
            try copy.writeWithoutTransaction { try db.backup(to: $0) }
            return (version, SQLiteSource(copy, of: path))
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> ImportError {
        let reason = (error as? DatabaseError)?.message ?? "\(error)"
        return ImportError(.noInput, "\(path) can't be read: \(reason)")
    }

    private func reading<Value>(_ body: (Database) throws -> Value) throws(ImportError) -> Value {
        do {
            return try queue.read(body)
        } catch let error as ImportError {
            throw error
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// The tables, without SQLite's own; by name.
    func tables() throws(ImportError) -> [String] {
        try reading { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                    ORDER BY name LIMIT \(PostgresSource.listedTables)
                    """)
        }
    }

    /// The columns in the order of the table.
    /// - Throws: `noInput` if there is no such table or view.
    func columns(of table: String) throws(ImportError) -> [Column] {
        let columns = try reading { db in
            try Row.fetchAll(
                db, sql: "SELECT name, type, \"notnull\" FROM pragma_table_xinfo(?) WHERE hidden <> 1",
                arguments: [table]
            )
            .map { Column(name: $0["name"], type: $0["type"] ?? "", isRequired: ($0["notnull"] ?? 0) != 0) }
        }
        guard columns.isEmpty else { return columns }
        let known = try tables()
        let hint = NearestName.hint(for: table, among: known)
        throw ImportError(
            .noInput,
            "\(path) has no table '\(Field.shown(table))'"
                + (hint.isEmpty ? "; it has \(PostgresSource.list(known))" : hint))
    }

    /// The primary key's columns; empty if there is none.
    func primaryKey(of table: String) throws(ImportError) -> [String] {
        try reading { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [table])
        }
    }

    /// Columns that are unique by themselves.
    func uniqueColumns(of table: String) throws(ImportError) -> [String] {
        try reading { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT min(c.name) FROM pragma_index_list(?) i, pragma_index_info(i.name) c
                    WHERE i."unique" AND NOT i.partial GROUP BY i.name HAVING count(*) = 1 AND min(c.name) IS NOT NULL
                    """, arguments: [table])
        }
    }

    func foreignKeys(of table: String) throws(ImportError) -> [ForeignKey] {
        let parts = try reading { db in
            try Row.fetchAll(
                db, sql: "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq",
                arguments: [table]
            ).map {
                (id: $0["id"] as Int, table: $0["table"] as String, from: $0["from"] as String, to: $0["to"] as String?)
            }
        }
        var keys: [(id: Int, key: ForeignKey)] = []
        for part in parts {
            if keys.last?.id != part.id {
                keys.append((part.id, ForeignKey(columns: [], table: part.table, otherColumns: [])))
            }
            keys[keys.count - 1].key.columns.append(part.from)
            if let other = part.to { keys[keys.count - 1].key.otherColumns.append(other) }
        }
        var result: [ForeignKey] = []
        for var key in keys.map(\.key) {
            // Without names, the other table's key is meant.
            if key.otherColumns.isEmpty { key.otherColumns = try primaryKey(of: key.table) }
            result.append(key)
        }
        return result
    }

    /// Hands out the rows of a table, one at a time.
    func each(
        _ columns: [String], of table: String, where condition: String?, limit: Int?,
        _ body: ([JSONValue.Member]) throws(ImportError) -> Void
    ) throws(ImportError) {
        let list = columns.isEmpty ? "NULL" : columns.map { PostgresSource.quoted($0) }.joined(separator: ", ")
        let sql =
            "SELECT \(list) FROM \(PostgresSource.quoted(table))" + (condition.map { " WHERE (\n\($0)\n)" } ?? "")
            + (limit.map { " LIMIT \($0)" } ?? "")
        try reading { db in
            let rows = try Row.fetchCursor(db, sql: sql)
            while let row = try rows.next() {
                var cells: [JSONValue.Member] = []
                for (index, name) in columns.enumerated() {
                    guard let value = Self.value(row[index] as DatabaseValue) else { continue }
                    cells.append(JSONValue.Member(name: name, value: value))
                }
                try body(cells)
            }
        }
    }

    private static func value(_ value: DatabaseValue) -> JSONValue? {
        switch value.storage {
        case .null: nil
        case .int64(let number): .number("\(number)")
        case .double(let number): number.isFinite ? .number("\(number)") : .text("\(number)")
        case .string(let text): .text(text.composed)
        case .blob(let bytes): .text(bytes.base64EncodedString())
        }
    }
}
