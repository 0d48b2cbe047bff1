import Dispatch
import Foundation
import Synchronization

/// What ends a transaction.
struct PostgresEnding<Value> {
    var value: Value
    /// The statements that are still to be run.
    var statements: [PostgresStatement]
    /// Whether the transaction has run statements that change something. One that has not, and has none left to run, is
    /// undone: that costs no write to the disk.
    var hasChanged = false
}

/// The connection by which a node writes to one log. One thread writes at a time; further ones wait.
final class PostgresWriter: Sendable {
    private let gate: PostgresGate
    private let log: StoreLog
    /// Of the thread that writes. A transaction and what it waits for may take long, so no lock is held over it.
    private let turn = DispatchSemaphore(value: 1)
    private let state = Mutex(State())

    private struct State {
        /// Used by the thread whose turn it is.
        var connection: PostgresConnection?
        /// What each of its transactions sets.
        var setting: PostgresStatement?
        /// Commits since the tables that only grow were last pruned.
        var commits = 0
    }

    /// What is told to those who listen for changes.
    static let channel = "marquee"

    init(_ gate: PostgresGate, log: StoreLog) {
        self.gate = gate
        self.log = log
    }

    private var url: PostgresURL { gate.url }
    private var stop: PostgresStop { gate.stop }

    /// Runs one transaction; returns when it is durable.
    ///
    /// - Parameters:
    ///   - isRepeatable: whether `body` may be called again when others were in its way, or its connection was lost and
    ///     nothing took effect.
    ///   - body: begins the transaction with the statements that it is given, proves there that the database has the
    ///     history that this process has seen, and says how it ends; `nil` undoes it.
    /// - Throws: `closed`, `busy`, or what `body` throws; then nothing was applied, unless the message says that this
    ///   isn't known.
    func transaction<Value: Sendable>(
        isRepeatable: Bool = true,
        _ body: (PostgresConnection, _ begin: [PostgresStatement]) throws -> PostgresEnding<Value>?
    ) throws -> Value? {
        guard turn.wait(timeout: .now() + .seconds(PostgresPatience.turnSeconds)) == .success else {
            throw StoreError(.busy, "another write of this process to \(url) takes too long; try again")
        }
        defer { turn.signal() }
        return try Self.repeating(isRepeatable) { try attempt(body) }
    }

    private static func repeating<Value>(_ isRepeatable: Bool, _ body: () throws -> Value) throws -> Value {
        for _ in 1..<(isRepeatable ? PostgresPatience.attempts : 1) {
            do {
                return try body()
            } catch let error as PostgresError where error.isConflict || error.isLost {
                continue
            }
        }
        return try body()
    }

    private func attempt<Value>(
        _ body: (PostgresConnection, _ begin: [PostgresStatement]) throws -> PostgresEnding<Value>?
    ) throws -> Value? {
        let (connection, setting) = try connected()
        do {
            let ending = try body(connection, [PostgresStatement("BEGIN")] + (setting.map { [$0] } ?? []))
            guard let ending, ending.hasChanged || !ending.statements.isEmpty else {
                try connection.runScript("ROLLBACK")
                return ending?.value
            }
            try commit(ending.statements, connection)
            return ending.value
        } catch {
            // After a failure within a transaction only a new connection is certain to be in order.
            state.withLock { if $0.connection === connection { $0.connection = nil } }
            if stop.isSet, (error as? PostgresError)?.isLost == true { throw StoreError.closed }
            throw error
        }
    }

    private func connected() throws -> (PostgresConnection, setting: PostgresStatement?) {
        if stop.isSet { throw StoreError.closed }
        let (known, setting) = state.withLock { ($0.connection, $0.setting) }
        if let known, !known.isLost, gate.leadsToPresent(known) { return (known, setting) }
        let new = try gate.writingConnection(for: "\(log)")
        state.withLock { state in
            state.connection = new.0
            state.setting = new.setting
        }
        return new
    }

