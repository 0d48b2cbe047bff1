import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The store as seen by one node: what `PostgresStore` does over a database, without SQL and threads. Its decisions
/// are made by code that ships: `CommitCourse`, `PostgresHostChoice`, `HistoryProof`, `CommitDurability`, `StoreAge`.
///
/// Unchecked because a schedule runs on a single thread.
final class NodeStore: StoreEngine, @unchecked Sendable {
    enum Crash: Hashable {
        case beforeWriting
        /// The write is durable, but no one learns of it.
        case afterWriting
        /// Before a step of its transaction.
        case inStep(Int)
    }

    let database: SimulatedDatabase
    /// The node dies at its next write.
    var crash: Crash?
    /// Whether the node has died in a write. Anything its code still does has no effect.
    private(set) var hasCrashed = false
    /// Whether nothing can currently be read or written.
    var isUnreachable = false
    /// How many of its next commits and claims go wrong.
    var troubles = 0
    /// Whether it doesn't reach the database, because it couldn't tell what that lacks.
    var isMute = false
    /// Called when the node doesn't learn what became of its writes.
    var onDoubt: (() -> Void)?
    /// Called when the log no longer reaches back to where the node is.
    var onHistoryCut: (() -> Void)?
    /// The commits that the node knows to be in the database.
    private(set) var witness = StoreWitness()
    /// The newest that the node has met.
    private(set) var newestTimeline: UInt32?
    /// The newest revisions that were read of users' logs.
    private(set) var readUsers: [String: UInt64] = [:]
    /// Why nothing can be read or written any more.
    private var failure: StoreError?
    private var reader: DatabaseConnection?
    private var writers: [StoreLog: DatabaseConnection] = [:]
    private var ages: [StoreLog: StoreAge] = [:]
    /// Marks the moves that it makes now: once a write has failed, the earlier ones are heard like those of others.
    private(set) var mark = 0
    private(set) var isWriting = false
    /// Whether it asks what became of a commit.
    private(set) var isInDoubt = false
    private static let durability = CommitDurability(allowsLostCommits: false)

    init(_ database: SimulatedDatabase) { self.database = database }

    /// The node starts over.
    func revive() {
        crash = nil
        hasCrashed = false
        isUnreachable = false
        isMute = false
        troubles = 0
        witness = StoreWitness()
        newestTimeline = nil
        readUsers = [:]
        failure = nil
        reader = nil
        writers = [:]
        ages = [:]
        mark += 1
    }

    var cluster: String { database.engine.cluster }

    /// Its connections, which may end one by one.
    var connections: [DatabaseConnection] {
        [reader, writers[.catalogue], writers[.users]].compactMap { $0 }.filter { !$0.isEnded }
    }

    // MARK: - Reading

    private func engine() throws(StoreError) -> MemoryStore {
        if let failure { throw failure }
        if let reader, isAlive(reader), witness.seen.isFound(at: reader.place) { return reader.server.engine }
        reader = nil
        let connection = try connected()
        reader = connection
        return connection.server.engine
    }

    /// A connection for reads, proven.
    private func connected() throws(StoreError) -> DatabaseConnection {
        var choice = PostgresHostChoice(hosts: database.hosts)
        var host: Int?
        while true {
            do throws(DatabaseError) {
                let connection = try connect(to: host, isForWrites: false)
                choice.connected()
                try prove(connection)
                return connection
            } catch {
                switch choice.failed(isFormerPrimary: error.kind == .formerPrimary) {
                case .connect(let next): host = next
                case .fail, .refuse: throw error.error
                }
            }
        }
    }

    /// Meets the present primary, as a thread that reads does.
    func glance() { _ = try? engine() }

    func catalogueHead() throws(StoreError) -> LogHead {
        try noting { store throws(StoreError) in try store.catalogueHead() }
    }

