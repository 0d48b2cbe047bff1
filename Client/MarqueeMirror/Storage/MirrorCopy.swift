import Foundation
import GRDB

/// A copy of a mirror's file and its journals in a temporary folder, which is deleted with this object.
///
/// SQLite can read a database with a write-ahead log only if it may write in its folder, and can roll back a journal
/// only if it may write at all. So a mirror in a read-only folder, such as that of a backup, and one whose creation was
/// interrupted are read from a copy.
final class MirrorCopy {
    let path: String
    private let folder: String

    /// - Throws: `io`, `diskFull`.
    init(of path: String) throws(MirrorError) {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("marquee-mirror-\(UUID().uuidString)").path
        self.folder = folder
        self.path = folder + "/mirror.sqlite"
        do {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for suffix in ["", "-wal", "-journal"] where files.fileExists(atPath: path + suffix) {
                try files.copyItem(atPath: path + suffix, toPath: self.path + suffix)
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: self.path + suffix)
            }
            try rollBack()
        } catch {
            try? files.removeItem(atPath: folder)
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw MirrorError(
                isFull ? .diskFull : .io,
                "the folder of \(path) can't be written to, and no copy could be made: \(MirrorError.reason(of: error))"
            )
        }
    }

    /// Rolls back an incomplete transaction, which would look like damage.
    private func rollBack() throws {
        guard FileManager.default.fileExists(atPath: path + "-journal") else { return }
        let queue = try MirrorDatabase.connect(path, readonly: false)
        defer { try? queue.close() }
        _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
