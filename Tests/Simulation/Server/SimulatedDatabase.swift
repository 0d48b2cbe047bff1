import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import SeededRandom

/// The database behind all nodes: its primary, and perhaps a former one, in the order in which its address names them.
/// Or the disk of nodes that share one.
///
/// Nodes are spared faults that they can't detect, and for which
/// [nothing is promised](../../../Docs/many-servers.md#what-is-not-promised): a node doesn't reach a former primary
/// before it has met the present one, and can't write to a promoted standby that lacks nothing that it has seen itself,
/// but something that others have.
///
/// Unchecked because a schedule runs on a single thread.
final class SimulatedDatabase: @unchecked Sendable {
    private(set) var servers: [DatabaseServer]
    private(set) var present: DatabaseServer
    /// Whether nothing can be written.
    var isFull = false
    /// Milliseconds since the schedule began.
    var now: UInt64 = 0
    /// Called with the writes, in order, as soon as others can see them, and with the node that made them and knows it.
    var onWrite: (([StoreWrite], [StoreOutcome], NodeStore?) -> Void)?
    /// Called before each step of a node's transaction.
    var onStep: ((NodeStore, CommitCourse.Step) -> Void)?
    /// Called with what must never happen.
    var onFault: ((Guarantee, String) -> Void)?
    /// Called with each occurrence that is counted.
    var onOccurrence: ((Occurrence) -> Void)?
    /// A standby that has what the primary had when it began to lag.
    private(set) var standby: DatabaseData?
    /// Draws the fate of everything sent. A schedule without troubles draws nothing.
    var random: SeededGenerator
    private var lastMark: UInt64 = 0
    /// When the schedule begins, in milliseconds since 1970.
    private static let start: Int64 = 1_800_000_000_000

    init(engine: MemoryStore, seed: UInt64) {
        random = SeededGenerator(seed: seed ^ 0xDA7A)
        present = DatabaseServer(number: 0, DatabaseData(engine: engine), takesWrites: true)
        servers = [present]
    }

    /// There is a second host, for a standby.
    func addHost() { servers.append(DatabaseServer(number: 1, present.data, takesWrites: false)) }

    var engine: MemoryStore { present.engine }
    /// As for `PostgresHostChoice`.
    var hosts: Int { servers.count > 1 ? servers.count : 0 }

    /// The time of day there, in milliseconds since 1970.
    func wall(of server: DatabaseServer) -> UInt64 { UInt64(Self.start + Int64(now) + server.leap) }

    // MARK: - Nodes

    /// - Parameter host: as for `PostgresHostChoice`.
    func server(for host: Int?, of node: NodeStore) throws(DatabaseError) -> DatabaseServer {
        let asked = host.map { [servers[$0]] } ?? servers
        guard let server = asked.first(where: { $0.isReachable && $0.takesWrites && !isHidden($0, from: node) }) else {
            throw .lost
        }
        return server
    }

    /// A node that hasn't met the present primary couldn't tell that this one is a former one, nor one that has seen
    /// less than others what a promoted standby lacks.
    func isHidden(_ server: DatabaseServer, from node: NodeStore) -> Bool {
        server === present ? node.isMute : node.newestTimeline ?? 0 <= server.engine.place.timeline
    }

    func nextMark() -> UInt64 {
        lastMark += 1
        return lastMark
    }

    /// Waits for those that have locked what a transaction needs.
    /// - Parameter clock: the node's time, in milliseconds, which goes on while it waits.
    func lock(_ log: StoreLog, on server: DatabaseServer, clock: inout UInt64) throws(DatabaseError) {
        let patience = CommitRetryPolicy()
        let (lock, silence) = (UInt64(patience.lockSeconds) * 1_000, UInt64(patience.silenceSeconds) * 1_000)
        for transaction in server.transactions where transaction.log == log {
            guard transaction.state != .committing else { continue }
            let end = transaction.since + silence
            guard end <= clock + lock else {
                onFault?(.convergent, "nobody can write, as a node is silent in a transaction")
                throw DatabaseError(kind: .refused, error: StoreError(.busy, "others keep the database locked"))
            }
            clock = max(clock, end)
            onOccurrence?(.silenceEnded)
        }
        // Writes that have arrived meanwhile have taken effect.
        complete(server) { $0.log == log && ($0.state == .committing || $0.state == .delayed && random.chance(50)) }
        server.transactions.removeAll { $0.log == log }
    }

    /// Makes a transaction's writes.
    /// - Returns: `nil` if it can't ever take effect.
    func commit(_ transaction: DatabaseTransaction, on server: DatabaseServer) throws(StoreError) -> [StoreOutcome]? {
        guard let outcomes = try server.commit(transaction, seed: lastMark) else { return nil }
        let (store, mark) = transaction.author
        if server === present { onWrite?(transaction.writes, outcomes, store.mark == mark ? store : nil) }
        return outcomes
    }

