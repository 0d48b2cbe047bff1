import CPostgreSQL
import Foundation

extension PostgresServer {
    /// A URL of this server.
    /// - Parameters:
    ///   - socket: the folder of a socket that leads to it; `nil` for its own.
    ///   - schema: the schema that has the tables.
    package func url(
        database: String = "postgres", schema: String? = nil, user: String = "marquee", socket: String? = nil
    ) -> String {
        let options = schema.map { "&options=-csearch_path%3D\($0)" } ?? ""
        let port = port.map { "&port=\($0)" } ?? ""
        return "postgres:///\(database)?host=\(socket ?? folder)&user=\(user)\(port)\(options)"
    }

    /// Runs `body` with the URL of a new, empty schema, which is removed afterwards.
    package func withSchema(_ body: (String) throws -> Void) throws {
        let schema = "t\(UUID().uuidString.replacing("-", with: "").lowercased())"
        try run("CREATE SCHEMA \(schema)")
        defer { _ = try? run("SET client_min_messages = error; DROP SCHEMA \(schema) CASCADE") }
        try body(url(schema: schema))
    }

    /// Runs statements.
    /// - Parameter url: of the database; `nil` for the server's own.
    /// - Returns: the first value of the last one, as text.
    @discardableResult
    package func run(_ sql: String, at url: String? = nil) throws -> String {
        let connection = PQconnectdb(url ?? self.url())
        defer { PQfinish(connection) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK: return PQntuples(result) > 0 ? String(cString: PQgetvalue(result, 0, 0)) : ""
        case PGRES_COMMAND_OK: return ""
        default: throw Failure(description: String(cString: PQerrorMessage(connection)))
        }
    }
}
