import Foundation

/// A file that one process at a time reads, changes and replaces.
///
/// The lock (`flock`) is on the file itself, so nothing is left behind. A process that has waited for a file that was
/// replaced meanwhile takes the lock of its successor.
struct LockedFile: ~Copyable {
    /// How long to wait for other processes to release the file.
    private static let patience = Duration.seconds(10)
    /// The pause between attempts to lock it, in microseconds.
    private static let pause: useconds_t = 5_000
    /// The most symbolic links followed to a file: as many as Linux follows.
    private static let maximumLinks = 40

    /// The file's path, with symbolic links resolved.
    let path: String
    private let descriptor: Int32
    private let isNew: Bool

    /// Waits for the file, and locks it until this value is destroyed.
    /// - Parameter creating: whether to make an empty file, readable by its owner only, if there is none.
    /// - Throws: `TokenFileProblem`, `busy` when another process holds the file for too long.
    init(_ path: String, creating: Bool) throws(TokenFileProblem) {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.patience
        let path = Self.target(of: path)
        repeat {
            // If this returns `nil`, another process created the file first, and may be about to remove it again.
            if let (descriptor, isNew) = try Self.open(path, creating: creating) {
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                    if let name = Self.name(of: descriptor, at: path) {
                        (self.path, self.descriptor, self.isNew) = (name, descriptor, isNew)
                        return
                    }
                    close(descriptor)
                } else {
                    let reason = errno
                    close(descriptor)
                    guard reason == EWOULDBLOCK || reason == EINTR else {
                        throw TokenFileProblem(path, "can't be locked", errno: reason)
                    }
                }
            }
            usleep(Self.pause)
        } while clock.now < deadline
        throw TokenFileProblem(.busy, "\(path) is being changed by another process; nothing was changed, try again")
    }

    /// The target of symbolic links, even if no file exists yet: a dangling link can't be opened to create one.
    private static func target(of path: String) -> String {
        var path = path
        for _ in 0..<maximumLinks {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            path = next.hasPrefix("/") ? next : folder.appending(path: next).path
        }
        return path
    }

    deinit {
        // A file that was created here and never written to is removed.
        var status = stat()
        if isNew, fstat(descriptor, &status) == 0, status.st_size == 0, Self.name(of: descriptor, at: path) != nil {
            unlink(path)
        }
        close(descriptor)
    }

    /// - Returns: `nil` if the file was to be created here and another process has created it first.
    private static func open(
        _ path: String, creating: Bool
    ) throws(TokenFileProblem) -> (descriptor: Int32, isNew: Bool)? {
        // Network file systems grant an exclusive lock only on a file that is open for writing.
        for flags in [O_RDWR, O_RDONLY] {
            let descriptor = Foundation.open(path, flags | O_CLOEXEC)
            if descriptor >= 0 { return (descriptor, false) }
            if errno == ENOENT, creating {
                let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
                if descriptor >= 0 { return (descriptor, true) }
                if errno == EEXIST { return nil }
            }
            guard flags == O_RDWR, [EACCES, EPERM, EROFS].contains(errno) else { break }
        }
        throw TokenFileProblem(path, "can't be read", errno: errno)
    }

    /// The path, without symbolic links, if it still leads to the open file; `nil` if it was replaced or removed.
    private static func name(of descriptor: Int32, at path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        var (open, there) = (stat(), stat())
        guard fstat(descriptor, &open) == 0, stat(resolved, &there) == 0, open.st_dev == there.st_dev,
            open.st_ino == there.st_ino
        else { return nil }
        return String(cString: resolved)
    }

    /// Replaces the file in one step that survives a power cut. It keeps its owner and permissions: a server that runs
    /// as a different user than the one revoking a token must still be able to read it.
    func replace(by content: Data) throws(TokenFileProblem) {
        let fresh = "\(path).\(UInt32.random(in: .min ... .max)).new"
        let file = Foundation.open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw TokenFileProblem(path, "can't be replaced", errno: errno) }
        let isDone =
            Self.write(content, to: file) && keepAccess(for: file) && fsync(file) == 0
            && rename(fresh, path) == 0
        let reason = errno
        close(file)
        guard isDone else {
            unlink(fresh)
            throw TokenFileProblem(path, "can't be replaced", errno: reason)
        }
        try synchronizeFolder()
    }

    private static func write(_ content: Data, to file: Int32) -> Bool {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Gives a new file the owner, group and permissions of the one that it replaces.
    /// - Returns: `false`, with `errno`, if that is not permitted.
    private func keepAccess(for new: Int32) -> Bool {
        var (known, made) = (stat(), stat())
        guard fstat(descriptor, &known) == 0, fstat(new, &made) == 0 else { return false }
        let isTheirs = known.st_uid == made.st_uid && known.st_gid == made.st_gid
        return (isTheirs || fchown(new, known.st_uid, known.st_gid) == 0) && fchmod(new, known.st_mode & 0o777) == 0
    }

    /// Makes the new name durable.
    private func synchronizeFolder() throws(TokenFileProblem) {
        let folder = Foundation.open(
            URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        // A folder that is writable but not readable can't be flushed; the change itself was made.
        guard folder >= 0 else { return }
        defer { close(folder) }
        guard fsync(folder) == 0 || errno == EINVAL else {
            throw TokenFileProblem(path, "can't be flushed", errno: errno)
        }
    }
}
