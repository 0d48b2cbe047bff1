import Foundation

/// What a store asks of the file system beside SQLite.
enum FileSystem {
    /// Makes a file's content, or a folder's names, durable.
    static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError("\(path) can't be opened", errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StoreError("\(path) can't be flushed", errno: errno) }
    }

    /// Gives a file or folder another name, atomically; a file of that name is replaced.
    static func rename(_ path: String, to name: String) throws(StoreError) {
        guard Foundation.rename(path, name) == 0 else {
            throw StoreError("\(path) can't be renamed to \(name)", errno: errno)
        }
    }

    /// Removes a file that may be missing.
    static func remove(_ path: String) throws(StoreError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw StoreError("\(path) can't be removed", errno: errno)
    }

    /// Makes a folder that only its owner may look into.
    static func makeFolder(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) == 0 else { throw StoreError("the folder \(path) can't be made", errno: errno) }
    }

    /// Removes a folder with the files in it; it may be missing.
    static func removeFolder(_ path: String) throws(StoreError) {
        for name in names(in: path) { try remove("\(path)/\(name)") }
        guard rmdir(path) != 0, errno != ENOENT else { return }
        throw StoreError("the folder \(path) can't be removed", errno: errno)
    }

    /// What is in a folder; nothing where there is none.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// The folder that a path names a file in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Bytes that this user may still write to the file system of a folder; `nil` where it doesn't say.
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

    /// What a path leads to; `nil` where it leads to nothing.
    static func status(of path: String) -> FileStatus? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileStatus(
            identity: FileStatus.Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)),
            isRegular: UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG), bytes: Int64(status.st_size))
    }
}

/// What the system knows of a file or folder.
struct FileStatus {
    /// Tells it from every other one, whatever their names.
    struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    var identity: Identity
    /// A file, not a folder, device or pipe.
    var isRegular: Bool
    var bytes: Int64
}

extension StoreError {
    /// What the system refused.
    /// - Parameter errno: its number for the reason.
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
