import Foundation
import GRDB
import MarqueeDiff
package import MarqueeModel

/// The client's persistent store: stored views, the outbox, and the client's identity.
///
/// It is used from one thread, the client's event loop, and every call blocks until it is done. Only the client's few
/// own values are kept in memory; views are read from their bytes each time, and callers keep them. A call that throws
/// has no effect. The effect of one that returns survives the process; the effect of `commit`, `note` and `rewrite`
/// survives a power cut only after a later durable write or `sync`; see `durable`.
package final class Mirror {
    /// The recovery from a corrupt file, at opening or since; `nil` if there was none.
    package private(set) var recovery: MirrorRecovery?
    /// The path, or `(in memory)`, for messages.
    let place: String

    private var queue: DatabaseQueue?
    private var lock: MirrorLock?
    /// A copy that is read when the file can't be read in its own folder.
    private var copy: MirrorCopy?
    private var state: State
    /// The newest position that would survive a power cut now; `nil` before there is one.
    package private(set) var durable: Cut?
    private var synchronous: Durability?
    private var check: StructureCheck?
    private var whenRecovered: ((MirrorRecovery) -> Void)?
    /// Recoveries attempted since opening, and calls that met damage since the last of them.
    private var (recoveries, failures) = (0, 0)
    private var isClosed = false
    private var isSuspended = false

    /// When a write is flushed to survive a power cut.
    enum Durability {
        /// Before the call returns: it was promised to a person or to the server.
        case now
        /// With the next durable write. The data can be fetched again, and writes keep their order.
        case later
    }

    // State that matters only if other processes use the mirror.
    /// The file that a companion has opened; `nil` for an owner.
    var companionFile: FileIdentity?
    /// SQLite's count of changes by other connections, at the last check.
    var dataVersion: Int64?
    /// The highest number given to a change in the inbox by this companion.
    var lastInboxNumber: UInt64 = 0

    /// Values that callers often need, as stored.
    private struct State {
        var row: MirrorRow
        var answeredThrough: UInt64

        init(_ db: Database) throws {
            row = try MirrorRow.load(db)
            answeredThrough = try OutboxTable.answeredThrough(db, lastNumber: row.lastNumber)
        }
    }

    /// Opens the mirror, or creates a new one. A corrupt file is set aside first, including one that was found to be
    /// corrupt when it was last used; see `recovery`.
    ///
    /// The amount read here doesn't grow with the stored views. Damage elsewhere is found when it is read, or by
    /// `checkStructure`.
    ///
    /// - Parameter newClientID: returns the 16 random bytes of a new mirror's client id.
    /// - Throws: `ownedByOther` when it is open elsewhere; `foreignFile` for another program's database, which is left
    ///   untouched; `diskFull`; `io`.
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

    /// Opens a mirror read-only and without taking ownership; its owner may be running.
    ///
    /// - Throws: `corrupt`, having changed nothing; `foreignFile`; `io`, also when there is no file.
    package init(readOnlyAt path: String) throws(MirrorError) {
        place = path
        recovery = nil
        do {
            switch try MirrorHeader.read(path) {
            case .absent: throw MirrorDatabase.unmade(path)
            case .foreign: throw MirrorError(.foreignFile, MirrorDatabase.foreign(path))
            case .unreadable: throw MirrorError(.corrupt, "\(path) is not an SQLite database")
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
        check?.cancel()
        // Close the connection first, then release the ownership.
        queue = nil
        lock = nil
    }

    /// The mirror's owner.
    package var identity: MirrorIdentity { state.row.identity }

    /// The newest position that a commit stored; within an epoch it never goes back (G1).
    package var seen: Cut? { state.row.seen }

    /// The part of `seen` that cuts have delivered together with the content stored and shown. The rest was claimed by
    /// a welcome or by progress.
    package var proven: Cut? { state.row.proven }

    /// Every mutation up to this number was answered or will never be sent: the server may forget its answers.
    package var answeredThrough: UInt64 { state.answeredThrough }

    /// The highest number given to a mutation so far; 0 before the first.
    package var lastNumber: UInt64 { state.row.lastNumber }

    /// The highest number whose answer was recorded under this client id; 0 before the first. A server that doesn't
    /// know it has forgotten this client.
    package var lastAnswered: UInt64 { state.row.lastAnswered }

    /// Records the mirror's owner the first time, and checks it from then on.
    ///
    /// - Throws: `belongsToOtherCluster` or `belongsToOtherUser` when the mirror is bound to another cluster or user.
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
        let isSameCluster = bound.hasSameBytes(as: cluster)
        guard isSameCluster, isSameUser else {
            let owner = identity.user.map { "user \($0)" } ?? "no user"
            throw MirrorError(
                isSameCluster ? .belongsToOtherUser : .belongsToOtherCluster,
                "the mirror \(place) belongs to \(owner) at cluster \(bound); use another one")
        }
    }

    static func storeClientID(_ id: [UInt8], _ db: Database) throws {
        var row = try MirrorRow.load(db)
        row.identity.clientID = try MirrorDatabase.row(id).identity.clientID
        // Nothing was answered under the new id yet.
        row.lastAnswered = 0
        try row.storeWithOwner(db)
    }

    /// Closes the file and releases its ownership. Every later call throws `closed`.
    package func close() {
        isClosed = true
        check?.cancel()
        check = nil
        whenRecovered = nil
        // Closing fails only while statements are in use, and none outlives its call.
        try? queue?.close()
        queue = nil
        lock = nil
    }

    /// Closes the file and releases its ownership and all locks until `resume`. Until then, every call throws
    /// `suspended`. A mirror in memory holds nothing and stays as it is.
    package func suspend() {
        guard lock != nil else { return }
        isSuspended = true
        // A completed check need not read the whole file again.
        if check?.isOver == false {
            check?.cancel()
            check = nil
        }
        try? queue?.close()
        queue = nil
        lock = nil
    }

    /// Opens the file again, as it is now: another process may have owned it in between.
    ///
    /// - Parameter newClientID: as for the initialiser, in case the file is gone.
    /// - Throws: the same errors as the initialiser; the mirror stays suspended then.
    package func resume(newClientID: () -> [UInt8]) throws(MirrorError) {
        guard isSuspended, !isClosed else { return }
        do {
            let file = try MirrorFile(path: place, newClientID: newClientID)
            state = try file.queue.read { try State($0) }
            (queue, lock, recovery) = (file.queue, file.lock, file.recovery)
        } catch {
            throw MirrorError(error, at: place)
        }
        synchronous = nil
        durable = state.row.seen
        isSuspended = false
    }

    /// Whether this mirror has a file and owns it.
    var isFile: Bool { lock != nil }

    /// Whether a copy is read, because the file can't be read in its own folder.
    var isCopy: Bool { copy != nil }

    /// Opens the file now at the path, for reading.
    func openAgain() throws(MirrorError) {
        _ = try opened()
        let fresh: DatabaseQueue
        do { fresh = try MirrorDatabase.openReadOnly(place, copy: &copy) } catch { throw MirrorError(error, at: place) }
        try? queue?.close()
        queue = fresh
    }

    /// Reads the values in memory again, because another process may have changed them.
    func reloadState() throws(MirrorError) { state = try read { try State($0) } }

    /// Closes the file and deletes it, with the copies beside it. Only the lock file stays.
    package func erase() throws(MirrorError) {
        isClosed = true
        check?.cancel()
        check = nil
        whenRecovered = nil
        try? queue?.close()
        queue = nil
        // Deleted while it is owned, so that a new owner's file can't be deleted.
        defer { lock = nil }
        guard isFile else { return }
        let gate = try MirrorGate(.owner, of: place)
        defer { withExtendedLifetime(gate) {} }
        try MirrorFile.removeAll(place)
    }

    /// Deletes the mirror at a path, whoever it belongs to.
    ///
    /// - Throws: `ownedByOther` while it is open; `foreignFile` for any file that isn't a mirror, which is left
    ///   untouched; `io`.
    package static func erase(at path: String) throws(MirrorError) {
        let files = FileManager.default
        let wasMirror = files.fileExists(atPath: path + MirrorFile.lockSuffix)
        switch try MirrorHeader.read(path) {
        case .absent where !wasMirror: return
        case .foreign: throw MirrorError(.foreignFile, MirrorDatabase.foreign(path))
        case .unreadable where !wasMirror:
            throw MirrorError(.foreignFile, "\(path) is not a mirror but some other file; it was left untouched")
        case .absent, .candidate, .unreadable: break
        }
        let lock = try MirrorLock(path: path + MirrorFile.lockSuffix, guarding: path)
        let gate = try MirrorGate(.owner, of: path)
        defer { withExtendedLifetime((lock, gate)) {} }
        try MirrorFile.removeAll(path)
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(MirrorError) -> Value {
        if isCompanion { return try readAsCompanion(body) }
        return try recovering { () throws(MirrorError) in try readAsItIs(body) }
    }

    /// Reads without recovering the file if it proves to be corrupt.
    func readAsItIs<Value>(_ body: (Database) throws -> Value) throws(MirrorError) -> Value {
        do {
            // A queue's own `read` switches `query_only` on and off, after which SQLite compiles all statements again.
            return try opened().writeWithoutTransaction { db in try db.committing(.deferred) { try body(db) } }
        } catch { throw MirrorError(error, at: place) }
    }

    /// Runs `body` in one transaction; the values in memory change only once it is committed.
    ///
    /// All writes go to one log, in order, and flushing it flushes all of them: an outbox row can't survive a power cut
    /// without the content stored before it.
    func write<Value>(_ durability: Durability, _ body: (Database) throws -> Value) throws(MirrorError) -> Value {
        try recovering { () throws(MirrorError) in try writeAsItIs(durability, body) }
    }

    private func writeAsItIs<Value>(
        _ durability: Durability, _ body: (Database) throws -> Value
    ) throws(MirrorError) -> Value {
        do {
            let result = try opened().writeWithoutTransaction { db in
                if synchronous != durability {
                    // Only takes effect outside a transaction.
                    try db.execute(sql: "PRAGMA synchronous = \(durability == .now ? "FULL" : "NORMAL")")
                    synchronous = durability
                }
                return try db.committing(.immediate) {
                    let changes = db.totalChangesCount
                    let value = try body(db)
                    return (value: value, state: try State(db), isChange: db.totalChangesCount > changes)
                }
            }
            state = result.state
            // If nothing changed, nothing was flushed. A mirror in memory can't be more durable.
            if lock == nil || durability == .now && result.isChange { durable = state.row.seen }
            return result.value
        } catch { throw MirrorError(error, at: place) }
    }

    /// Makes everything written so far survive a power cut.
    package func sync() throws(MirrorError) {
        guard durable != state.row.seen else { return }
        try recovering { () throws(MirrorError) in
            do {
                try opened().writeWithoutTransaction { db in
                    // Flushes the log first, however much of it can then be moved to the database.
                    try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
                }
            } catch { throw MirrorError(error, at: place) }
        }
        durable = state.row.seen
    }

    /// Returns the open connection.
    func opened() throws(MirrorError) -> DatabaseQueue {
        guard let queue else {
            if isSuspended, !isClosed { throw MirrorError(.suspended, "the mirror \(place) is suspended") }
            throw isClosed
                ? MirrorError(.closed, "the mirror \(place) was closed")
                : MirrorError(.io, "the mirror \(place) could not be opened again after it was recovered")
        }
        return queue
    }

    // MARK: - Damage

    /// Calls back after each recovery of a file in use, on the mirror's thread and within the call that met the damage.
    /// Some stored content may be lost, but the client's few own values are complete: they are kept in memory.
    package func whenRecovered(_ handler: @escaping (MirrorRecovery) -> Void) { whenRecovered = handler }

    /// Starts checking the file's structure on another thread, once per opening. It reads the whole file, and nothing
    /// waits for it.
    ///
    /// - Parameter found: called once on another thread if the file is damaged; it should then call `recover`. In any
    ///   case the file is recovered at the next opening.
    package func checkStructure(_ found: @escaping @Sendable (MirrorError) -> Void) {
        // Only an owner can recover a file, and a mirror in memory has no structure to check.
        guard lock != nil, check == nil else { return }
        check = StructureCheck(place, found: found)
    }

    /// Replaces the file with a new one holding everything that can still be read, and sets the old one aside; see
    /// `recovery`. Takes as long as reading and writing everything stored.
    ///
    /// - Throws: `diskFull`, `io`, and `corrupt` when the last recovery was recent; the file is unchanged then.
    package func recover(because problem: MirrorError) throws(MirrorError) {
        failures += 1
        guard lock != nil, failures >= min(1 << min(recoveries, 32), MirrorLimit.failuresBetweenRecoveries) else {
            throw problem
        }
        failures = 0
        recoveries += 1
        check?.cancel()
        SuspectMark(place).set(problem.message)
        do {
            let gate = try MirrorGate(.owner, of: place)
            defer { withExtendedLifetime(gate) {} }
            let rescued = Rescued(place, known: state.row)
            let (fresh, recovery) = try MirrorFile.startAnew(place, because: problem, with: rescued) {
                try? queue?.close()
                queue = nil
            }
            queue = fresh
            synchronous = nil
            state = try fresh.read { try State($0) }
            durable = state.row.seen
            self.recovery = recovery
            whenRecovered?(recovery)
        } catch {
            if queue == nil { queue = try? MirrorDatabase.open(place) { [identity] in identity.clientID } }
            throw MirrorError(error, at: place)
        }
    }

    /// Runs `body`, which uses the file. If it meets damage, the file is recovered and `body` runs once more.
    private func recovering<Value>(_ body: () throws(MirrorError) -> Value) throws(MirrorError) -> Value {
        do {
            return try body()
        } catch {
            guard error.code == .corrupt, lock != nil else { throw error }
            try recover(because: error)
            return try body()
        }
    }
}
