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
        // A killed process with the same id may have left one. If it can't be removed, none can be created either.
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

    /// Removes the file under its temporary name.
    func discard() { unlink(partial) }

    private func checkFree() throws(StoreError) {
        guard let existing = FileSystem.status(of: path) else { return }
        guard existing.isRegular else { throw StoreError(.invalid, "\(path) exists and is not a file") }
        guard replaces else { throw StoreError(.exists, "\(path) already exists") }
    }
}
