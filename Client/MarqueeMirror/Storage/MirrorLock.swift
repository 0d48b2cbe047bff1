#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The ownership of a mirror: a lock on a file beside it, which the system releases when the process ends.
///
/// The file stays after the lock is released: removing it would let two owners lock two files of the same name.
final class MirrorLock {
    private let descriptor: Int32

    /// - Parameters:
    ///   - path: the file to lock.
    ///   - mirror: the path of the mirror it guards, for messages.
    /// - Throws: `ownedByOther`, naming the process, if this process or another already holds it.
    init(path: String, guarding mirror: String) throws(MirrorError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("can't open", path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            let owner = MirrorLock.owner(descriptor)
            close(descriptor)
            guard number == EWOULDBLOCK else { throw .system("can't lock", path, number) }
            throw MirrorError(
                .ownedByOther, "the mirror \(mirror) is in use by \(owner.map { "process \($0)" } ?? "another process")"
            )
        }
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            let number = errno
            close(descriptor)
            throw .system("can't write", path, number)
        }
        self.descriptor = descriptor
    }

    deinit {
        // A child process has a copy of the descriptor until it executes its program, and would hold the lock until
        // then.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func owner(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
