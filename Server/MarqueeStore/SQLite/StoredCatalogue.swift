import Foundation
import GRDB
package import MarqueeCatalogue
import MarqueeModel

/// Reads the catalogue of a data folder that another process may have open.
package enum StoredCatalogue {
    /// Hands out the whole catalogue at one revision, as changes that build it from nothing. Read-only. Blocks.
    /// - Throws: `missing`, `foreignFile`, `corrupt`, `forbidden` or `io`, with a sentence that names the file or
    ///   folder.
    package static func read(_ folder: String, _ receive: (Change) -> Void) throws(StoreError) {
        let path = StoreLog.catalogue.path(in: folder)
        guard FileSystem.exists(path) else {
            throw StoreError(.missing, "\(folder) is not a data folder: it has no \(StoreLog.catalogue.fileName)")
        }
        guard access(path, R_OK) == 0 else { throw StoreError("\(path) can't be read", errno: errno) }
        try StoreError.translating(path) {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            try queue.read { db in
                let isMade = try StoreFile.isMade(db, StoreLog.catalogue.schema, path)
                guard isMade else { throw StoreDamage("it is empty") }
                try RecordTables.readAll(from: db) { receive($0.change) }
            }
        }
    }
}
