import Foundation

/// A mirror's file and its write-ahead log in a folder of their own, gone with this object.
///
/// SQLite reads a database with a write-ahead log only where it may write beside it. A mirror in a folder that can't be written, such as one
/// of a backup, is read from a copy.
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
            for suffix in ["", "-wal"] where files.fileExists(atPath: path + suffix) {
                try files.copyItem(atPath: path + suffix, toPath: self.path + suffix)
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: self.path + suffix)
            }
        } catch {
            try? files.removeItem(atPath: folder)
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw MirrorError(
                isFull ? .diskFull : .io,
                "the folder of \(path) can't be written, and no copy could be made: \(error.localizedDescription)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
