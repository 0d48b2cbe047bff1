import MarqueeCatalogue
import MarqueeModel
import Synchronization

/// A store in a PostgreSQL database, which any number of nodes may use at the same time.
///
/// Writes that `write` returned as done survive whatever the server's disk and its standbys survive. A batch is one
/// transaction per log. The rows of the clients are locked in both logs while a mutation takes effect, so that it does
/// so once, whichever nodes it is sent to.
package final class PostgresStore: TransactionalStore {
    package let cluster: String
    let url: PostgresURL
    let epochs: (catalogue: UInt64, users: UInt64)
    let limits: StoreLimits
    private let clock: WallClock
    let stop = PostgresStop()
    private let pool: PostgresPool
    private let users: PostgresWriter
    private let catalogue: PostgresWriter
    let typeLibrary: TypeLibrary
    let witness = StoreWitness()
    private let follower = Mutex<PostgresFollower?>(nil)
    private let newClients = Mutex<[StoreLog: Int]>([:])
    private let shares = NewClients()
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    /// Opens the store in a database; its tables are made if they are missing, in the first schema of the search path.
    /// - Parameters:
    ///   - url: where the database is.
    ///   - limits: those on files don't apply.
    ///   - clock: the clock that ages are measured by; `nil` for the system's.
    ///   - programmeCheck: keeps types from replacing those that the programme needs; `nil` where nothing is shown.
    ///   - allowLostCommits: accepts a server that can lose what it has confirmed.
    /// - Throws: `invalid`, `forbidden`, `missing`, `foreignFile`, `notDurable`, `corrupt`, `busy` or `io`, with a
    ///   sentence that names the database and no password. May be called on any thread.
    package init(
        url: PostgresURL, limits: StoreLimits = StoreLimits(), clock: WallClock? = nil,
        programmeCheck: ProgrammeCheck? = nil, allowLostCommits: Bool = false
    ) throws(StoreError) {
        let library = TypeLibrary(programmeCheck: programmeCheck)
        let names = try StoreError.translating(url) {
            try PostgresDurability.check(try PostgresConnection(url), allowsLostCommits: allowLostCommits)
            return try PostgresMigration(url: url, library: library).run()
        }
        self.url = url
        self.cluster = names.cluster
        self.epochs = names.epochs
        self.limits = limits
        self.clock = clock ?? { systemWallClock() }
        self.typeLibrary = library
        pool = PostgresPool(url, stop: stop)
        users = PostgresWriter(url, log: .users, allowsLostCommits: allowLostCommits, stop: stop)
        catalogue = PostgresWriter(url, log: .catalogue, allowsLostCommits: allowLostCommits, stop: stop)
    }

    package func onWake(_ wake: @escaping @Sendable () -> Void) { self.wake.withLock { $0 = wake } }

    /// As the protocol says. What waits for the database then, such as a commit that it doesn't answer, is given up:
    /// its outcome isn't known here, and a client that sends its mutation again is told.
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
        let done: ([StoreOutcome], newClients: Int?)?
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
        guard let (outcomes, new) = done else { throw StoreError(.io, "\(url) undid a transaction") }
        witness.note(writes, outcomes)
        noteNewClients(new, of: log, counted: counting)
        return outcomes
    }

    private func commitToUsers(
        _ writes: [StoreWrite], counting: Bool
    ) throws -> ([StoreOutcome], newClients: Int?)? {
        try users.transaction { connection in
            var batch = try PostgresUserBatch(
                writes, mark: mark, connection: connection, limits: limits, library: typeLibrary, now: clock(),
                counting: counting)
            let outcomes = try writes.map { try batch.apply($0, limits: limits, newClients: shares) }
            return PostgresEnding(value: (outcomes, batch.mutations.counted), statements: batch.saving)
        }
    }

    private func commitToCatalogue(
        _ writes: [StoreWrite], counting: Bool
    ) throws -> ([StoreOutcome], newClients: Int?)? {
        try catalogue.transaction { connection in
            let transaction = try begun(on: connection)
            let (outcomes, newClients) = try transaction.apply(writes, counting: counting)
            return PostgresEnding(value: (outcomes, newClients), statements: transaction.takeSaving())
        }
    }

    private func begun(on connection: PostgresConnection) throws -> PostgresCatalogueTransaction {
        let transaction = PostgresCatalogueTransaction(
            connection, limits: limits, library: typeLibrary, now: clock())
        transaction.enqueue([PostgresStatement("BEGIN")])
        try transaction.lockHead()
        return transaction
    }

    package func transaction(_ body: (any CatalogueWriter) -> Bool) throws(StoreError) {
        if let problem { throw problem }
        let isKept = try StoreError.translating(url) {
            try catalogue.transaction(isRepeatable: false) { connection -> PostgresEnding<Bool>? in
                let writer = PostgresCatalogueWriter(url: url, epoch: epochs.catalogue) {
                    try self.begun(on: connection)
                }
                let isKept = body(writer)
                let transaction = writer.end()
                guard isKept else { return nil }
                return PostgresEnding(
                    value: true, statements: transaction?.takeSaving() ?? [], hasChanged: transaction != nil)
            }
        }
        if isKept == true { wake.withLock { $0 }?() }
    }

    // MARK: - Others

    /// Why the database can't be reached, as the last attempt to follow it found. Nobody else tries meanwhile: each
    /// would wait.
    var problem: StoreError? { follower.withLock { $0 }?.problem }

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

    /// Runs `body` within a transaction that sees one state of the whole database.
    func readingOnce<Value>(_ body: (PostgresConnection) throws -> Value) throws(StoreError) -> Value {
        try reading { connection in
            try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let value = try body(connection)
            try connection.run("COMMIT")
            return value
        }
    }

    /// Statements sent by the connections that write, a measure of work.
    var statements: Int { users.statements + catalogue.statements }
}
