import CPostgreSQL
import Synchronization

/// A connection that stays open, as an administrator's does: what it holds is held until it is closed.
package final class PostgresSession: Sendable {
    private struct Connection: @unchecked Sendable {
        // Only ever used under the lock.
        var pointer: OpaquePointer?
    }

    private let connection: Mutex<Connection>

    /// - Throws: `PostgresServer.Failure` if it is refused.
    package init(at url: String) throws {
        let pointer = PQconnectdb(url)
        guard PQstatus(pointer) == CONNECTION_OK else {
            let reason = String(cString: PQerrorMessage(pointer))
            PQfinish(pointer)
            throw PostgresServer.Failure(description: reason)
        }
        connection = Mutex(Connection(pointer: pointer))
    }

    deinit { close() }

    /// Runs statements, whose rows nobody needs.
    package func run(_ sql: String) throws {
        try connection.withLock { connection in
            let result = PQexec(connection.pointer, sql)
            defer { PQclear(result) }
            guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
                throw PostgresServer.Failure(description: String(cString: PQerrorMessage(connection.pointer)))
            }
        }
    }

    package func close() {
        connection.withLock { connection in
            if let pointer = connection.pointer { PQfinish(pointer) }
            connection.pointer = nil
        }
    }
}
