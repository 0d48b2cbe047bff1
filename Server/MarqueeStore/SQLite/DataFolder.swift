import Foundation

/// A folder with one owner. Its lock is released when the object is deallocated, or the process ends.
final class DataFolder: Sendable {
    static let lockName = "owner.lock"
    /// Only the owner may look inside, because favorites are private.
    private static let permissions = 0o700

    let path: String
    /// Open as long as the folder is owned: the lock is bound to the descriptor.
    private let lock: Int32

    /// Takes ownership of the folder and creates it if it is missing.
    init(_ path: String) throws(StoreError) {
        self.path = path
        try DataFolder.create(path)
        self.lock = try DataFolder.lock("\(path)/\(DataFolder.lockName)", folder: path)
    }

    deinit {
        // A child process has a copy of the descriptor from its start until it executes its program, and would hold the
        // lock that long.
        _ = flock(lock, LOCK_UN)
        close(lock)
    }

    /// Makes the names of new files durable. SQLite does that for its logs, but not for a database file itself.
    func synchronize() throws(StoreError) { try FileSystem.synchronize(path) }

    /// Writes the address at which the folder is served to the lock file, for processes that find it locked. Failures
    /// are ignored.
    func announce(_ address: String) { FolderOwner(process: getpid(), address: address).write(to: lock) }

    /// Removes the folder if it contains nothing but the lock.
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
            throw StoreError(.io, "the data folder \(path) can't be created", cause: reason(error))
        }
    }

    private static func lock(_ file: String, folder: String) throws(StoreError) -> Int32 {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError("the data folder \(folder) can't be written to", errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            defer { close(descriptor) }
            guard number == EWOULDBLOCK else { throw StoreError("\(file) can't be locked", errno: number) }
            let owner = FolderOwner(readingFrom: descriptor).map { "process \($0.process)" } ?? "another process"
            throw StoreError(.ownedByOther, "the data folder \(folder) is in use by \(owner)")
        }
        FolderOwner(process: getpid(), address: nil).write(to: descriptor)
        return descriptor
    }

    private static func reason(_ error: any Error) -> String {
        let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let posix, posix.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(posix.code)))
    }
}