    /// Says what became of a mark, and claims it.
    /// - Returns: the outcomes of the commit; `nil` if it has not taken effect, and never will.
    func claim(_ mark: UInt64, on server: DatabaseServer) -> [StoreOutcome]? {
        complete(server) { $0.mark == mark && $0.state == .committing }
        if case .committed(let outcomes)? = server.data.marks[mark] { return outcomes }
        server.data.marks[mark] = .claimed
        return nil
    }

    /// Makes writes that come from no node.
    func write(_ writes: [StoreWrite]) throws(StoreError) {
        let outcomes = try engine.write(writes, now: wall(of: present))
        onWrite?(writes, outcomes, nil)
    }

    /// Somebody who isn't watched commits to a promoted standby: no node may show that, or go on from there.
    func useAgain(_ commits: Int, _ random: inout SeededGenerator) {
        for number in 0..<commits {
            let mutation = MutationID(
                client: [UInt8](repeating: 99, count: MutationID.clientLength), number: UInt64(number + 1),
                answeredThrough: 0)
            let change = MemberChange(
                collection: .favorites, subject: "film/\(90 + number)", effect: .set(value: []))
            let user = random.pick(["ana", "ben"]) ?? "ana"
            let writes: [StoreWrite] = [
                .catalogue(key: nil, changes: RandomChanges.commit(&random), mutation: nil),
                .member(user: user, change, mutation: mutation),
            ]
            _ = try? engine.write(writes, now: wall(of: present))
        }
    }

    // MARK: - Transactions that nobody hears of

    var hasDoubtful: Bool { !present.transactions.isEmpty }

    /// Transactions that nobody waits for any more take effect, if they can.
    func complete() { complete(present) { $0.state != .silent } }

    /// The database gives up on those that say nothing, and completes the others.
    func abandon() {
        complete(present) { $0.state == .committing }
        present.transactions = []
    }

    private func complete(_ server: DatabaseServer, where isComplete: (DatabaseTransaction) -> Bool) {
        guard server.isUp else { return }
        let done = server.transactions.filter(isComplete)
        server.transactions.removeAll { transaction in done.contains { $0.mark == transaction.mark } }
        for transaction in done { _ = try? commit(transaction, on: server) }
    }

    // MARK: - Operation

    /// A server's process ends.
    func crash(_ server: DatabaseServer) {
        guard server.isUp else { return }
        let hasLost = server.crash()
        guard server === present else { return }
        onOccurrence?(.databaseCrashed)
        if hasLost { onFault?(.exactlyOnce, "the database lost what it had confirmed, in a crash") }
    }

    /// The primary starts again, and recovers what was under way.
    func restart() {
        present.start()
        complete()
    }

    /// A standby begins to lag.
    func beginToLag(seed: UInt64) {
        standby = (try? MemoryStore(standbyOf: engine, seed: seed)).map {
            DatabaseData(engine: $0, marks: present.data.marks)
        }
    }

    /// Whether there is a standby, and a host for it.
    var canFailOver: Bool { standby != nil && servers.contains { $0 !== present && !$0.isFormer } }

    /// The standby is promoted. What had been the primary crashes, or only isn't reached for a while.
    func failOver(isCutOff: Bool) {
        guard let standby, let server = servers.first(where: { $0 !== present && !$0.isFormer }) else { return }
        if isCutOff { present.isCutOff = true } else { _ = present.crash() }
        present.isFormer = true
        self.standby = nil
        server.take(standby)
        server.promote()
        present = server
    }

    /// A former primary comes back.
    func returnFormer() {
        for server in servers where server.isFormer && !server.isReachable {
            onOccurrence?(.formerReturned)
            server.isCutOff = false
            server.start()
            complete(server) { $0.state == .committing }
        }
    }

    /// A former primary is stopped, and becomes a standby.
    func stopFormer() {
        for server in servers where server.isFormer {
            _ = server.crash()
            server.isFormer = false
            server.takesWrites = false
        }
    }

    var hasFormer: Bool { servers.contains { $0.isFormer } }

    /// Nothing is wrong any more.
    func repair() {
        isFull = false
        present.settings = DatabaseServer.durable
        stopFormer()
        if present.isUp { complete() } else { restart() }
        present.transactions = []
    }

    /// Replaces what the primary has, as after restoring a backup.
    func replace(by engine: MemoryStore) {
        stopFormer()
        present.take(DatabaseData(engine: engine))
        present.start()
        standby = nil
    }
}
