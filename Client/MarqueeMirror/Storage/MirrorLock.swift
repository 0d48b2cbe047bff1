#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The ownership of a mirror: a lock on a file beside it, which the system takes back when the process ends.
///
/// The file stays when the lock goes: removing it would let two owners hold locks on two files of one name.
final class MirrorLock {
    private let descriptor: Int32

    /// - Parameters:
    ///   - path: of the file that is locked.
    ///   - mirror: the path of what it guards, for people.
    /// - Throws: `ownedByOther`, naming the process, when it is held already, by this process or another.
    init(path: String, guarding mirror: String) throws(MirrorError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
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
        // A process that is just being started has a copy of the descriptor until it runs its program, and would hold
        // the lock for that long.
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
