import Foundation

/// A file that appears complete or not at all: it is written under a temporary name and renamed at the end.
struct NewFile {
    let path: String
    /// The temporary path.
    let partial: String
    private let replaces: Bool

    /// Creates the empty file under its temporary name; only this user may read it.
    /// - Parameter replacing: whether an existing file of the final name may be replaced.
    /// - Throws: `exists`, `forbidden`, `missing`, `diskFull` or `io`.
    init(_ path: String, replacing: Bool) throws(StoreError) {
        // For a symbolic link, write the file that it points to.
        self.path =
            realpath(path, nil).map { resolved in
                defer { free(resolved) }
                return String(cString: resolved)
            } ?? path
        self.partial = "\(self.path).partial-\(getpid())"
        self.replaces = replacing
        try checkFree()
        // Left by a killed process with this id. If it can't be removed, nothing can be created either.
        guard unlink(partial) == 0 || errno == ENOENT else {
            throw StoreError("\(path) can't be written", errno: errno)
        }
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError("\(path) can't be written", errno: errno) }
        close(descriptor)
    }

    /// Gives the file its final name, durably.
    func commit() throws(StoreError) {
        try FileSystem.synchronize(partial)
        try checkFree()
        try FileSystem.rename(partial, to: path)
        try FileSystem.synchronize(FileSystem.folder(of: path))
    }

    /// Leaves nothing behind.
    func discard() { unlink(partial) }

    private func checkFree() throws(StoreError) {
        guard let there = FileSystem.status(of: path) else { return }
        guard there.isRegular else { throw StoreError(.invalid, "\(path) exists and is not a file") }
        guard replaces else { throw StoreError(.exists, "\(path) already exists") }
    }
}
