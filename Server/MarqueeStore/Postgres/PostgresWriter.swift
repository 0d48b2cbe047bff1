import Dispatch
import Foundation
import Synchronization

/// The end of a transaction, with its value.
struct PostgresEnding<Value> {
    var value: Value
    /// The statements that are still to be run.
    var statements: [PostgresStatement]
    /// Whether the transaction has run statements that change something. If not, and none are left to run, it is rolled
    /// back, which costs no write to the disk.
    var hasChanged = false
}

/// The connection by which a node writes to one log. One thread writes at a time; further ones wait.
///
/// `CommitCourse` decides what happens to a transaction; this class carries out its steps.
final class PostgresWriter: Sendable {
    private let gate: PostgresGate
    private let log: StoreLog
    /// The turn of the thread that writes. A transaction may wait a long time, so no lock is held over it.
    private let turn = DispatchSemaphore(value: 1)
    private let state = Mutex(State())

    /// A connection, and the setting that each of its transactions makes.
    private typealias Open = (connection: PostgresConnection, setting: PostgresStatement?)

    /// Runs a transaction, which it begins with the given statements.
    typealias Body<Value> = (PostgresConnection, _ begin: [PostgresStatement]) throws -> PostgresEnding<Value>?

    private struct State {
        /// Used by the thread whose turn it is.
        var open: Open?
        /// Commits since the tables that only grow were last pruned.
        var commits = 0
    }

    /// The channel that announces changes to the nodes that listen for them.
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
    ///   - isRepeatable: whether `body` may be called again after a conflict, or after losing the connection when
    ///     nothing took effect.
    ///   - body: begins the transaction with the given statements, proves there that the database has the history that
    ///     this process has seen, and returns its ending; `nil` rolls it back.
    /// - Throws: `closed`, `busy`, or what `body` throws; then nothing was applied, unless the message says that this
    ///   isn't known.
    func transaction<Value: Sendable>(isRepeatable: Bool = true, _ body: Body<Value>) throws -> Value? {
        guard turn.wait(timeout: .now() + .seconds(PostgresBounds.turnSeconds)) == .success else {
            throw StoreError(.busy, "another write of this process to \(url) takes too long; try again")
        }
        defer { turn.signal() }
        if stop.isSet { throw StoreError.closed }
        var trial = Trial<Value>(state.withLock { $0.open })
        let known = trial.open?.connection
        if let known, known.isLost || !gate.leadsToCurrentPrimary(known) { trial.open = nil }
        var course = CommitCourse(
            hosts: url.hosts.count, isRepeatable: isRepeatable, patience: PostgresBounds.commit)
        var step = course.start(isConnected: trial.open != nil)
        while true {
            switch step {
            case .end(let ending): return try trial.result(of: ending, at: url)
            case .pause(let milliseconds):
                usleep(UInt32(clamping: milliseconds * 1_000))
                step = course.resumed(now: systemSteadyClock(), isStopped: stop.isSet)
            default:
                do {
                    step = try perform(step, &course, &trial, body)
                } catch {
                    // After a failure within a transaction, only a new connection is certain to be usable.
                    state.withLock { $0.open = nil }
                    trial.note(error, isInDoubt: course.isInDoubt)
                    step = course.failed(
                        CommitCourse.Failure(error), now: systemSteadyClock(), isStopped: stop.isSet)
                }
            }
        }
    }

    /// Performs one step, and reports to the course that it is done.
    private func perform<Value>(
        _ step: CommitCourse.Step, _ course: inout CommitCourse, _ trial: inout Trial<Value>, _ body: Body<Value>
    ) throws -> CommitCourse.Step {
        switch step {
        case .connect(let host):
            trial.open = nil
            let use = course.isInDoubt ? "outcome" : "\(log)"
            trial.open = (try gate.unprovenConnection(for: use, host: host), nil)
            return course.connected()
        case .prove:
            let connection = try trial.connection
            try gate.prove(connection)
            // Settings can differ from user to user, and a failover leads to a server with its own.
            trial.open?.setting = try gate.durability.prepare(connection)
            return course.proven()
        case .attempt:
            try attempt(&course, &trial, body)
            return course.committed()
        case .claim:
            let (mark, proof) = try claim(trial.mark, trial.connection)
            if let error = gate.refusal(proof) { trial.note(error, isInDoubt: true) }
            return course.answered(mark, proof: proof)
        case .pause, .end: preconditionFailure("nothing is to be done about \(step)")
        }
    }

