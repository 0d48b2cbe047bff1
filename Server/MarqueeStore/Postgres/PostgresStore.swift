import MarqueeCatalogue
import MarqueeModel
import Synchronization

/// A store in a PostgreSQL database, which any number of nodes may use at the same time.
///
/// Writes that `write` returned as done survive whatever the server's disk and its standbys survive. A batch is one
/// transaction per log. The rows of the clients are locked in both logs while a mutation takes effect, so that each
/// mutation takes effect once, whichever nodes it is sent to.
package final class PostgresStore: TransactionalStore {
    package let cluster: String
    let url: PostgresURL
    let epochs: LogEpochs
    let limits: StoreLimits
    /// `nil` for the database's.
    private let wall: WallClock?
    private let steady: WallClock
    private let ages = Mutex<[StoreLog: StoreAge]>([:])
    let gate: PostgresGate
    private let stop = PostgresStop()
    private let pool: PostgresPool
    private let users: PostgresWriter
    private let catalogue: PostgresWriter
    let typeLibrary: TypeLibrary
    private let follower = Mutex<PostgresFollower?>(nil)
    private let newClients = Mutex<[StoreLog: Int]>([:])
    private let shares = NewClients()
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    /// Opens the store in a database; its tables are made if they are missing, in the first schema of the search path.
    /// - Parameters:
    ///   - url: the address of the database.
    ///   - limits: the store's limits; those on files don't apply.
    ///   - clock: the time of day, by which ages are counted; `nil` for the database's.
    ///   - steady: a monotonic clock in milliseconds; `nil` for the system's, or for a given `clock`.
    ///   - programmeCheck: keeps types from replacing those that the programme needs; `nil` where nothing is shown.
    ///   - allowLostCommits: whether to accept a server that can lose what it has confirmed.
    ///   - timeouts: the timeouts of the connections that read and write.
    /// - Throws: `invalid`, `forbidden`, `missing`, `foreignFile`, `notDurable`, `corrupt`, `busy` or `io`, with a
    ///   sentence that names the database and no password. May be called on any thread.
    package convenience init(
        url: PostgresURL, limits: StoreLimits = StoreLimits(), clock: WallClock? = nil, steady: WallClock? = nil,
        programmeCheck: ProgrammeCheck? = nil, allowLostCommits: Bool = false
    ) throws(StoreError) {
        try self.init(
            url: url, limits: limits, clock: clock, steady: steady, programmeCheck: programmeCheck,
            allowLostCommits: allowLostCommits, timeouts: .ordinary)
    }

    init(
        url: PostgresURL, limits: StoreLimits, clock: WallClock?, steady: WallClock?, programmeCheck: ProgrammeCheck?,
        allowLostCommits: Bool, timeouts: PostgresTimeouts
    ) throws(StoreError) {
        let library = TypeLibrary(programmeCheck: programmeCheck)
        let durability = PostgresDurability(allowsLostCommits: allowLostCommits)
        let gate = PostgresGate(url, durability: durability, stop: stop, timeouts: timeouts)
        let names = try StoreError.translating(url) {
            // A process that starts has seen nothing, so it asks all hosts which of them is a former primary.
            let primary = try PostgresHosts(of: url, for: "starts", stop: gate.stop).primary()
            if let primary { gate.witness.note(place: primary.place) }
            _ = try durability.prepare(try PostgresConnection(url, use: "starts", host: primary?.host))
            let names = try PostgresMigration(url: url, library: library).run(on: primary?.host)
            // The first proof determines which history is served from here on.
            gate.witness.note(epochs: names.epochs)
            _ = try gate.connection(for: "starts")
            return names
        }
        self.gate = gate
        self.url = url
        self.cluster = names.cluster
        self.epochs = names.epochs
        self.limits = limits
        self.wall = clock
        self.steady = StoreClock(wall: clock, steady: steady).steady
        self.typeLibrary = library
        pool = PostgresPool(gate)
        users = PostgresWriter(gate, log: .users)
        catalogue = PostgresWriter(gate, log: .catalogue)
    }

    package func onWake(_ wake: @escaping @Sendable () -> Void) { self.wake.withLock { $0 = wake } }

    /// Closes the store as the protocol says. Anything that still waits for the database, such as a commit without an
    /// answer, is abandoned: its outcome isn't known here, but a client that sends its mutation again learns it.
    package func close() throws(StoreError) {
        follower.withLock { $0.take() }?.close()
        stop.set()
        pool.close()
        users.close()
        catalogue.close()
    }

    // MARK: - Writing

    package func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        let (outcomes, hasChanged) = try writes.committed { (writes, log) throws(StoreError) in
            try commit(writes, to: log)
        }
        if hasChanged { wake.withLock { $0 }?() }
        return outcomes
    }

    /// One transaction on one log.
    private func commit(_ writes: [StoreWrite], to log: StoreLog) throws(StoreError) -> [StoreOutcome] {
        if let problem { throw problem }
        let counting = isCounting(log)
        let done: Committed?
        do throws(StoreError) {
            done = try StoreError.translating(url) {
                switch log {
                case .users: try commitToUsers(writes, counting: counting)
                case .catalogue: try commitToCatalogue(writes, counting: counting)
                }
            }
        } catch {
            follower.withLock { $0 }?.mayHaveMissed()
            throw error
        }
        guard let done else { throw StoreError(.io, "\(url) rolled back a transaction") }
        if let point = done.catalogue { gate.witness.note(catalogue: point) }
        if let (user, point) = done.user { gate.witness.note(user: user, point) }
        noteNewClients(done.newClients, of: log, counted: counting)
        return done.outcomes
    }

    /// The result of a transaction.
    private struct Committed {
        var outcomes: [StoreOutcome]
        /// `nil` if they are to be counted next time.
        var newClients: Int?
        /// The newest points of the logs that have moved. One user's is enough: a transaction is lost as a whole or not
        /// at all.
        var catalogue: LogPoint?
        var user: (name: String, LogPoint)?
    }

    private func commitToUsers(_ writes: [StoreWrite], counting: Bool) throws -> Committed? {
        try users.transaction { connection, begin in
            var batch = try PostgresUserBatch(
                writes, mark: mark, connection: connection, begin: begin, gate: gate, limits: limits,
                library: typeLibrary, counting: counting, wall: wall?(), now: { self.now($0, of: .users) })
            let outcomes = try writes.map { try batch.apply($0, limits: limits, newClients: shares) }
            return PostgresEnding(
                value: Committed(outcomes: outcomes, newClients: batch.mutations.counted, user: batch.newest),
                statements: batch.saving)
        }
    }

    private func commitToCatalogue(_ writes: [StoreWrite], counting: Bool) throws -> Committed? {
        try catalogue.transaction { connection, begin in
            let transaction = try begun(begin, on: connection)
            let (outcomes, newClients) = try transaction.apply(writes, counting: counting)
            let made = transaction.hasCommits ? transaction.head.point : nil
            return PostgresEnding(
                value: Committed(outcomes: outcomes, newClients: newClients, catalogue: made),
                statements: transaction.takeSaving())
        }
    }

    private func begun(
        _ begin: [PostgresStatement], on connection: PostgresConnection
    ) throws -> PostgresCatalogueTransaction {
        let transaction = PostgresCatalogueTransaction(connection, limits: limits, library: typeLibrary)
        transaction.enqueue(begin)
        let question = gate.question()
        let rows = try transaction.lockHead(asking: question.statements)
        let answer = try question.answer(rows[...], of: connection, gate.durability)
        try gate.accept(answer, to: question)
        transaction.now = now(answer, of: .catalogue)
        return transaction
    }

    /// The time by which ages are counted, in milliseconds since 1970.
    private func now(_ answer: PostgresQuestion.Answer, of log: StoreLog) -> UInt64 {
        let (wall, steady) = (self.wall?() ?? answer.wall, self.steady())
        let newest = answer.newest[log] ?? 0
        return ages.withLock { $0[log, default: StoreAge()].now(wall: wall, steady: steady, newest: newest) }
    }

    package func transaction(_ body: (any CatalogueWriter) -> Bool) throws(StoreError) {
        if let problem { throw problem }
        let made = Mutex<LogPoint?>(nil)
        let isKept = try StoreError.translating(url) {
            try catalogue.transaction(isRepeatable: false) { connection, begin -> PostgresEnding<Bool>? in
                let writer = PostgresCatalogueWriter(url: url, epoch: epochs.catalogue, steady: steady) {
                    try self.begun(begin, on: connection)
                }
                let isKept = body(writer)
                let transaction = writer.end()
                guard isKept else { return nil }
                if let transaction, transaction.hasCommits { made.withLock { $0 = transaction.head.point } }
                return PostgresEnding(
                    value: true, statements: transaction?.takeSaving() ?? [], hasChanged: transaction != nil)
            }
        }
        guard isKept == true else { return }
        if let point = made.withLock({ $0 }) { gate.witness.note(catalogue: point) }
        wake.withLock { $0 }?()
    }

    // MARK: - Other processes

    /// Why the database can't be used, for good or as found by the last attempt to follow it. Nothing else tries to
    /// reach it meanwhile: each attempt would wait.
    var problem: StoreError? { gate.failure ?? follower.withLock { $0 }?.problem }

    /// Marks this process's moves of users.
    var mark: Int64 { follower.withLock { $0 }?.mark ?? .random(in: .min ... .max) }

    func keep(_ new: PostgresFollower) { follower.withLock { $0 = new } }

    // MARK: - Clients

    /// Clients are counted when there may be noticeably more than when they were last counted: counting looks at all of
    /// them.
    private func isCounting(_ log: StoreLog) -> Bool {
        newClients.withLock { new in new[log].map { $0 >= limits.clients / 1_024 } ?? true }
    }

    /// - Parameter count: `nil` if they are to be counted next time.
    private func noteNewClients(_ count: Int?, of log: StoreLog, counted: Bool) {
        newClients.withLock { new in new[log] = count.map { (counted ? 0 : new[log] ?? 0) + $0 } }
    }

    // MARK: - Reading

    /// Runs `body` with a connection for reads.
    func reading<Value>(_ body: (PostgresConnection) throws -> Value) throws(StoreError) -> Value {
        if let problem { throw problem }
        return try StoreError.translating(url) { try pool.read(body) }
    }

    /// Runs `body` within a transaction that sees one state of the whole database. Like every read, it may run twice if
    /// the connection is lost.
    func readingOnce<Value>(_ body: (PostgresConnection) throws -> Value) throws(StoreError) -> Value {
        try reading { connection in
            try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let value = try body(connection)
            try connection.run("COMMIT")
            return value
        }
    }

    /// Statements sent by the connections that write: a measure of work.
    var statements: Int { users.statements + catalogue.statements }
}
