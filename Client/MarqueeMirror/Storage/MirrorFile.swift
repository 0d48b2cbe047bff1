import Foundation
import GRDB

/// A mirror's file with all that belongs to owning it: its folder, its lock, and what happens to a corrupt one.
struct MirrorFile {
    let queue: DatabaseQueue
    let lock: MirrorLock
    let recovery: MirrorRecovery?

    init(path: String, newClientID: () -> [UInt8]) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw MirrorError(.io, "can't make the folder \(folder): \(MirrorError.reason(of: error))")
        }
        // A lock beside it says that it was a mirror once. Before there is one, somebody has named the wrong file.
        if !FileManager.default.fileExists(atPath: path + MirrorFile.lockSuffix),
            case .unreadable = try MirrorHeader.read(path)
        {
            throw MirrorError(.foreignFile, "\(path) is no mirror but some other file; it was left as it is")
        }
        lock = try MirrorLock(path: path + MirrorFile.lockSuffix, guarding: path)
        do {
            let files = FileManager.default
            if !files.fileExists(atPath: path), files.fileExists(atPath: path + MirrorFile.newSuffix) {
                // A recovery was cut off between its last two steps.
                try files.moveItem(atPath: path + MirrorFile.newSuffix, toPath: path)
            }
            switch try MirrorHeader.read(path) {
            case .foreign: throw MirrorError(.foreignFile, MirrorDatabase.foreign(path))
            case .unreadable: throw MirrorError(.corrupt, "\(path) is no SQLite database")
            case .absent, .candidate: break
            }
            queue = try MirrorDatabase.open(path, newClientID: newClientID)
            recovery = nil
        } catch {
            let problem = MirrorError(error, at: path)
            guard problem.code == .corrupt else { throw problem }
            (queue, recovery) = try MirrorFile.startAnew(path, because: problem, newClientID: newClientID)
        }
    }

    private static let lockSuffix = ".lock"
    /// A new database while it is made. It gets its name when it is complete, so a full disk or a crash loses nothing.
    private static let newSuffix = ".new"

    /// Makes a new file with what could be read of the client's own rows, and sets the corrupt one aside.
    private static func startAnew(
        _ path: String, because problem: MirrorError, newClientID: () -> [UInt8]
    ) throws -> (DatabaseQueue, MirrorRecovery) {
        let rescued = Rescued(path, newClientID: newClientID)
        let new = path + newSuffix
        try removeIfThere(new)
        try MirrorDatabase.make(
            new, row: rescued.row ?? MirrorDatabase.row(newClientID()), entries: rescued.entries,
            rejections: rescued.rejections, views: rescued.views)
        let aside = try setAside(path)
        try FileManager.default.moveItem(atPath: new, toPath: path)
        return (
            try MirrorDatabase.open(path, newClientID: newClientID),
            MirrorRecovery(
                setAside: aside, reason: problem.message, keptIdentity: rescued.keptIdentity,
                rescuedMutations: rescued.entries.count, lostMutations: rescued.lost, rescuedViews: rescued.views.count)
        )
    }

    /// Moves the file, and the write-ahead log that belongs to it, out of the way.
    private static func setAside(_ path: String) throws -> String {
        let files = FileManager.default
        let free = (1..<MirrorLimit.setAsideFiles).first {
            !files.fileExists(atPath: "\(path).corrupt-\($0)")
        }
        let aside = "\(path).corrupt-\(free ?? MirrorLimit.setAsideFiles)"
        // The log first: a new database must never find the old one's.
        for suffix in ["-wal", "-shm", ""] {
            let target = aside + suffix
            try removeIfThere(target)
            if files.fileExists(atPath: path + suffix) { try files.moveItem(atPath: path + suffix, toPath: target) }
        }
        return aside
    }

    private static func removeIfThere(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
}
