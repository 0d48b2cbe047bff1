import GRDB
import MarqueeModel

/// A data folder whose logs may be given new epochs.
package struct FolderState: Hashable, Sendable {
    /// The catalogue's newest revision, and when it was committed, in seconds since 1970; `nil` if there is none.
    package var revision: UInt64
    package var committed: UInt64?
    /// The number of users whose logs have moved, and when one last did, in seconds since 1970, if that is known.
    package var users: Int
    package var moved: UInt64?
}

/// Gives the logs of a data folder new epochs.
package struct SQLiteEpochs {
    private let folder: String
    /// Keeps other processes from opening the folder meanwhile.
    private let owned: DataFolder
    package let state: FolderState

    /// Inspects a folder, which no other process may have open.
    /// - Throws: `missing`, `ownedByOther`, `foreignFile`, `corrupt`, `diskFull` or `io`.
    package init(of folder: String) throws(StoreError) {
        self.folder = folder
        for log in StoreLog.allCases where !FileSystem.exists(log.path(in: folder)) {
            throw StoreError(.missing, "\(folder) is not a data folder: it has no \(log.fileName)")
        }
        owned = try DataFolder(folder)
        try RestoredFiles(folder: folder).settle()
        var state = FolderState(revision: 0, users: 0)
        for log in StoreLog.allCases {
            try Self.open(log, in: folder) { db in
                let tables = TableReader(db)
                let used = try StoreQueries.newestTime(of: log, tables) / 1_000
                switch log {
                case .catalogue:
                    state.revision = try StoreQueries.catalogueRevision(tables)
                    state.committed = state.revision == 0 ? nil : used
                case .users:
                    state.users = try tables.first("SELECT count(*) FROM user_log") { try $0.int(0) } ?? 0
                    state.moved = state.users == 0 || used == 0 ? nil : used
                }
            }
        }
        self.state = state
    }

    /// Gives both logs new epochs, so that clients no longer compare what they have seen with what the folder has. For
    /// a folder that has lost commits.
    /// - Throws: `corrupt`, `diskFull` or `io`.
    package func renew() throws(StoreError) {
        var names = StoreNames()
        for log in StoreLog.allCases {
            let epoch = names.nextEpoch()
            try Self.open(log, in: folder) { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.writing { tables in
                    try StoreTables.meta.put(
                        [.text(StoreSchema.Meta.epoch)], [.text(StoreNames.hexadecimal(epoch))], in: tables)
                    try WriteAheadLog.noteClosed(tables)
                    return .commit
                }
            }
        }
        withExtendedLifetime(owned) {}
    }

    private static func open(
        _ log: StoreLog, in folder: String, _ body: (Database) throws -> Void
    ) throws(StoreError) {
        let path = log.path(in: folder)
        try StoreError.translating(path) {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { db in
                guard try StoreFile.isMade(db, log.schema, path) else { throw StoreDamage("it is empty") }
                try body(db)
            }
            try queue.close()
        }
    }
}
