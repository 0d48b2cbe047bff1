import Foundation

extension Backup {
    /// Saves a database as of one moment, even while servers use it. The file can be restored into a data folder, too.
    /// - Parameters:
    ///   - file: must not exist, unless `replacing`; it appears complete or not at all. A folder beside it holds a copy
    ///     while it is made.
    /// - Throws: `exists`, `invalid`, `missing`, `forbidden`, `foreignFile`, `corrupt`, `diskFull`, `busy`, `io` or
    ///   `cancelled`.
    package static func save(
        _ url: PostgresURL, to file: String, replacing: Bool = false, observer: @escaping BackupProgress.Observer
    ) throws(StoreError) -> BackupSummary {
        guard replacing || !FileSystem.exists(file) else { throw StoreError(.exists, "\(file) already exists") }
        let folder = "\(file).copy-\(getpid())"
        // A killed process with the same id may have left it.
        try? FileManager.default.removeItem(atPath: folder)
        guard mkdir(folder, 0o700) == 0 else { throw StoreError("\(file) can't be written", errno: errno) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PostgresFolderCopy(url: url, observer: observer).run(into: folder)
        return try save(folder, to: file, replacing: replacing, observer: observer)
    }

    /// Fills a database from a backup, of a database or of a data folder, in one transaction. Servers that use it exit
    /// when they notice; stop them first.
    ///
    /// Both logs get new epochs, as with a data folder.
    /// - Parameter replacing: whether the database may hold a store, which is then lost.
    /// - Throws: `exists`, `missing`, `forbidden`, `foreignFile`, `corrupt`, `busy`, `io` or `cancelled`.
    package static func restore(
        _ file: String, into url: PostgresURL, replacing: Bool = false, observer: @escaping BackupProgress.Observer
    ) throws(StoreError) -> BackupSummary {
        let reader = BackupReader(file: file, observer: observer)
        let summary = try reader.check()
        try PostgresRestore(url: url, reader: reader, replaces: replacing).run()
        return summary
    }
}
