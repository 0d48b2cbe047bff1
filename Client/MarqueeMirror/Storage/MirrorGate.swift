#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Keeps companions from opening a mirror's file while its owner replaces or deletes it: a lock on another file beside
/// it, shared by companions while they open the file and while they write, and exclusive for the owner. The system
/// releases it when the process ends.
///
/// It is never held for long; SQLite's own locks order everything else.
final class MirrorGate {
    enum Passage {
        case companion
        case owner
    }

    static let suffix = ".gate"
    /// Microseconds between two attempts to take the lock.
    private static let pause: UInt32 = 2_000

    private let descriptor: Int32

    /// Waits for the lock, but no longer than `MirrorLimit.busySeconds`.
    ///
    /// - Throws: `busy` when the lock wasn't free in that time; `io`, `diskFull`.
    init(_ passage: Passage, of mirror: String) throws(MirrorError) {
        let path = mirror + MirrorGate.suffix
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("can't open", path, errno) }
        let kind = passage == .owner ? LOCK_EX : LOCK_SH
        var looks = Int(MirrorLimit.busySeconds * 1e6) / Int(MirrorGate.pause)
        while flock(descriptor, kind | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK || number == EINTR, looks > 0 else {
                close(descriptor)
                guard number == EWOULDBLOCK || number == EINTR else { throw .system("can't lock", path, number) }
                throw MirrorError(.busy, "another process is writing the mirror \(mirror), or replacing it")
            }
            looks -= 1
            usleep(MirrorGate.pause)
        }
        self.descriptor = descriptor
    }

    deinit {
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// The identity of the file at a path, which changes when the file is replaced.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// - Returns: `nil` when there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