    func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        do throws(StoreError) {
            return try noting { store throws(StoreError) in try store.commits(after: revision, limit: limit) }
        } catch {
            if error.code == .historyCut { onHistoryCut?() }
            throw error
        }
    }

    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead {
        try noting { store throws(StoreError) in try store.snapshot(receive) }
    }

    func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        try noting { store throws(StoreError) in
            try store.search(query, in: scope, offset: offset, limit: limit)
        }
    }

    /// Notes that the catalogue was read, and so has been seen.
    private func noting<Value>(_ body: (MemoryStore) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let store = try engine()
        let value = try body(store)
        witness.note(catalogue: try store.history(asked: SeenHistory()).catalogue)
        return value
    }

    func userHead(_ user: String) throws(StoreError) -> LogHead {
        let engine = try engine()
        let head = try engine.userHead(user)
        try noteRead(user, head, engine)
        return head
    }

    func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        let engine = try engine()
        let log = try engine.members(of: user)
        try noteRead(user, log.head, engine)
        return log
    }

    /// Notes that a user's log was read, and so has been seen.
    private func noteRead(_ user: String, _ head: LogHead, _ engine: MemoryStore) throws(StoreError) {
        readUsers[user] = max(readUsers[user] ?? 0, head.revision)
        if let point = try engine.point(of: user) { witness.note(readUser: user, point) }
    }

    func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? { try engine().lastMutation(of: client) }

    // MARK: - Connections

    private func connect(to host: Int?, isForWrites: Bool) throws(DatabaseError) -> DatabaseConnection {
        guard !isUnreachable else { throw .lost }
        let server = try database.server(for: host, of: self)
        guard isForWrites else { return DatabaseConnection(server, level: nil) }
        if let weakness = Self.durability.weakness(of: server.settings) { throw DatabaseError(weakness) }
        return DatabaseConnection(server, level: Self.durability.level(given: server.settings))
    }

    private func isAlive(_ connection: DatabaseConnection) -> Bool {
        !isUnreachable && connection.isAlive && !database.isHidden(connection.server, from: self)
    }

    /// Says something to a connection's server, which it may not hear.
    private func reach(_ connection: DatabaseConnection?) throws(DatabaseError) -> DatabaseConnection {
        guard let connection, isAlive(connection) else {
            connection?.isEnded = true
            throw .lost
        }
        return connection
    }

    private func prove(_ connection: DatabaseConnection?) throws(DatabaseError) {
        let proof = try judge(connection)
        guard let error = StoreError(proof, at: "the simulated database") else { return }
        if case .olderTimeline = proof {
            database.onOccurrence?(.formerRefused)
            throw DatabaseError(kind: .formerPrimary, error: error)
        }
        throw DatabaseError(error)
    }

    /// Asks the database about what the node has seen.
    private func judge(_ connection: DatabaseConnection?) throws(DatabaseError) -> HistoryProof {
        let server = try reach(connection).server
        let seen = witness.seen
        let found = try DatabaseError.translating { () throws(StoreError) in try server.engine.history(asked: seen) }
        if server === database.present { newestTimeline = max(newestTimeline ?? 0, found.place.timeline) }
        let proof = witness.judge(found, asked: seen)
        if seen.epochs == nil { witness.note(epochs: found.epochs) }
        let error = StoreError(proof, at: "the simulated database")
        if let error, error.code.isFinal { failure = failure ?? error }
        return proof
    }

    // MARK: - Following

    /// Finds out whether the database has what the node has seen, as each look of a follower does.
    func look() throws(StoreError) {
        let engine = try engine()
        do throws(DatabaseError) { try prove(reader) } catch { throw error.error }
        witness.note(catalogue: try engine.history(asked: SeenHistory()).catalogue)
    }

    /// Notes where a user's log is.
    func note(user: String) throws(StoreError) {
        guard let point = try engine().point(of: user) else { return }
        witness.note(user: user, point)
    }

    /// The schedule wakes nodes, some later than others.
    func onWake(_ wake: @escaping @Sendable () -> Void) {}

    func close() throws(StoreError) {}

    // MARK: - Writing

    /// The state of a transaction while it is tried.
    private struct Trial {
        var log: StoreLog
        var writes: [StoreWrite]
        /// The node's time, in milliseconds: waiting takes some.
        var clock: UInt64
        var steps = 0
        var connection: DatabaseConnection?
        var mark: UInt64 = 0
        /// The outcomes of the transaction, if it is durable.
        private(set) var outcomes: [StoreOutcome] = []
        /// Where it is durable.
        private(set) var server: DatabaseServer?
        /// Whether that was a former primary when the node heard of it.
        private(set) var isElsewhere = false
        var failure = DatabaseError.lost

        /// Runs the transaction up to its COMMIT.
        mutating func rehearse(
            _ transaction: DatabaseTransaction, on server: DatabaseServer
        ) throws(DatabaseError) {
            outcomes = try DatabaseError.translating { () throws(StoreError) in
                try MemoryStore(crashed: server.engine, seed: transaction.mark).write(writes, now: transaction.age)
            }
        }

        mutating func done(_ outcomes: [StoreOutcome], on server: DatabaseServer, of database: SimulatedDatabase) {
            self.outcomes = outcomes
            self.server = server
            isElsewhere = server !== database.present
        }
    }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        if crash == .beforeWriting, !isUnreachable { hasCrashed = true }
        guard !hasCrashed else { throw .dead }
        if let failure { throw failure }
        guard let log = writes.first?.log else { return [] }
        isWriting = true
        defer { isWriting = false }
        var trial = Trial(log: log, writes: writes, clock: database.now)
        do throws(StoreError) {
            try run(&trial)
        } catch {
            // It may still take effect.
            mark += 1
            onDoubt?()
            throw error
        }
        if crash == .afterWriting { hasCrashed = true }
        return trial.outcomes
    }

    private func run(_ trial: inout Trial) throws(StoreError) {
        if let known = writers[trial.log], witness.seen.isFound(at: known.place) { trial.connection = known }
        var course = CommitCourse(hosts: database.hosts)
        var step = course.start(isConnected: trial.connection != nil)
        while true {
            if case .inStep(trial.steps)? = crash { hasCrashed = true }
            guard !hasCrashed else { throw .dead }
            trial.steps += 1
            isInDoubt = course.isInDoubt
            database.onStep?(self, step)
            switch step {
            case .end(let ending): return try end(ending, trial)
            case .pause(let milliseconds):
                trial.clock += milliseconds
                step = course.resumed(now: trial.clock)
            default:
                do throws(DatabaseError) {
                    step = try perform(step, &course, &trial)
                } catch {
                    trial.connection?.isEnded = true
                    if !course.isInDoubt { trial.failure = error }
                    step = course.failed(error.kind, now: trial.clock)
                }
            }
        }
    }

    private func perform(
        _ step: CommitCourse.Step, _ course: inout CommitCourse, _ trial: inout Trial
    ) throws(DatabaseError) -> CommitCourse.Step {
        switch step {
        case .connect(let host):
            trial.connection = nil
            trial.connection = try connect(to: host, isForWrites: true)
            return course.connected()
        case .prove:
            try prove(trial.connection)
            return course.proven()
        case .attempt:
            try attempt(&course, &trial)
            return course.committed()
        case .claim:
            let (mark, proof) = try claim(&trial)
            return course.answered(mark, proof: proof)
        case .pause, .end: preconditionFailure("nothing is to be done about \(step)")
        }
    }

    private func end(_ ending: CommitCourse.Ending, _ trial: Trial) throws(StoreError) {
        switch ending {
        case .done:
            if trial.isElsewhere {
                database.onFault?(.exactlyOnce, "a node confirms what is on a former primary only")
            }
            try note(trial)
        case .failed: throw trial.failure.error
        case .unknown:
            database.onOccurrence?(.outcomeUnknown)
            throw StoreError(.io, "the outcome of a simulated commit isn't known")
        }
    }

    /// Notes what a batch of writes has made.
    private func note(_ trial: Trial) throws(StoreError) {
        guard let engine = trial.server?.engine else { return }
        for (write, outcome) in zip(trial.writes, trial.outcomes) {
            guard case .done(_, changed: true) = outcome else { continue }
            switch write {
            case .catalogue, .draft: witness.note(catalogue: try engine.history(asked: SeenHistory()).catalogue)
            case .observed: break
            case .member(let user, _, _):
                if let point = try engine.point(of: user) { witness.note(user: user, point) }
            }
        }
    }

    private func attempt(_ course: inout CommitCourse, _ trial: inout Trial) throws(DatabaseError) {
        let connection = try reach(trial.connection)
        let server = connection.server
        writers[trial.log] = connection
        // BEGIN, and what is needed to lock and to prove.
        try database.lock(trial.log, on: server, clock: &trial.clock)
        try proveInTransaction(connection)
        guard !database.isFull else {
            throw DatabaseError(kind: .refused, error: StoreError(.diskFull, "the simulated disk is full"))
        }
        trial.mark = database.nextMark()
        var transaction = DatabaseTransaction(
            state: .silent, mark: trial.mark, writes: trial.writes, isFlushed: connection.isFlushing,
            age: age(trial, server), since: database.now, author: (self, mark))
        let trouble = nextTrouble(percent: 75)
        if trouble != nil { try trial.rehearse(transaction, on: server) }
        if trouble == .silence {
            server.transactions.append(transaction)
            throw .lost
        }
        course.committing()
        switch trouble {
        case .lostRequest: throw .lost
        case .delay, .wait:
            transaction.state = trouble == .delay ? .delayed : .committing
            server.transactions.append(transaction)
            throw .lost
        case .deathBefore:
            database.crash(server)
            throw .lost
        default: break
        }
        try commit(transaction, &trial, server)
        if trouble == .deathAfter { database.crash(server) }
        if trouble != nil { throw .lost }
    }

    /// As each transaction does before it writes.
    private func proveInTransaction(_ connection: DatabaseConnection) throws(DatabaseError) {
        do throws(DatabaseError) { try prove(connection) } catch {
            throw error.kind == .formerPrimary ? DatabaseError(error.error) : error
        }
        if let weakness = Self.durability.weakness(of: connection.settings) { throw DatabaseError(weakness) }
    }

    private func commit(
        _ transaction: DatabaseTransaction, _ trial: inout Trial, _ server: DatabaseServer
    ) throws(DatabaseError) {
        let outcomes = try DatabaseError.translating { () throws(StoreError) in
            try database.commit(transaction, on: server)
        }
        guard let outcomes else { throw .lost }
        trial.done(outcomes, on: server, of: database)
    }

    /// The time by which ages are counted, in milliseconds since 1970.
    private func age(_ trial: Trial, _ server: DatabaseServer) -> UInt64 {
        let newest = (try? server.engine.newestTime()) ?? 0
        return ages[trial.log, default: StoreAge()].now(
            wall: database.wall(of: server), steady: trial.clock, newest: newest)
    }

    private func claim(_ trial: inout Trial) throws(DatabaseError) -> (CommitCourse.Mark, HistoryProof) {
        let server = try reach(trial.connection).server
        let trouble = nextTrouble(percent: 40)
        switch trouble {
        case .lostRequest, .silence, .delay: throw .lost
        case .deathBefore:
            database.crash(server)
            throw .lost
        default: break
        }
        let outcomes = database.claim(trial.mark, on: server)
        if trouble == .deathAfter { database.crash(server) }
        if trouble != nil {
            database.onOccurrence?(.claimUnanswered)
            throw .lost
        }
        let proof = try judge(trial.connection)
        database.onOccurrence?(outcomes == nil ? .commitClaimed : .commitFound)
        guard let outcomes else { return (.claimed, proof) }
        trial.done(outcomes, on: server, of: database)
        return (.committed, proof)
    }

    // MARK: - Troubles

    /// The fate of something that is sent to the database.
    private enum Trouble: CaseIterable {
        case lostRequest, lostAnswer
        /// The server waits for a standby before it says that it has committed.
        case wait
        /// It takes long to arrive.
        case delay
        /// It isn't sent, and nobody tells the server that the connection is gone.
        case silence
        case deathBefore, deathAfter
    }

    private func nextTrouble(percent: Int) -> Trouble? {
        guard troubles > 0, database.random.chance(percent) else { return nil }
        troubles -= 1
        return database.random.pick(Trouble.allCases)
    }
}

extension StoreError {
    fileprivate static let dead = StoreError(.closed, "the node has died")
}

extension DatabaseError {
    fileprivate init(_ error: StoreError) {
        self.init(kind: CommitCourse.Failure(error), error: error)
    }

    fileprivate init(_ weakness: CommitDurability.Weakness) {
        self.init(StoreError(weakness, at: "the simulated database"))
    }

    fileprivate static func translating<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(DatabaseError) -> Value {
        do throws(StoreError) { return try body() } catch { throw DatabaseError(error) }
    }
}
