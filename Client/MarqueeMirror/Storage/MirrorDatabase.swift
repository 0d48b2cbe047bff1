import Foundation
import GRDB

/// Opens a mirror's database: checks it before use, and applies its settings.
enum MirrorDatabase {
    /// Creates a database in memory that lives as long as the queue.
    static func inMemory(newClientID: () -> [UInt8]) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(configuration: configuration(readonly: false))
        try create(queue, row: row(newClientID()), entries: [], rejections: [])
        return queue
    }

    /// Opens the existing database, or creates a new one. The amount read here doesn't grow with the stored views: most
    /// damage is found later, when it is read, or by a `StructureCheck`.
    ///
    /// - Throws: `foreignFile`; `corrupt`, having changed nothing; SQLite's errors.
    static func open(_ path: String, newClientID: () -> [UInt8]) throws -> DatabaseQueue {
        let queue = try connect(path, readonly: false)
        do {
            if try isUnmarked(queue, path) {
                try create(queue, row: row(newClientID()), entries: [], rejections: [])
            } else {
                try MirrorSchema.bringUpToDate(queue)
            }
            try checkOwnRows(queue)
            try makeDurable(queue)
            keepPrivate(path)
        } catch {
            try? queue.close()
            throw error
        }
        return queue
    }

    /// Creates a new database with the rescued content, complete in one file and closed.
    static func make(
        _ path: String, row: MirrorRow, entries: [OutboxEntry], inbox: [OutboxEntry],
        observations: [ObservationTable.StoredRow], rejections: [RejectedMutation], views: [RescuedView]
    ) throws {
        let queue = try connect(path, readonly: false)
        defer { try? queue.close() }
        try create(
            queue, row: row, entries: entries, inbox: inbox, observations: observations, rejections: rejections)
        for view in views { try queue.write { try view.store($0) } }
    }

    /// - Parameter copy: set to the copy that is read if the file can't be read in its own folder; keep it as long as
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
            try checkMark(queue, name)
        } catch {
            try? queue.close()
            throw error
        }
        return queue
    }

    /// - Throws: an error unless it is a mirror of this version.
    private static func checkMark(_ queue: DatabaseQueue, _ name: String) throws {
        guard try !isUnmarked(queue, name) else { throw unmade(name) }
        let version = try queue.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") }
        guard version == MirrorSchema.version else {
            throw MirrorError(
                .foreignFile,
                "\(name) is a mirror of an older version; the next client that uses it brings it up to date")
        }
    }

    /// Opens the existing database of an owner that may be running, to add to it. Additions are flushed with their
    /// transaction.
    static func openToAdd(_ path: String) throws -> DatabaseQueue {
        // Otherwise SQLite would create a file where there is none.
        guard case .candidate = try MirrorHeader.read(path) else { throw unmade(path) }
        let queue = try connect(path, readonly: false)
        do {
            try checkMark(queue, path)
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        } catch {
            try? queue.close()
            throw error
        }
        return queue
    }

    static func connect(_ path: String, readonly: Bool) throws -> DatabaseQueue {
        if !readonly { makePrivate(path) }
        return try DatabaseQueue(path: path, configuration: configuration(readonly: readonly))
    }

    /// Creates an empty file for a mirror if there is none. Only its owner may use it, whatever the umask. SQLite
    /// creates its other files with the same permissions. Failures are left to SQLite to report.
    private static func makePrivate(_ path: String) {
        // Closing a file that SQLite has open would release its locks, so an existing one is left alone.
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Revokes access by users other than the owner and the group to a mirror and SQLite's files beside it: older
    /// versions created them with the permissions that the umask gave.
    private static func keepPrivate(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            var status = stat()
            guard stat(path + suffix, &status) == 0, status.st_mode & 0o007 != 0 else { continue }
            _ = chmod(path + suffix, status.st_mode & 0o770)
        }
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
        // A malformed page is detected when it is first read, before any write relies on it.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cell_size_check = ON") }
        return configuration
    }

    /// - Returns: whether the database is empty and unmarked.
    /// - Throws: `foreignFile` when it belongs to another program or to a newer version of this one.
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
                .foreignFile,
                "\(path) is a version \(version) mirror; this program reads version \(MirrorSchema.version)")
        }
        return false
    }

    static func unmade(_ path: String) -> MirrorError {
        guard FileManager.default.fileExists(atPath: path) else {
            return MirrorError(.none, "there is no mirror at \(path)")
        }
        return MirrorError(
            .none,
            "there is no mirror in \(path) yet: it is empty, or its creation was interrupted; the next client that uses it creates it"
        )
    }

    static func foreign(_ path: String) -> String {
        "\(path) is another program's database; it was left untouched"
    }

    /// The mark and all tables appear together, in a transaction that includes the file's own header. That is why the
    /// write-ahead log is only turned on afterwards.
    private static func create(
        _ queue: DatabaseQueue, row: MirrorRow, entries: [OutboxEntry], inbox: [OutboxEntry] = [],
        observations: [ObservationTable.StoredRow] = [], rejections: [RejectedMutation]
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
            for entry in inbox { try InboxTable.insert(entry, db) }
            for row in observations { try ObservationTable.insert(row, db) }
            for rejection in rejections { try OutboxTable.insert(rejection, db) }
        }
    }

    /// Verifies the sums of all the client's own rows, and that every table can be read at all.
    private static func checkOwnRows(_ queue: DatabaseQueue) throws {
        try queue.read { db in
            _ = try MirrorRow.load(db)
            // At most `MirrorLimit.outboxEntries`, and `inboxEntries`.
            _ = try OutboxTable.all(db)
            _ = try InboxTable.all(db)
            // Only the first ones: there may be thousands.
            _ = try (ObservationTable.any(db), ObservationTable.firstNumber(db))
            for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
                _ = try Row.fetchOne(db, sql: "SELECT 1 FROM \(table.quotedDatabaseIdentifier) NOT INDEXED LIMIT 1")
            }
        }
    }

    /// Sets up the write-ahead log. A mutation must survive a power cut once it is stored (G7), and content must not
    /// survive without what was stored before it. The log ensures that, flushed as `Mirror.write` decides.
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
