import GRDB
import MarqueeDiff
package import MarqueeModel

/// The client's persistent store: stored views, the outbox, and who the client is.
///
/// It is used from one thread, the client's event loop, and every call blocks until it is done. All that is kept in
/// memory are the client's own few values; views are read from their bytes each time, and callers keep what they
/// read. A call that threw has no effect. The effect of one that returned outlives the process; that of `commit`,
/// `note` and `rewrite` outlives a power cut only once something else was written or `sync` was called, see
/// `durable`.
package final class Mirror {
    /// What a corrupt file that was found at opening was replaced by; `nil` when it was in order.
    package let recovery: MirrorRecovery?
    /// The path, or `(in memory)`, for messages.
    let place: String

    private var queue: DatabaseQueue?
    private var lock: MirrorLock?
    /// What is read in place of a file that can't be read where it lies.
    private var copy: MirrorCopy?
    private var state: State
    /// The newest position that would survive a power cut now; `nil` before there is one.
    package private(set) var durable: Cut?
    private var synchronous: Durability?

    /// When what is written has to survive a power cut.
    enum Durability {
        /// Before the call returns: it was promised to a person or to the server.
        case now
        /// With the next write that has to. It can be fetched again; what is written keeps its order.
        case later
    }

    /// What callers ask for often; as stored.
    private struct State {
        var row: MirrorRow
        var answeredThrough: UInt64

        init(_ db: Database) throws {
            row = try MirrorRow.load(db)
            answeredThrough = try OutboxTable.answeredThrough(db, lastNumber: row.lastNumber)
        }
    }

    /// Opens the mirror, or makes a new one. A corrupt file is set aside first, see `recovery`.
    ///
    /// - Parameter newClientID: gives the 16 random bytes of a new mirror's client id.
    /// - Throws: `ownedByOther` when it is open elsewhere; `foreignFile` for another program's database, which is left
    ///   as it is; `diskFull`; `io`.
    package init(location: MirrorLocation, newClientID: () -> [UInt8]) throws(MirrorError) {
        switch location {
        case .memory: place = "(in memory)"
        case .file(let path): place = path
        }
        do {
            let queue: DatabaseQueue
            switch location {
            case .memory:
                queue = try MirrorDatabase.inMemory(newClientID: newClientID)
                recovery = nil
            case .file(let path):
                let file = try MirrorFile(path: path, newClientID: newClientID)
                queue = file.queue
                lock = file.lock
                recovery = file.recovery
            }
            state = try queue.read { try State($0) }
            self.queue = queue
            durable = state.row.seen
        } catch {
            throw MirrorError(error, at: place)
        }
    }

    /// Opens the mirror of a process that may be running, to look at it: it takes no ownership and can't write.
    ///
    /// - Throws: `corrupt`, having changed nothing; `foreignFile`; `io`, also when there is no file.
    package init(readOnlyAt path: String) throws(MirrorError) {
        place = path
        recovery = nil
        do {
            switch try MirrorHeader.read(path) {
            case .absent: throw MirrorDatabase.unmade(path)
            case .foreign: throw MirrorError(.foreignFile, MirrorDatabase.foreign(path))
            case .unreadable: throw MirrorError(.corrupt, "\(path) is no SQLite database")
            case .candidate: break
            }
            let queue = try MirrorDatabase.openReadOnly(path, copy: &copy)
            state = try queue.read { try State($0) }
            self.queue = queue
        } catch {
            throw MirrorError(error, at: path)
        }
    }

    deinit {
        // The connection first, then the ownership.
        queue = nil
        lock = nil
    }

    /// Whose mirror it is.
    package var identity: MirrorIdentity { state.row.identity }

    /// The newest position that a commit stored; within an epoch it never goes back (G1).
    package var seen: Cut? { state.row.seen }

    /// As much of `seen` as cuts have brought: what was shown and stored came with them. The rest was claimed by a
    /// welcome or by progress.
    package var proven: Cut? { state.row.proven }

    /// Every mutation up to this number was answered or will never be sent: the server may forget its answers.
    package var answeredThrough: UInt64 { state.answeredThrough }

    /// The highest number that a mutation got so far; 0 before the first.
    package var lastNumber: UInt64 { state.row.lastNumber }

    /// The highest number whose answer was noted under this client id; 0 before the first. A server that does not
    /// know it has forgotten this client.
    package var lastAnswered: UInt64 { state.row.lastAnswered }

    /// Says whose mirror it is, the first time; compares from then on.
    ///
    /// - Throws: `belongsToOther` when it was bound to another cluster or user.
    package func bind(cluster: String, user: String?) throws(MirrorError) {
        guard let bound = identity.cluster else {
            return try write(.now) { db in
                var row = try MirrorRow.load(db)
                row.identity.cluster = cluster
                row.identity.user = user
                try row.storeWithOwner(db)
            }
        }
        let isSameUser = identity.user.map(ExactString.init) == user.map(ExactString.init)
        guard bound.hasSameBytes(as: cluster), isSameUser else {
            let owner = identity.user.map { "user \($0)" } ?? "no user"
            throw MirrorError(
                .belongsToOther, "the mirror \(place) belongs to \(owner) at cluster \(bound); use another one")
        }
    }

    static func storeClientID(_ id: [UInt8], _ db: Database) throws {
        var row = try MirrorRow.load(db)
        row.identity.clientID = try MirrorDatabase.row(id).identity.clientID
        // Under it nothing was answered yet.
        row.lastAnswered = 0
        try row.storeWithOwner(db)
    }

    /// Ends the use of the file and its ownership. Every call afterwards throws `closed`.
    package func close() {
        // It can only fail for statements in use, and none outlives its call.
        try? queue?.close()
        queue = nil
        lock = nil
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(MirrorError) -> Value {
        do { return try opened().read(body) } catch { throw MirrorError(error, at: place) }
    }

    /// Runs `body` in one transaction; the values in memory follow only when it is committed.
    ///
    /// All writes go to one log, in order, and flushing it flushes all of them: a row of the outbox can't survive a
    /// power cut without the content that was stored before it.
    func write<Value>(_ durability: Durability, _ body: (Database) throws -> Value) throws(MirrorError) -> Value {
        do {
            var result: (value: Value, state: State, isChange: Bool)?
            try opened().writeWithoutTransaction { db in
                if synchronous != durability {
                    // Takes effect outside of a transaction only.
                    try db.execute(sql: "PRAGMA synchronous = \(durability == .now ? "FULL" : "NORMAL")")
                    synchronous = durability
                }
                try db.inTransaction(.immediate) {
                    let changes = db.totalChangesCount
                    let value = try body(db)
                    result = (value, try State(db), db.totalChangesCount > changes)
                    return .commit
                }
            }
            guard let result else { throw MirrorError(.io, "the transaction did not take place") }
            state = result.state
            // Where nothing changed nothing was flushed. Memory has no later.
            if lock == nil || durability == .now && result.isChange { durable = state.row.seen }
            return result.value
        } catch { throw MirrorError(error, at: place) }
    }

    /// Makes everything that was written survive a power cut.
    package func sync() throws(MirrorError) {
        guard durable != state.row.seen else { return }
        do {
            try opened().writeWithoutTransaction { db in
                // Flushes the log first, whatever it can move to the database then.
                try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
            }
            durable = state.row.seen
        } catch { throw MirrorError(error, at: place) }
    }

    /// The connection.
    func opened() throws(MirrorError) -> DatabaseQueue {
        guard let queue else { throw MirrorError(.closed, "the mirror \(place) was closed") }
        return queue
    }
}