    private func commit(_ statements: [PostgresStatement], _ connection: PostgresConnection) throws {
        let mark = withUnsafeBytes(of: (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))) {
            [UInt8]($0)
        }
        let marked =
            statements + [
                PostgresStatement("INSERT INTO commit_mark (mark) VALUES ($1)", [.bytes(mark)]),
                PostgresStatement("COMMIT"),
            ]
        // Told after the commit: a transaction that notifies makes all others of the server wait while it commits.
        let told = PostgresStatement("SELECT pg_notify('\(Self.channel)', $1)", [.text(log.columnPrefix)])
        do {
            let (results, failure) = try connection.attempt(marked + [told])
            if let failure, results.count < marked.count { throw failure }
            // Whoever has answered may be a former primary by now. Then the present one is asked for the mark.
            guard gate.leadsToPresent(connection) else {
                throw PostgresError(state: nil, message: "another server has been met that is its successor")
            }
        } catch let error as PostgresError where error.isLost {
            state.withLock { $0.connection = nil }
            // If it took effect it is as if nothing had happened, and otherwise it is tried again.
            guard try tookEffect(mark, error) else { throw error }
            return
        }
        let commits = state.withLock { state in
            state.commits += 1
            return state.commits
        }
        if commits.isMultiple(of: Self.commitsBetweenPrunings) { prune(connection) }
    }

    // MARK: - Unknown outcomes

    /// Finds out what became of a commit whose answer was lost.
    ///
    /// Claiming the mark waits for a transaction that is still committing, and keeps one that has not begun to from
    /// ever doing so. It writes even if the mark is there, so that it is confirmed only once the standbys that the
    /// server waits for have the commit, too.
    ///
    /// A server of another history doesn't have the mark, whatever became of the commit; so none is claimed where the
    /// history isn't proven.
    private func tookEffect(_ mark: [UInt8], _ cause: PostgresError) throws -> Bool {
        let end = ContinuousClock.now + .seconds(PostgresPatience.outcomeSeconds)
        var last: any Error = cause
        repeat {
            do {
                let row = try gate.writingConnection(for: "outcome").0.run(
                    """
                    INSERT INTO commit_mark (mark, is_claimed) VALUES ($1, true)
                    ON CONFLICT (mark) DO UPDATE SET made = now() RETURNING is_claimed
                    """, [.bytes(mark)]
                ).first
                guard let row else { throw MalformedRow() }
                return try !row.flag(0)
            } catch let error as StoreError where error.code.isFinal || error.code == .notDurable {
                throw StoreError(
                    error.code, "\(error.message). The outcome of a commit that was under way isn't known",
                    cause: cause.message)
            } catch {
                last = error
                usleep(PostgresPatience.pauseMilliseconds * 1_000)
            }
        } while ContinuousClock.now < end && !stop.isSet
        throw StoreError(
            .io,
            "the connection to \(url) was lost while it committed, and it can't be reached to ask what became of that; "
                + "a mutation that is sent again takes effect once",
            cause: (last as? PostgresError)?.message ?? "\(last)")
    }

    // MARK: - Pruning

    private static let commitsBetweenPrunings = 256
    /// Marks are asked for within seconds, and moves are read within seconds by all who follow them.
    static let keptSeconds: Int64 = 3_600
    /// More than a server takes in the seconds in which it is asked for a mark.
    static let keptTransactions = 100_000
    /// Rows removed at once.
    private static let prunedAtOnce = 10_000

    /// Removes marks and moves of long ago. A failure is of no consequence: the next time removes them.
    private func prune(_ connection: PostgresConnection) {
        // The server's clock may leap, and marks be asked for while it does.
        let isOld = "AND age(xmin) > \(Self.keptTransactions)"
        for (table, key, condition) in [("commit_mark", "mark", isOld), ("user_move", "seq", "")] {
            _ = try? connection.run(
                """
                DELETE FROM \(table) WHERE \(key) IN (
                    SELECT \(key) FROM \(table) WHERE made < now() - interval '\(Self.keptSeconds) seconds' \(condition)
                    ORDER BY made LIMIT \(Self.prunedAtOnce) FOR UPDATE SKIP LOCKED)
                """)
        }
    }

    /// Statements sent by the connection in use, a measure of work.
    var statements: Int { state.withLock { $0.connection?.statements ?? 0 } }

    /// Ends the connection. A transaction that is under way notices the stop, and ends.
    func close() {
        guard turn.wait(timeout: .now() + .milliseconds(4 * Int(PostgresPatience.stopMilliseconds))) == .success else {
            return
        }
        state.withLock { $0.connection = nil }
        turn.signal()
    }
}
