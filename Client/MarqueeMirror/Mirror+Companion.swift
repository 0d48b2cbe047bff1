import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

/// A mirror shared by several processes, such as an app and its widget. One of them owns it. The others are companions:
/// they read everything, but write only changes of collections, into the inbox, from which the owner moves them to the
/// outbox. SQLite orders their transactions; none needs the others to be running.
extension Mirror {
    /// Opens a mirror as a companion of its owner, whether or not the owner is running. Nothing is created.
    ///
    /// - Throws: `none` when there is no mirror yet, or one that was never connected to a server; `busy`, `corrupt`,
    ///   `foreignFile`, `io`.
    package convenience init(besideOwnerAt path: String) throws(MirrorError) {
        guard FileIdentity(path) != nil else { throw MirrorDatabase.unmade(path) }
        let gate = try MirrorGate(.companion, of: path)
        defer { withExtendedLifetime(gate) {} }
        let file = FileIdentity(path)
        try self.init(readOnlyAt: path)
        guard identity.cluster != nil else {
            throw MirrorError(.none, "the mirror \(path) has never been connected; its owner must connect first")
        }
        guard let file, !isCopy else {
            throw MirrorError(.io, "the folder of \(path) can't be written to, so the mirror can't be shared")
        }
        companionFile = file
    }

    /// Whether the mirror was opened as a companion.
    package var isCompanion: Bool { companionFile != nil }

    /// Whether other processes may use the mirror at the same time: it has a file.
    package var isShared: Bool { isFile || isCompanion }

    /// Whether another process has changed the mirror since the last call; `true` for the first call. Costs no more
    /// than reading a number in shared memory.
    ///
    /// - Throws: for a companion: `none` when the mirror is gone; `belongsToOtherUser` and `belongsToOtherCluster`
    ///   when its user or cluster has changed, until it is opened again; `busy`, `corrupt`, `io`.
    package func hasChangedElsewhere() throws(MirrorError) -> Bool {
        let version = try read { try Int64.fetchOne($0, sql: "PRAGMA data_version") }
        guard version != dataVersion else { return false }
        if isCompanion { try reloadState() }
        dataVersion = version
        return true
    }

    /// Moves companions' changes into the outbox, in their order, as if they had been made here. They remain durable
    /// throughout. Changes for which the outbox has no room stay in the inbox.
    ///
    /// - Returns: the new entries.
    package func takeInbox() throws(MirrorError) -> [OutboxEntry] {
        do throws(MirrorError) {
            // Read first, because most changes by other processes are not in the inbox.
            guard try read({ try InboxTable.count($0) }) > 0 else { return [] }
            let (taken, left) = try write(.now) { db in
                let waiting = try InboxTable.all(db)
                var entries: [OutboxEntry] = []
                for request in waiting.prefix(max(0, MirrorLimit.outboxEntries - (try OutboxTable.count(db)))) {
                    entries.append(
                        try Mirror.setMember(
                            request.subject, of: request.collection, on: request.on, value: request.value,
                            at: request.createdAt, db))
                }
                return (entries, waiting.count - entries.count)
            }
            if left > 0 { dataVersion = nil }
            return taken
        } catch {
            // The next check tries again.
            dataVersion = nil
            throw error
        }
    }

    /// Stores a companion's change in the inbox; it survives a power cut once this returns. If another process is
    /// writing, waits for up to `MirrorLimit.busySeconds`.
    func addToInbox(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double
    ) throws(MirrorError) -> OutboxEntry {
        let gate = try MirrorGate(.companion, of: place)
        defer { withExtendedLifetime(gate) {} }
        let owner = identity
        do {
            _ = try opened()
            let queue = try MirrorDatabase.openToAdd(place)
            defer { try? queue.close() }
            let entry = try queue.writeWithoutTransaction { db in
                var entry: OutboxEntry?
                try db.inTransaction(.immediate) {
                    try Mirror.check(try MirrorRow.load(db).identity, isAs: owner, place)
                    entry = try InboxTable.add(
                        subject, of: collection, on: on, value: value, at: at, after: lastInboxNumber, db)
                    return .commit
                }
                return entry
            }
            guard let entry else { throw MirrorError(.io, "the transaction did not take place") }
            lastInboxNumber = entry.number
            return entry
        } catch { throw MirrorError(error, at: place) }
    }

    /// Reads the file now at the path, if it still belongs to the same user.
    func readAsCompanion<Value>(_ body: (Database) throws -> Value) throws(MirrorError) -> Value {
        try openAgainIfReplaced()
        let owner = identity
        return try readAsItIs { db in
            try Mirror.check(try MirrorRow.load(db).identity, isAs: owner, place)
            return try body(db)
        }
    }

    /// A companion shows and changes only data of the user that it was opened for.
    private static func check(
        _ found: MirrorIdentity, isAs owner: MirrorIdentity, _ place: String
    ) throws(MirrorError) {
        guard found.cluster.map(ExactString.init) == owner.cluster.map(ExactString.init) else {
            throw MirrorError(.belongsToOtherCluster, "the mirror \(place) now belongs to another cluster")
        }
        guard found.user.map(ExactString.init) == owner.user.map(ExactString.init) else {
            throw MirrorError(
                .belongsToOtherUser, "the user of the mirror \(place) has signed out, or has changed")
        }
    }

    /// Opens the file again if the owner has replaced it, for example after damage.
    private func openAgainIfReplaced() throws(MirrorError) {
        guard let found = FileIdentity(place) else { throw MirrorDatabase.unmade(place) }
        guard found != companionFile else { return }
        let gate = try MirrorGate(.companion, of: place)
        defer { withExtendedLifetime(gate) {} }
        guard let file = FileIdentity(place) else { throw MirrorDatabase.unmade(place) }
        try openAgain()
        companionFile = file
        dataVersion = nil
    }
}
