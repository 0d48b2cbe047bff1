import Dispatch
import Synchronization

/// Connections for reads: a bounded number, made when they are first needed. Thread safe.
final class PostgresPool: Sendable {
    private let gate: PostgresGate
    private let free = DispatchSemaphore(value: PostgresBounds.readers)
    /// The connections that aren't in use; `nil` after `close`.
    private let idle = Mutex<[PostgresConnection]?>([])

    init(_ gate: PostgresGate) { self.gate = gate }

    /// Lends a connection for reads.
    ///
    /// A connection may have died while nobody used it, such as when the server was restarted; so if `body` loses its
    /// connection, it is called once more with a new one.
    /// - Throws: `closed`, `busy`, or what `body` throws.
    func read<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        guard free.wait(timeout: .now() + .seconds(PostgresBounds.readerSeconds)) == .success else {
            throw StoreError(.busy, "too many reads of \(gate.url) are waiting; try again")
        }
        defer { free.signal() }
        if let connection = try take() {
            do {
                return try use(connection, body)
            } catch let error as PostgresError where error.isLost {
                // The others are most likely dead, too.
                idle.withLock { if $0 != nil { $0 = [] } }
            }
        }
        if gate.stop.isSet { throw StoreError.closed }
        return try use(gate.connection(for: "reads"), body)
    }

    private func take() throws -> PostgresConnection? {
        try idle.withLock { idle throws in
            guard idle != nil else { throw StoreError.closed }
            // Connections to a server that has been replaced would read stale data.
            idle?.removeAll { !gate.leadsToCurrentPrimary($0) }
            return idle?.popLast()
        }
    }

    private func use<Value>(
        _ connection: PostgresConnection, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        // After a failure within a transaction, only a new connection is certain to be usable.
        let value = try body(connection)
        idle.withLock { $0?.append(connection) }
        return value
    }

    func close() { idle.withLock { $0 = nil } }
}
