import Foundation

/// A folder with one owner. The lock goes with the object, and with the process if that dies.
final class DataFolder: Sendable {
    private static let lockName = "owner.lock"
    /// Favorites are private.
    private static let permissions = 0o700
    private static let pidBytes = 32

    let path: String
    /// Open as long as the folder is owned: the lock belongs to the descriptor.
    private let lock: Int32

    /// Takes the folder, which is made when it is missing.
    init(_ path: String) throws(StoreError) {
        self.path = path
        try DataFolder.create(path)
        self.lock = try DataFolder.lock("\(path)/\(DataFolder.lockName)", folder: path)
    }

    deinit {
        // A process that is just being started has a copy of the descriptor until it runs its program, and would hold
        // the lock for that long.
        _ = flock(lock, LOCK_UN)
        close(lock)
    }

    /// Makes the names of new files durable. SQLite does it for its logs, not for a database file itself.
    func synchronize() throws(StoreError) { try FileSystem.synchronize(path) }

    /// Removes the folder if nothing but the lock is in it.
    func remove() {
        guard (try? FileManager.default.contentsOfDirectory(atPath: path)) == [DataFolder.lockName] else { return }
        unlink("\(path)/\(DataFolder.lockName)")
        rmdir(path)
    }

    private static func create(_ path: String) throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: permissions])
        } catch {
            throw StoreError(.io, "the data folder \(path) can't be made", cause: reason(error))
        }
    }

    private static func lock(_ file: String, folder: String) throws(StoreError) -> Int32 {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError("the data folder \(folder) can't be written to", errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            defer { close(descriptor) }
            guard number == EWOULDBLOCK else { throw StoreError("\(file) can't be locked", errno: number) }
            let owner = pid(in: descriptor).map { "process \($0)" } ?? "another process"
            throw StoreError(.ownedByOther, "the data folder \(folder) is in use by \(owner)")
        }
        // Only so that others can say who owns the folder; a full disk must not be in the way.
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
        return descriptor
    }

    private static func pid(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: pidBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private static func reason(_ error: any Error) -> String {
        let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let posix, posix.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(posix.code)))
    }
}
