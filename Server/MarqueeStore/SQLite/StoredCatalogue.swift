import Foundation
import GRDB
package import MarqueeCatalogue
import MarqueeModel

/// Reads the catalogue, and the collections in use, of a data folder that another process may have open.
package enum StoredCatalogue {
    /// Passes the whole catalogue at one revision to `receive`, as changes that build it from nothing. Read-only.
    /// Blocks.
    /// - Throws: `missing`, `foreignFile`, `corrupt`, `forbidden` or `io`, with a sentence that names the file or
    ///   folder.
    package static func read(_ folder: String, _ receive: (Change) -> Void) throws(StoreError) {
        guard FileSystem.exists(StoreLog.catalogue.path(in: folder)) else {
            throw StoreError(.missing, "\(folder) is not a data folder: it has no \(StoreLog.catalogue.fileName)")
        }
        try read(.catalogue, in: folder) { db in try RecordTables.readAll(from: TableReader(db)) { receive($0.change) }
        }
    }

    /// The collections in which users have members. Read-only. Blocks.
    /// - Throws: as `read`; but a folder without users has none.
    package static func collections(in folder: String) throws(StoreError) -> Set<String> {
        guard FileSystem.exists(StoreLog.users.path(in: folder)) else { return [] }
        return try read(.users, in: folder) { db in
            Set(try String.fetchAll(db, sql: "SELECT DISTINCT collection FROM user_collection"))
        }
    }

    private static func read<Value>(
        _ log: StoreLog, in folder: String, _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        let path = log.path(in: folder)
        guard access(path, R_OK) == 0 else { throw StoreError("\(path) can't be read", errno: errno) }
        return try StoreError.translating(path) {
            var configuration = Configuration()
            configuration.readonly = true
            let newest = WriteAheadLog(log, in: folder)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                guard try StoreFile.isMade(db, log.schema, path) else { throw StoreDamage("it is empty") }
                try newest.check(db)
                return try body(db)
            }
        }
    }
}
