import Foundation

/// The operations that a store needs from the file system besides SQLite's.
enum FileSystem {
    /// Makes a file's content, or the names in a folder, durable.
    static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError("\(path) can't be opened", errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StoreError("\(path) can't be flushed", errno: errno) }
    }

    /// Renames a file or folder atomically, replacing a file that already has the new name.
    static func rename(_ path: String, to name: String) throws(StoreError) {
        guard Foundation.rename(path, name) == 0 else {
            throw StoreError("\(path) can't be renamed to \(name)", errno: errno)
        }
    }

    /// Removes a file, which may be missing.
    static func remove(_ path: String) throws(StoreError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw StoreError("\(path) can't be removed", errno: errno)
    }

    /// Creates an empty file for a database, if there is none; only its owner can use it, whatever the umask is. SQLite
    /// gives the files that it keeps beside it the same permissions. Failures are left for SQLite to report.
    static func makePrivate(_ database: String) {
        // Closing a file that SQLite has open would release its locks, so an existing one is left alone.
        let descriptor = open(database, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes all permissions but the owner's and the group's from a database, and from the files that SQLite keeps
    /// beside it: older versions created them with the umask's.
    static func keepPrivate(_ database: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            var status = stat()
            guard stat(database + suffix, &status) == 0, status.st_mode & 0o007 != 0 else { continue }
            _ = chmod(database + suffix, status.st_mode & 0o770)
        }
    }

    /// Creates a folder that only its owner may look into.
    static func makeFolder(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) == 0 else { throw StoreError("the folder \(path) can't be created", errno: errno) }
    }

    /// Removes a folder and the files in it; it may be missing.
    static func removeFolder(_ path: String) throws(StoreError) {
        for name in names(in: path) { try remove("\(path)/\(name)") }
        guard rmdir(path) != 0, errno != ENOENT else { return }
        throw StoreError("the folder \(path) can't be removed", errno: errno)
    }

    /// The names in a folder; none if there is no folder.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// The folder that contains a path's file.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Bytes that this user may still write to the folder's file system; `nil` if the system doesn't say.
    static func freeBytes(of folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The status of the file or folder that a path leads to; `nil` if there is none.
    static func status(of path: String) -> FileStatus? {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        return FileStatus(
            identity: FileStatus.Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)),
            isRegular: UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG), bytes: Int64(status.st_size))
    }
}

/// The system's description of a file or folder.
struct FileStatus {
    /// Identifies the file or folder, whatever its name.
    struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    var identity: Identity
    /// Whether it is a file rather than a folder, device or pipe.
    var isRegular: Bool
    var bytes: Int64
}

extension StoreError {
    /// An error from a failed system call.
    /// - Parameter errno: the system's error number.
    init(_ message: String, errno: Int32) {
        let code: Code =
            switch errno {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM, EROFS: .forbidden
            case ENOENT: .missing
            default: .io
            }
        self.init(code, message, cause: String(cString: strerror(errno)))
    }
}
