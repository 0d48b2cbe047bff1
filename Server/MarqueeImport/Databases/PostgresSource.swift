import CPostgreSQL
import Foundation
import MarqueeModel
import MarqueeStore

/// A connection to a database, by default for reading only; values are the texts that PostgreSQL writes. Any server can
/// be read, even a standby. Blocks; used by one thread at a time.
final class PostgresSource {
    /// Seconds for opening the connection.
    private static let connectSeconds = 10
    /// Milliseconds that the server may take to acknowledge data sent to it.
    private static let deadPeerMilliseconds = 30_000

    let raw: OpaquePointer
    private let url: PostgresURL

    /// - Throws: `noInput` if the server doesn't answer or rejects the user.
    init(_ url: PostgresURL, isReadOnly: Bool = true) throws(ImportError) {
        self.url = url
        let settings = [
            ("connect_timeout", "\(Self.connectSeconds)"), ("application_name", "marquee import"),
            ("tcp_user_timeout", "\(Self.deadPeerMilliseconds)"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("dbname", url.text),
            ("client_encoding", "UTF8"),
        ]
        let words = settings.map { [strdup($0.0), strdup($0.1)] }
        defer { for word in words.joined() { free(word) } }
        guard
            let raw = PQconnectdbParams(
                words.map { UnsafePointer($0[0]) } + [nil], words.map { UnsafePointer($0[1]) } + [nil], 1)
        else { throw ImportError(.noInput, "there is no memory for a connection to \(url)") }
        self.raw = raw
        guard PQstatus(raw) == CONNECTION_OK else { throw failure("can't be reached") }
        PQsetNoticeProcessor(raw, { _, _ in }, nil)
        _ = try rows(
            "SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false), "
                + "set_config('IntervalStyle', 'iso_8601', false), "
                + "set_config('default_transaction_read_only', '\(isReadOnly ? "on" : "off")', false)")
    }

    deinit { PQfinish(raw) }

    /// The rows of a statement with few of them.
    /// - Parameter values: the values of `$1`, `$2`, …
    func rows(_ sql: String, _ values: [String] = []) throws(ImportError) -> [[String?]] {
        var rows: [[String?]] = []
        try each(sql, values) { (row) throws(ImportError) in rows.append(row) }
        return rows
    }

    /// Hands out the rows of a statement as they arrive; the server waits while nobody takes them.
    ///
    /// After an error of `body` the connection can't be used.
    func each(
        _ sql: String, _ values: [String] = [], _ body: ([String?]) throws(ImportError) -> Void
    ) throws(ImportError) {
        let texts = values.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { UnsafePointer($0) }
        guard PQsendQueryParams(raw, sql, Int32(values.count), nil, pointers, nil, nil, 0) == 1,
            PQsetSingleRowMode(raw) == 1
        else { throw failure("can't be read") }
        while let result = PQgetResult(raw) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE: try body(Self.values(of: result))
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: continue
            default:
                let failure = failure("can't be read")
                // Until then the connection takes no other statement.
                while let rest = PQgetResult(raw) { PQclear(rest) }
                throw failure
            }
        }
    }

    private static func values(of result: OpaquePointer) -> [String?] {
        (0..<PQnfields(result)).map { column in
            guard PQgetisnull(result, 0, column) == 0, let bytes = PQgetvalue(result, 0, column) else { return nil }
            let count = Int(PQgetlength(result, 0, column))
            return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
    }

    func failure(_ what: String) -> ImportError {
        ImportError(.noInput, "\(url) \(what): \(url.redacted(String(cString: PQerrorMessage(raw))))")
    }

    // MARK: - Statements

    /// A name quoted for SQL.
    static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

    /// The statement that reads a table's columns.
    static func select(
        _ columns: [PostgresColumn], from table: PostgresTable, where condition: String?, limit: Int?
    ) -> String {
        select(
            columns, from: table, and: [], where: condition.map { ["(\n\($0)\n)"] } ?? [], order: [], limit: limit)
    }

    /// The statement that reads a table's columns, and others without a conversion.
    /// - Parameters:
    ///   - conditions: conditions in SQL; rows meet all of them.
    ///   - order: the names of columns.
    static func select(
        _ columns: [PostgresColumn], from table: PostgresTable, and others: [String], where conditions: [String],
        order: [String], limit: Int?
    ) -> String {
        let list = columns.map { column in
            let name = quoted(column.name)
            // In base64, as bytes are in JSON.
            if column.base == "bytea" { return "translate(encode(\(name), 'base64'), E'\\n', '')" }
            // A text of a fixed width is padded with spaces.
            return column.base.hasPrefix("character(") ? "rtrim(\(name))" : name
        }
        let all = list + others.map { quoted($0) }
        let columns = all.isEmpty ? "NULL" : all.joined(separator: ", ")
        return "SELECT \(columns) FROM \(quoted(table.schema)).\(quoted(table.name))"
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
            + (order.isEmpty ? "" : " ORDER BY " + order.map { quoted($0) }.joined(separator: ", "))
            + (limit.map { " LIMIT \($0)" } ?? "")
    }
}
