import MarqueeStore

/// Why something with a simulated database didn't work.
struct DatabaseError: Error {
    var kind: CommitCourse.Failure
    var error: StoreError

    static let lost = DatabaseError(kind: .lost, error: StoreError(.io, "the simulated connection was lost"))
}

/// A connection of a node to one server.
final class DatabaseConnection {
    let server: DatabaseServer
    let place: HistoryPlace
    /// The `synchronous_commit` that its transactions set; `nil` for the server's.
    let level: String?
    /// The server's process that it was made to.
    private let life: Int
    var isEnded = false

    init(_ server: DatabaseServer, level: String?) {
        self.server = server
        self.level = level
        place = server.engine.place
        life = server.life
    }

    /// Whether its transactions are flushed to the disk before they are confirmed.
    var isFlushing: Bool { settings.allSatisfy { $0 == "on" } }

    /// The settings that its transactions have.
    var settings: [String] { server.settings.dropLast() + [level ?? server.settings.last ?? ""] }

    /// Whether the server hears what is sent.
    var isAlive: Bool { !isEnded && server.isReachable && server.life == life }
}

/// A transaction whose node doesn't hear of it any more.
struct DatabaseTransaction {
    enum State {
        /// It is durable here, and waits for a standby: nobody sees it yet.
        case committing
        /// Its COMMIT is on its way.
        case delayed
        /// Its node has stopped, or is cut off.
        case silent
    }

    var state: State
    let mark: UInt64
    let writes: [StoreWrite]
    /// Whether it is flushed to the disk before it is confirmed.
    let isFlushed: Bool
    /// The time by which ages are counted.
    let age: UInt64
    /// Milliseconds.
    let since: UInt64
    /// The node, with the mark that its moves have.
    let author: (store: NodeStore, mark: Int)

    var log: StoreLog? { writes.first?.log }
}

/// The data of a server that outlives its process.
struct DatabaseData {
    var engine: MemoryStore
    /// The outcomes of the commits that were marked.
    var marks: [UInt64: Mark] = [:]

    enum Mark {
        case committed([StoreOutcome])
        case claimed
    }
}

/// One server of a simulated database.
final class DatabaseServer {
    let number: Int
    var data: DatabaseData
    /// Whether its process runs.
    private(set) var isUp = true
    /// Whether nobody reaches it, though its connections last.
    var isCutOff = false
    /// Whether it takes writes; a standby doesn't.
    var takesWrites: Bool
    /// Whether it was the primary, and another one has been promoted since.
    var isFormer = false
    /// Of `CommitDurability.settings`.
    var settings = durable
    /// Milliseconds by which its clock is wrong.
    var leap: Int64 = 0
    /// The data that a crash leaves; `nil` where that is everything.
    private var flushed: DatabaseData?
    var transactions: [DatabaseTransaction] = []
    /// Rises with each start.
    private(set) var life = 0

    static let durable = CommitDurability.settings.map { _ in "on" }

    init(number: Int, _ data: DatabaseData, takesWrites: Bool) {
        self.number = number
        self.data = data
        self.takesWrites = takesWrites
    }

    var engine: MemoryStore { data.engine }
    var isReachable: Bool { isUp && !isCutOff }

    /// Replaces its content.
    func take(_ data: DatabaseData) {
        self.data = data
        flushed = nil
        transactions = []
    }

    /// The process ends. Flushed writes stay, and transactions that only wait for a standby.
    /// - Returns: whether commits are lost.
    func crash() -> Bool {
        isUp = false
        isCutOff = false
        life += 1
        transactions.removeAll { $0.state != .committing }
        guard let flushed else { return false }
        take(flushed)
        return true
    }

    func start() { isUp = true }

    /// A standby becomes the primary.
    func promote() {
        (isUp, isCutOff, takesWrites) = (true, false, true)
        settings = Self.durable
        life += 1
    }

    /// Makes a transaction's writes, unless its mark was claimed.
    /// - Parameter seed: for what would be left after a crash.
    /// - Returns: `nil` if it was.
    func commit(
        _ transaction: DatabaseTransaction, seed: UInt64
    ) throws(StoreError) -> [StoreOutcome]? {
        if data.marks[transaction.mark] != nil { return nil }
        if !transaction.isFlushed, flushed == nil {
            flushed = DatabaseData(engine: try MemoryStore(crashed: engine, seed: seed), marks: data.marks)
        }
        let outcomes = try engine.write(transaction.writes, now: transaction.age)
        data.marks[transaction.mark] = .committed(outcomes)
        // A flush takes earlier writes along.
        if transaction.isFlushed { flushed = nil }
        return outcomes
    }
}