    private func attempt<Value>(
        _ course: inout CommitCourse, _ trial: inout Trial<Value>, _ body: Body<Value>
    ) throws {
        let connection = try trial.connection
        state.withLock { $0.open = trial.open }
        let setting = trial.open?.setting
        let ending = try body(connection, [PostgresStatement("BEGIN")] + (setting.map { [$0] } ?? []))
        trial.value = ending?.value
        guard let ending, ending.hasChanged || !ending.statements.isEmpty else {
            return try connection.runScript("ROLLBACK")
        }
        trial.mark = withUnsafeBytes(of: (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))) {
            [UInt8]($0)
        }
        let marked =
            ending.statements + [
                PostgresStatement("INSERT INTO commit_mark (mark) VALUES ($1)", [.bytes(trial.mark)]),
                PostgresStatement("COMMIT"),
            ]
        // Announced after the commit: a transaction that notifies makes all others of the server wait while it commits.
        let announcement = PostgresStatement("SELECT pg_notify('\(Self.channel)', $1)", [.text(log.columnPrefix)])
        course.committing()
        let (results, failure) = try connection.attempt(marked + [announcement])
        if let failure, results.count < marked.count { throw failure }
        // The server that answered may be a former primary by now. Then the current one is asked for the mark.
        guard gate.leadsToCurrentPrimary(connection) else {
            throw PostgresError(state: nil, message: "another server has succeeded it")
        }
        let commits = state.withLock { state in
            state.commits += 1
            return state.commits
        }
        if commits.isMultiple(of: Self.commitsBetweenPrunings) { prune(connection) }
    }

    /// Finds out whether a commit whose answer was lost took effect, and if not, keeps it from ever doing so.
    ///
    /// This waits for a transaction that is still committing. It writes even if the mark is there, so that the answer
    /// comes only once the standbys that the server waits for have the commit, too. A claim is stored as such, so that
    /// a claim whose answer is lost isn't taken for a commit.
    private func claim(
        _ mark: [UInt8], _ connection: PostgresConnection
    ) throws -> (CommitCourse.Mark, HistoryProof) {
        let claim = PostgresStatement(
            """
            INSERT INTO commit_mark (mark, is_claimed) VALUES ($1, true)
            ON CONFLICT (mark) DO UPDATE SET made = now() RETURNING is_claimed
            """, [.bytes(mark)])
        let question = gate.question()
        // Statements that are sent together are one transaction.
        let rows = try connection.run([claim] + question.statements)
        let answer = try question.answer(rows.dropFirst(), of: connection, gate.durability)
        guard let row = rows.first?.first else { throw MalformedRow() }
        let proof = gate.witness.judge(answer.found, asked: question.seen)
        return (try row.flag(0) ? .claimed : .committed, proof)
    }

    // MARK: - Pruning

    private static let commitsBetweenPrunings = 256
    /// How long marks and moves are kept. Both are needed only for seconds: to resolve a commit, and by followers.
    static let keptSeconds: Int64 = 3_600
    /// More transactions than a server runs in the seconds in which a mark may be asked for.
    static let keptTransactions = 100_000
    /// Rows removed at once.
    private static let prunedAtOnce = 10_000

    /// Removes old marks and moves. A failure doesn't matter: the next run removes them.
    private func prune(_ connection: PostgresConnection) {
        // The server's clock may jump ahead while marks are still asked for.
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

    /// Statements sent by the connection in use: a measure of work.
    var statements: Int { state.withLock { $0.open?.connection.statements ?? 0 } }

    /// Ends the connection. A transaction that is under way notices the stop, and ends.
    func close() {
        guard turn.wait(timeout: .now() + .milliseconds(4 * Int(PostgresBounds.stopMilliseconds))) == .success else {
            return
        }
        state.withLock { $0.open = nil }
        turn.signal()
    }
}

extension PostgresWriter {
    /// The state of a transaction across its attempts.
    private struct Trial<Value> {
        var open: Open?
        /// The mark of the last attempt.
        var mark: [UInt8] = []
        var value: Value?
        /// Why the last attempt failed.
        private var failure: (any Error)?
        /// Why the outcome couldn't be determined.
        private var doubt: (any Error)?
        /// The first former primary that was met.
        private var refusal: StoreError?

        init(_ open: Open?) { self.open = open }

        var connection: PostgresConnection {
            get throws {
                guard let open else { throw PostgresError(state: nil, message: "there is no connection") }
                return open.connection
            }
        }

        mutating func note(_ error: any Error, isInDoubt: Bool) {
            let former = (error as? PostgresGate.FormerPrimary)?.error
            refusal = refusal ?? former
            if isInDoubt { doubt = former ?? error } else { failure = former ?? error }
        }

        func result(of ending: CommitCourse.Ending, at url: PostgresURL) throws -> Value? {
            let cause = (failure as? PostgresError)?.message
            switch (ending, doubt) {
            case (.done, _): return value
            case (.failed(.stopped), _): throw StoreError.closed
            case (.failed(.formerPrimary), _): throw refusal ?? StoreError.closed
            case (.failed, _): throw failure ?? StoreError.closed
            case (.unknown(.cannotTell), let error as StoreError):
                throw StoreError(
                    error.code, "\(error.message). The outcome of a commit that was under way isn't known", cause: cause
                )
            case (.unknown, let error):
                throw StoreError(
                    .io,
                    "the connection to \(url) was lost while it committed, and it can't be reached to ask for the "
                        + "outcome; sending the mutation again is safe",
                    cause: (error as? PostgresError)?.message ?? error.map { "\($0)" } ?? cause)
            }
        }
    }
}

extension CommitCourse.Failure {
    fileprivate init(_ error: any Error) {
        switch error {
        case is PostgresGate.FormerPrimary: self = .formerPrimary
        case let error as PostgresError: self = error.isConflict ? .conflict : error.isLost ? .lost : .refused
        case let error as StoreError: self.init(error)
        default: self = .refused
        }
    }
}
