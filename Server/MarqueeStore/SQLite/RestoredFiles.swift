/// How both files of a data folder are replaced such that a process that dies on the way leaves the old ones or the new
/// ones, never a mixture.
///
/// New files are made in a folder inside the data folder. Renaming that folder is the one step that decides; what
/// remains is done by whoever owns the data folder next, and may be done twice. All of it needs the data folder's lock.
struct RestoredFiles {
    /// Made, but not yet whole.
    private static let unfinished = "restore.partial"
    /// Whole: these are the store's files from now on.
    private static let decided = "restore.complete"
    /// What SQLite keeps beside a file. Of the old one, it would be applied to the new one.
    private static let companions = ["-wal", "-shm", "-journal"]

    let folder: String

    private var unfinishedPath: String { "\(folder)/\(Self.unfinished)" }
    private var decidedPath: String { "\(folder)/\(Self.decided)" }

    /// Whether a restore was decided and its files are not in place yet.
    var areDecided: Bool { FileSystem.exists(decidedPath) }

    /// Makes the folder for new files.
    /// - Returns: its path.
    func begin() throws(StoreError) -> String {
        try FileSystem.removeFolder(unfinishedPath)
        try FileSystem.makeFolder(unfinishedPath)
        return unfinishedPath
    }

    /// Lets the new files, which are closed and durable, take the place of the old ones.
    func decide() throws(StoreError) {
        try FileSystem.synchronize(unfinishedPath)
        try FileSystem.rename(unfinishedPath, to: decidedPath)
        try FileSystem.synchronize(folder)
        try settle()
    }

    /// Finishes what an earlier process left: puts files in place that were decided on, and removes others.
    func settle() throws(StoreError) {
        try FileSystem.removeFolder(unfinishedPath)
        guard areDecided else { return }
        // One that is missing is in its place already.
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

    /// Forgets new files that are not wanted.
    func discard() { try? FileSystem.removeFolder(unfinishedPath) }
}
