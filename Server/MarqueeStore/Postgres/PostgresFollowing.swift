/// A connection of its own for following what other nodes write: it listens for hints and asks.
///
/// A hint shortens the wait for what a query finds anyway, and may be missed. Used by one thread at a time.
final class PostgresListener {
    private let connection: PostgresConnection

    /// Connects, and listens from then on.
    /// - Throws: `StoreError`.
    init(_ url: PostgresURL) throws(StoreError) {
        connection = try StoreError.translating(url) {
            let connection = try PostgresConnection(url)
            try connection.runScript("LISTEN \(PostgresWriter.channel)")
            return connection
        }
    }

    /// Waits until a node says that it has written.
    /// - Parameter milliseconds: how long to wait.
    /// - Returns: the log that was written to; `nil` if none was in time, or a newer version says something else.
    /// - Throws: `io` when the connection is lost; make a new one then.
    func wait(milliseconds: Int32) throws(StoreError) -> StoreLog? {
        let payload = try StoreError.translating(connection.url) {
            try connection.notice(within: milliseconds)
        }
        return StoreLog.allCases.first { $0.columnPrefix == payload }
    }

    /// Runs `body` with the connection, between two waits.
    /// - Throws: what `body` throws, as a `StoreError`.
    func reading<Value>(_ body: (PostgresConnection) throws -> Value) throws(StoreError) -> Value {
        try StoreError.translating(connection.url) { try body(connection) }
    }
}
