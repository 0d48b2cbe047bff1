package import MarqueeModel

/// A summary of a backup's content.
package struct BackupSummary: Hashable, Sendable {
    /// When it was made: UTC, as `2026-01-31T23:59:59Z`.
    package var made: String
    /// The catalogue's newest revision.
    package var revision: Int
    package var counts: CatalogueCounts
    package var users: Int
    package var favorites: Int
    /// Members of all other collections.
    package var members: Int
}

/// Saves a data folder in one file, and makes data folders from such files.
///
/// The file is an SQLite database that the `sqlite3` shell can open. Calls block.
package enum Backup {
    /// Saves a data folder, even while another process serves it. Each of its files is read as of one moment.
    /// - Parameters:
    ///   - file: must not exist, unless `replacing`; it appears complete or not at all.
    /// - Throws: `exists`, `invalid`, `missing`, `forbidden`, `foreignFile`, `corrupt`, `diskFull`, `io` or
    ///   `cancelled`.
    package static func save(
        _ folder: String, to file: String, replacing: Bool = false, observer: @escaping BackupProgress.Observer
    ) throws(StoreError) -> BackupSummary {
        guard let data = FileSystem.status(of: folder) else {
            throw StoreError(.missing, "there is no data folder \(folder)")
        }
        guard FileSystem.status(of: FileSystem.folder(of: file))?.identity != data.identity else {
            throw StoreError(.invalid, "a backup can't be in the data folder itself")
        }
        let new = try NewFile(file, replacing: replacing)
        do throws(StoreError) {
            try BackupWriter(folder: folder, file: new.partial, observer: observer).run()
            let summary = try BackupReader(file: new.partial, observer: observer).check()
            try new.commit()
            return summary
        } catch {
            new.discard()
            throw error
        }
    }

    /// Replaces a data folder's store with a backup. A crash at any point leaves the old store or the new one.
    ///
    /// Both logs get new epochs, which tell clients that history was rewritten; the cluster, all revisions, mutation
    /// numbers and kept answers come from the backup.
    /// - Parameters:
    ///   - folder: created if it is missing. Must not hold a store, unless `replacing`.
    /// - Throws: `exists`, `ownedByOther`, `missing`, `forbidden`, `foreignFile`, `corrupt`, `diskFull`, `io` or
    ///   `cancelled`.
    package static func restore(
        _ file: String, into folder: String, replacing: Bool = false, observer: @escaping BackupProgress.Observer
    ) throws(StoreError) -> BackupSummary {
        let reader = BackupReader(file: file, observer: observer)
        let summary = try reader.check()
        let isNew = !FileSystem.exists(folder)
        let owned = try DataFolder(folder)
        let files = RestoredFiles(folder: folder)
        do throws(StoreError) {
            try files.settle()
            if !replacing, StoreLog.allCases.contains(where: { FileSystem.exists($0.path(in: folder)) }) {
                throw StoreError(.exists, "\(folder) holds a store already")
            }
            let made = try files.begin()
            var names = StoreNames()
            for log in StoreLog.allCases { try reader.restore(log, into: made, epoch: names.nextEpoch()) }
            try files.decide()
            return summary
        } catch {
            files.discard()
            if isNew { owned.remove() }
            throw error
        }
    }
}
