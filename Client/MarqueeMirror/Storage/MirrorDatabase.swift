import Foundation
import GRDB

/// Opening a mirror's database: the checks before it is used, and its settings.
enum MirrorDatabase {
    /// A new one that is gone with the queue.
    static func inMemory(newClientID: () -> [UInt8]) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(configuration: configuration(readonly: false))
        try create(queue, row: row(newClientID()), entries: [], rejections: [])
        return queue
    }

    /// Opens what is there, or makes a new one.
    ///
    /// - Throws: `foreignFile`; `corrupt`, having changed nothing; what SQLite throws.
    static func open(_ path: String, newClientID: () -> [UInt8]) throws -> DatabaseQueue {
        let queue = try connect(path, readonly: false)
        do {
            if try isUnmarked(queue, path) {
                try create(queue, row: row(newClientID()), entries: [], rejections: [])
            } else {
                try MirrorSchema.bringUpToDate(queue)
            }
            try checkStructure(queue)
            try makeDurable(queue)
        } catch {
            try? queue.close()
            throw error
        }
        return queue
    }

    /// Makes a new one that holds what was rescued, complete in one file and closed.
    static func make(
        _ path: String, row: MirrorRow, entries: [OutboxEntry], rejections: [RejectedMutation], views: [RescuedView]
    ) throws {
        let queue = try connect(path, readonly: false)
        defer { try? queue.close() }
        try create(queue, row: row, entries: entries, rejections: rejections)
        for view in views { try queue.write { try view.store($0) } }
    }

    /// - Parameter copy: what is read instead, where the file can't be read in its own folder; to be kept as long as
    ///   the queue.
    static func openReadOnly(_ path: String, copy: inout MirrorCopy?) throws -> DatabaseQueue {
        do {
            return try openMarked(path, as: path)
        } catch let error as DatabaseError where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) {
            let made = try MirrorCopy(of: path)
            copy = made
            return try openMarked(made.path, as: path)
        }
    }

    private static func openMarked(_ path: String, as name: String) throws -> DatabaseQueue {
        let queue = try connect(path, readonly: true)
        do {
            guard try !isUnmarked(queue, name) else {
                throw unmade(name)
            }
            let version = try queue.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") }
            guard version == MirrorSchema.version else {
                throw MirrorError(
                    .foreignFile,
                    "\(name) is a mirror of an older version; the next client that uses it brings it up to date")
            }
        } catch {
            try? queue.close()
            throw error
        }
        return queue
    }

    static func connect(_ path: String, readonly: Bool) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration(readonly: readonly))
    }

    static func row(_ clientID: [UInt8]) throws -> MirrorRow {
        guard clientID.count == MirrorLimit.clientIDBytes else {
            throw MirrorError(.limit, "a client id has \(MirrorLimit.clientIDBytes) bytes, not \(clientID.count)")
        }
        return MirrorRow(
            identity: MirrorIdentity(cluster: nil, user: nil, clientID: clientID), lastNumber: 0, seen: nil)
    }

    private static func configuration(readonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(MirrorLimit.busySeconds)
        configuration.label = "mirror"
        return configuration
    }

    /// - Returns: Whether the database is empty and unmarked.
    /// - Throws: `foreignFile` when it is another program's or a newer version's.
    private static func isUnmarked(_ queue: DatabaseQueue, _ path: String) throws -> Bool {
        let (id, version, tables) = try queue.read { db in
            (
                try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
                try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            )
        }
        if id == 0, tables == 0 { return true }
        guard id == MirrorSchema.applicationID else {
            throw MirrorError(.foreignFile, foreign(path))
        }
        guard (1...MirrorSchema.version).contains(version) else {
            throw MirrorError(
                .foreignFile, "\(path) is a mirror of version \(version); this program reads \(MirrorSchema.version)")
        }
        return false
    }

    static func unmade(_ path: String) -> MirrorError {
        guard FileManager.default.fileExists(atPath: path) else {
            return MirrorError(.none, "there is no mirror at \(path)")
        }
        return MirrorError(
            .none,
            "there is no mirror in \(path) yet: it is empty, or making it was cut off; the next client that uses it makes one"
        )
    }

    static func foreign(_ path: String) -> String {
        "\(path) is a database of another program; it was left as it is"
    }

    /// The mark and all tables appear together, in a transaction that the file's own header takes part in: that is why
    /// the write-ahead log comes after.
    private static func create(
        _ queue: DatabaseQueue, row: MirrorRow, entries: [OutboxEntry], rejections: [RejectedMutation]
    ) throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    PRAGMA application_id = \(MirrorSchema.applicationID);
                    PRAGMA user_version = \(MirrorSchema.version);
                    """)
            try db.execute(sql: MirrorSchema.tables)
            try row.storeWithOwner(db)
            for entry in entries { try OutboxTable.insert(entry, db) }
            for rejection in rejections { try OutboxTable.insert(rejection, db) }
        }
    }

    /// Looks for damage of the file itself. Damage within stored content is found by sums, when it is read.
    static func checkStructure(_ queue: DatabaseQueue) throws {
        try queue.read { db in
            // The whole check, with what indices say: by one that rotted a row is not found, and stored twice.
            let found = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "no answer"
            guard found == "ok" else { throw MirrorError(.corrupt, "the mirror is damaged: \(found)") }
            _ = try MirrorRow.load(db)
            _ = try OutboxTable.all(db)
        }
    }

    /// A mutation is promised to survive a power cut once it is stored (G7), and content not to appear without what
    /// was stored before it: that is what a write-ahead log gives, flushed when `Mirror.write` says so.
    private static func makeDurable(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            try db.execute(
                sql: "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = \(MirrorSchema.journalBytes)")
            let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
            guard mode == "wal", synchronous == MirrorSchema.synchronousFull else {
                throw MirrorError(
                    .io, "SQLite would not keep the mirror durable: \(mode ?? "?"), synchronous \(synchronous ?? -1)")
            }
        }
    }
}
