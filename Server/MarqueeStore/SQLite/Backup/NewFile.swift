import Foundation

/// A file that appears whole or not at all: it is written under a temporary name and renamed when it is complete.
struct NewFile {
    let path: String
    /// Where it is written.
    let partial: String
    private let replaces: Bool

    /// Makes the file, empty, under its other name; only this user may read it.
    /// - Parameter replacing: whether a file of that name may be replaced.
    /// - Throws: `exists`, `forbidden`, `missing`, `diskFull` or `io`.
    init(_ path: String, replacing: Bool) throws(StoreError) {
        // Through a symbolic link, the file that it leads to is meant.
        self.path =
            realpath(path, nil).map { resolved in
                defer { free(resolved) }
                return String(cString: resolved)
            } ?? path
        self.partial = "\(self.path).partial-\(getpid())"
        self.replaces = replacing
        try checkFree()
        // Left by a process of this id that was killed. Where it can't be removed nothing can be made either.
        guard unlink(partial) == 0 || errno == ENOENT else {
            throw StoreError("\(path) can't be written", errno: errno)
        }
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError("\(path) can't be written", errno: errno) }
        close(descriptor)
    }

    /// Gives the file its name, durably.
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
        guard there.isRegular else { throw StoreError(.invalid, "\(path) is there and is no file") }
        guard replaces else { throw StoreError(.exists, "\(path) is there already") }
    }
}
