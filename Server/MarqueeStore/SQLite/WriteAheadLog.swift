import Foundation
import GRDB

/// SQLite's write-ahead log: the file beside a store file that holds its newest commits until SQLite moves them there.
///
/// If the log is missing, SQLite assumes that all commits were moved, so a folder that was copied without it would pass
/// for a sound one that is older. Therefore the first commit after a store file is opened notes in it that there is a
/// log, and the last one before it is closed notes that there is none. If another program opened the store file after a
/// crash, it may have moved the commits and removed the log: the stamp in `NewestCommits` shows whether it did.
struct WriteAheadLog {
    private enum Use {
        static let open = "open"
        static let closed = "closed"
    }

    let log: StoreLog
    /// The store file.
    let path: String
    /// Whether there was a log before the store file was opened: opening it creates an empty one.
    private let wasThere: Bool

    /// Must be created before the store file is opened.
    init(_ log: StoreLog, in folder: String) {
        self.log = log
        path = log.path(in: folder)
        wasThere = FileSystem.exists("\(path)-wal")
    }

    private var file: String { "\(path)-wal" }
    /// The log's size; `nil` if there is none.
    var bytes: Int? { FileSystem.status(of: file).map { Int(clamping: $0.bytes) } }

    /// Checks that the log wasn't missing when the store file was opened.
    /// - Parameter database: the connection's name for the file.
    /// - Throws: `corrupt` if there should have been one.
    func check(_ db: Database, as database: String = "main") throws {
        if wasThere { return }
        let use = try String.fetchOne(
            db, sql: "SELECT value FROM \(database).meta WHERE name = ?", arguments: [StoreSchema.Meta.use])
        guard use == Use.open else { return }
        if let newest = NewestCommits.stamp(of: log, in: FileSystem.folder(of: path)),
            try Int64.fetchOne(db, sql: log.stamp(in: database)) ?? 0 >= newest
        {
            return
        }
        // The connection has created an empty log, which would be taken for the missing one next time.
        unlink(file)
        unlink("\(path)-shm")
        throw StoreError(
            .corrupt,
            "\(path) lacks its newest commits: they are in \(file), which isn't there. Put that file back from where "
                + "this one was copied, or restore a backup; 'marquee-server epoch new --data' does without them")
    }

    /// Notes that the file's commits are in the log from now on. A full disk is ignored.
    func begin(_ pool: DatabasePool) throws { try note(Use.open, pool) }

    /// Moves all commits into the store file, including a last one, which notes that there is no log. Pages that can't
    /// be moved now, because a reader still needs them, are moved when the store is next opened; the log stays until
    /// then.
    func end(_ pool: DatabasePool) throws {
        // On a full disk, this may make the room that the last commit needs.
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try note(Use.closed, pool)
    }

    /// Notes in a file that it has no log.
    static func noteClosed(_ tables: TableWriter) throws {
        try StoreTables.meta.put([.text(StoreSchema.Meta.use)], [.text(Use.closed)], in: tables)
    }

    private func note(_ use: String, _ pool: DatabasePool) throws {
        do {
            try pool.writeWithoutTransaction { db in
                guard try StoreQueries.meta(StoreSchema.Meta.use, TableReader(db)) != use else { return }
                try db.writing { tables in
                    try StoreTables.meta.put([.text(StoreSchema.Meta.use)], [.text(use)], in: tables)
                    return .commit
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            return
        }
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }
}
