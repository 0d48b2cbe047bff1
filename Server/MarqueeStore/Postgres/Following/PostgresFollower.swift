import Foundation
import Synchronization

/// Follows the commits of other processes to a database, on a thread of its own.
///
/// It looks every quarter of a second, and at once when another process announces a commit. A notice only shortens the
/// wait: a lost one costs a quarter of a second. Each look sees the database at one moment. Thread safe.
final class PostgresFollower: Sendable {
    /// The longest wait between two looks.
    static let pauseMilliseconds: Int32 = 250
    /// Pauses between attempts to reach a database, in seconds: random, between zero and a bound that doubles up to
    /// `longest`.
    private static let pauses = (first: 0.1, longest: 5.0)
    /// After this many seconds without a look, moves may have been pruned before they were seen.
    private static let knownSeconds: Int64 = PostgresWriter.keptSeconds / 2

    private struct State {
        var problem: StoreError?
        /// When the last successful look began.
        var heard = ContinuousClock.now
        var isClosed = false
        var mayHaveMissed = false
        var mark = Int64.random(in: .min ... .max)
    }

    private let gate: PostgresGate
    private let hear: @Sendable (StoreEvent) -> Void
    private let state = Mutex(State())

    /// - Parameter hear: called on the follower's thread.
    init(_ gate: PostgresGate, hear: @escaping @Sendable (StoreEvent) -> Void) {
        self.gate = gate
        self.hear = hear
    }

    private var url: PostgresURL { gate.url }

    /// Why the last attempt to reach the database failed; `nil` if it succeeded.
    var problem: StoreError? { state.withLock { $0.problem } }

    /// Marks the moves that this process makes now. Looks leave them out, because the process knows them.
    var mark: Int64 { state.withLock { $0.mark } }

    /// A commit of this process may have taken effect unnoticed, or may still do so: from now on, moves with the old
    /// mark are read like those of others.
    func mayHaveMissed() {
        state.withLock { state in
            state.mayHaveMissed = true
            state.mark = .random(in: .min ... .max)
        }
    }

    /// Takes a first look, then follows from there on a thread of its own.
    /// - Throws: if the database can't be read.
    func start() throws {
        let connection = try connected()
        let first = try look(connection)
        let thread = Thread { [self] in follow(connection, first) }
        thread.name = "marquee.postgres"
        thread.start()
    }

    /// Ends the thread, at the latest after its next look.
    func close() { state.withLock { $0.isClosed = true } }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func connected() throws -> PostgresConnection {
        let connection = try gate.connection(for: "follows", .looks)
        try connection.runScript("LISTEN \(PostgresWriter.channel)")
        return connection
    }

    private func follow(_ first: PostgresConnection, _ moment: PostgresMoment) {
        var connection: PostgresConnection? = first
        var earlier = moment
        var failures = 0
        while !isClosed {
            do {
                let open: PostgresConnection
                if let known = connection, !known.isLost, gate.leadsToCurrentPrimary(known) {
                    open = known
                    try wait(open)
                } else {
                    open = try connected()
                    connection = open
                }
                if isClosed { return }
                let start = ContinuousClock.now
                try step(open, &earlier)
                failures = 0
                found(at: start)
            } catch let error as StoreError where error.code.isFinal {
                state.withLock { $0.problem = error }
                return hear(.lost(error))
            } catch {
                connection = nil
                failed(error)
                failures += 1
                let bound = min(Self.pauses.longest, Self.pauses.first * pow(2, Double(min(failures, 16))))
                Thread.sleep(forTimeInterval: .random(in: 0...bound))
            }
        }
    }

    /// Waits for a notice, and consumes all that have arrived.
    private func wait(_ connection: PostgresConnection) throws {
        guard try connection.notice(within: Self.pauseMilliseconds) != nil else { return }
        while try connection.notice(within: 0) != nil {}
    }

    // MARK: - A look

    private func look(_ connection: PostgresConnection) throws -> PostgresMoment {
        let moment = try PostgresMoment(connection, gate)
        try connection.runScript("ROLLBACK")
        return moment
    }

    /// Looks, and reports what is new.
    private func step(_ connection: PostgresConnection, _ earlier: inout PostgresMoment) throws {
        var moment = try PostgresMoment(connection, gate)
        moment.drafts = earlier.drafts
        gate.witness.note(catalogue: moment.catalogue)
        if moment.catalogue != earlier.catalogue { hear(.catalogue) }
        let (hasMissed, mark) = state.withLock { state in
            defer { state.mayHaveMissed = false }
            return (state.mayHaveMissed, state.mark)
        }
        let isUnknown = !moment.continues(from: earlier) || moment.seconds - earlier.seconds > Self.knownSeconds
        if isUnknown || hasMissed {
            hear(.missed)
        } else if moment.snapshot != earlier.snapshot {
            moment.drafts = try PostgresDrafts.mark(connection)
            if moment.drafts != earlier.drafts { hear(.drafts) }
            var last: Int64 = 0
            var isMore = true
            while isMore, !isClosed {
                let page = try PostgresMoment.moves(since: earlier, not: mark, after: last, connection)
                for (user, point) in page.points { gate.witness.note(user: user, point) }
                if !page.moves.isEmpty { hear(.moves(page.moves)) }
                (last, isMore) = (page.last, page.moves.count == PostgresMoment.movesAtOnce)
            }
        }
        try connection.runScript("ROLLBACK")
        earlier = moment
    }

    // MARK: - Failures

    private func failed(_ error: any Error) {
        if isClosed { return }
        let problem: StoreError
        do throws(StoreError) {
            try StoreError.translating(url) { throw error }
            return
        } catch {
            problem = error
        }
        let (isNew, heard) = state.withLock { state in
            defer { state.problem = problem }
            return (state.problem == nil, state.heard)
        }
        if isNew { hear(.unreachable(problem, since: heard)) }
    }

    private func found(at time: ContinuousClock.Instant) {
        let wasUnreachable = state.withLock { state in
            state.heard = time
            return state.problem.take() != nil
        }
        if wasUnreachable { hear(.reachable) }
    }
}
