import Foundation

/// The identities of a data folder's files when the store was opened, to notice when other files take their place.
///
/// A process keeps writing to a file that was deleted or moved, and nothing it writes there can be found afterwards.
struct OpenedFolder: Sendable {
    private let folder: String
    private let identities: [String: FileStatus.Identity?]

    /// - Parameter folder: a data folder with both stores open, so that their logs exist.
    init(_ folder: String) {
        self.folder = folder
        let files = StoreLog.allCases.map { $0.path(in: folder) }
        let paths = [folder] + files + files.map { "\($0)-wal" }
        identities = Dictionary(uniqueKeysWithValues: paths.map { ($0, FileSystem.status(of: $0)?.identity) })
    }

    /// - Throws: `lost` when a path now leads elsewhere or nowhere.
    func check() throws(StoreError) {
        for (path, identity) in identities where FileSystem.status(of: path)?.identity != identity {
            let what = FileSystem.exists(path) ? "replaced" : "deleted or moved"
            throw StoreError(
                .lost,
                "\(path) was \(what) while the store was open; nothing is stored any more. "
                    + "Put the folder back and start again")
        }
    }
}

/// Disk space reserved for the next start: SQLite needs some before it can read.
struct DiskReserve {
    private static let name = "reserve"
    static let bytes = 512 << 10
    /// Nothing is reserved when there is less free space than this.
    private static let plenty = 4 * bytes

    let folder: String
    private var path: String { "\(folder)/\(DiskReserve.name)" }

    /// Releases the space when the disk is full, and reserves it when there is plenty. Failures are ignored.
    func settle() {
        guard let free = FileSystem.freeBytes(of: folder) else { return }
        if free < DiskReserve.bytes {
            unlink(path)
        } else if free >= DiskReserve.plenty, FileSystem.status(of: path)?.bytes != Int64(DiskReserve.bytes) {
            setAside()
        }
    }

    private func setAside() {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        if posix_fallocate(file, 0, off_t(DiskReserve.bytes)) != 0 { unlink(path) }
    }
}
