import Foundation
import GRDB

/// The file beside a store file that has its newest commits until SQLite moves them.
///
/// If this file is missing, SQLite assumes that all commits were moved, so a folder that was copied without it would
/// pass for a sound one that is older. Therefore a store file says in its first commit after it was opened that there
/// is such a file, and in its last one that there is none any more. If another program opened the store file after a
/// crash, it may have moved the commits and removed the log: the stamp in `NewestCommits` shows whether it did.
struct WriteAheadLog {
    private enum Use {
        static let open = "open"
        static let closed = "closed"
    }

    let log: StoreLog
    /// The store file.
    let path: String
    /// Whether there was such a file: opening the store file makes an empty one.
    private let wasThere: Bool

    /// To be made before the store file is opened.
    init(_ log: StoreLog, in folder: String) {
        self.log = log
        path = log.path(in: folder)
        wasThere = FileSystem.exists("\(path)-wal")
    }

    private var file: String { "\(path)-wal" }
    /// `nil` if there is none.
    var bytes: Int? { FileSystem.status(of: file).map { Int(clamping: $0.bytes) } }

    /// Checks that the log wasn't missing when the store file was opened.
    /// - Parameter database: the connection's name for the file.
    /// - Throws: `corrupt` if there ought to have been one.
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
        // The connection has made an empty one, which would be taken for the missing one next time.
        unlink(file)
        unlink("\(path)-shm")
        throw StoreError(
            .corrupt,
            "\(path) lacks its newest commits: they are in \(file), which isn't there. Put that file back from where "
                + "this one was copied, or restore a backup; 'marquee-server epoch new --data' does without them")
    }

    /// The file's commits are in the log from now on. A full disk doesn't matter here.
    func begin(_ pool: DatabasePool) throws { try note(Use.open, pool) }

    /// Moves all commits, including a last one that says so. Pages that can't be moved now, because a reader still
    /// needs them, are moved when the store is next opened; the log stays until then.
    func end(_ pool: DatabasePool) throws {
        // There may be room for the last commit only after that.
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try note(Use.closed, pool)
    }

    /// Notes in a file without a log that it needs none.
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
