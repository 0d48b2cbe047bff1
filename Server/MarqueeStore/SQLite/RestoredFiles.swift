/// Replaces both files of a data folder so that a crash at any point leaves the old pair or the new pair, never a
/// mixture.
///
/// The new files are created in a folder inside the data folder. Renaming that folder is the one step that decides.
/// The rest is done right after it or, if a crash prevents that, by the next owner of the data folder; it may
/// safely be done twice. All of it needs the data folder's lock.
struct RestoredFiles {
    /// Under construction, not yet complete.
    private static let unfinished = "restore.partial"
    /// Complete: these are the store's files from now on.
    private static let decided = "restore.complete"
    /// The files that SQLite keeps beside a database. SQLite would apply those of an old file to the new one.
    private static let companions = ["-wal", "-shm", "-journal"]

    let folder: String

    private var unfinishedPath: String { "\(folder)/\(Self.unfinished)" }
    private var decidedPath: String { "\(folder)/\(Self.decided)" }

    /// Whether a restore was decided but its files are not in place yet.
    var areDecided: Bool { FileSystem.exists(decidedPath) }

    /// Creates the folder for the new files.
    /// - Returns: its path.
    func begin() throws(StoreError) -> String {
        try FileSystem.removeFolder(unfinishedPath)
        try FileSystem.makeFolder(unfinishedPath)
        return unfinishedPath
    }

    /// Replaces the old files with the new ones, which are closed and durable.
    func decide() throws(StoreError) {
        try FileSystem.synchronize(unfinishedPath)
        try FileSystem.rename(unfinishedPath, to: decidedPath)
        try FileSystem.synchronize(folder)
        try settle()
    }

    /// Completes what an earlier process left unfinished: moves decided files into place and removes undecided ones.
    func settle() throws(StoreError) {
        try FileSystem.removeFolder(unfinishedPath)
        guard areDecided else { return }
        // A file that is no longer in the folder has already been moved into place.
        let waiting = StoreLog.allCases.filter { FileSystem.exists($0.path(in: decidedPath)) }
        for log in waiting {
            for companion in Self.companions { try FileSystem.remove(log.path(in: folder) + companion) }
        }
        try FileSystem.synchronize(folder)
        for log in waiting { try FileSystem.rename(log.path(in: decidedPath), to: log.path(in: folder)) }
        try FileSystem.synchronize(folder)
        try FileSystem.removeFolder(decidedPath)
        try FileSystem.synchronize(folder)
    }

    /// Removes new files that haven't been decided on.
    func discard() { try? FileSystem.removeFolder(unfinishedPath) }
}
