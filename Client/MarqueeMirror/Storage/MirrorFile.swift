import Foundation
import GRDB

/// A mirror's file, with its folder, its lock, and the handling of a corrupt file.
struct MirrorFile {
    let queue: DatabaseQueue
    let lock: MirrorLock
    let recovery: MirrorRecovery?

    init(path: String, newClientID: () -> [UInt8]) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw MirrorError(.io, "can't create the folder \(folder): \(MirrorError.reason(of: error))")
        }
        // A lock beside it shows that it was once a mirror. Without one, the path was probably wrong.
        if !FileManager.default.fileExists(atPath: path + MirrorFile.lockSuffix),
            case .unreadable = try MirrorHeader.read(path)
        {
            throw MirrorError(.foreignFile, "\(path) is not a mirror but some other file; it was left untouched")
        }
        lock = try MirrorLock(path: path + MirrorFile.lockSuffix, guarding: path)
        do {
            let files = FileManager.default
            if !files.fileExists(atPath: path), files.fileExists(atPath: path + MirrorFile.newSuffix) {
                // A recovery was interrupted between its last two steps.
                try files.moveItem(atPath: path + MirrorFile.newSuffix, toPath: path)
            }
            switch try MirrorHeader.read(path) {
            case .foreign: throw MirrorError(.foreignFile, MirrorDatabase.foreign(path))
            case .unreadable: throw MirrorError(.corrupt, "\(path) is not an SQLite database")
            case .absent: try SuspectMark(path).remove()
            case .candidate:
                if let reason = SuspectMark(path).reason { throw MirrorError(.corrupt, reason) }
            }
            queue = try MirrorDatabase.open(path, newClientID: newClientID)
            recovery = nil
        } catch {
            let problem = MirrorError(error, at: path)
            guard problem.code == .corrupt else { throw problem }
            let gate = try MirrorGate(.owner, of: path)
            defer { withExtendedLifetime(gate) {} }
            let rescued = try Rescued(path, newClientID: newClientID)
            (queue, recovery) = try MirrorFile.startAnew(path, because: problem, with: rescued) {}
        }
    }

    static let lockSuffix = ".lock"
    /// A new database under construction. It is renamed once it is complete, so a full disk or a crash loses nothing.
    private static let newSuffix = ".new"

    /// Creates a new file with the content rescued from the corrupt one, and sets the corrupt one aside.
    ///
    /// - Parameter release: called when the new file is complete; it must close the corrupt one.
    static func startAnew(
        _ path: String, because problem: MirrorError, with rescued: Rescued, release: () -> Void
    ) throws -> (DatabaseQueue, MirrorRecovery) {
        let new = path + newSuffix
        try removeIfThere(new)
        try MirrorDatabase.make(
            new, row: rescued.row, entries: rescued.entries, inbox: rescued.inbox, observations: rescued.observations,
            rejections: rescued.rejections, views: rescued.views)
        release()
        let aside = try setAside(path)
        try FileManager.default.moveItem(atPath: new, toPath: path)
        try SuspectMark(path).remove()
        return (
            try MirrorDatabase.open(path) { rescued.row.identity.clientID },
            MirrorRecovery(
                setAside: aside, reason: problem.message, keptIdentity: rescued.keptIdentity,
                rescuedMutations: rescued.entries.count + rescued.inbox.count, lostMutations: rescued.lost,
                rescuedViews: rescued.views.count)
        )
    }

    /// Moves the file, and the write-ahead log that belongs to it, out of the way.
    private static func setAside(_ path: String) throws -> String {
        let files = FileManager.default
        let free = (1..<MirrorLimit.setAsideFiles).first {
            !files.fileExists(atPath: "\(path).corrupt-\($0)")
        }
        let aside = "\(path).corrupt-\(free ?? MirrorLimit.setAsideFiles)"
        // Move the log first: a new database must never find the old one's log.
        for suffix in ["-wal", "-shm", ""] {
            let target = aside + suffix
            try removeIfThere(target)
            if files.fileExists(atPath: path + suffix) { try files.moveItem(atPath: path + suffix, toPath: target) }
        }
        return aside
    }

    /// Deletes a mirror's database and everything beside it except the lock, which must be held.
    static func removeAll(_ path: String) throws(MirrorError) {
        try removeCopies(of: path)
        do {
            for suffix in ["", "-wal", "-shm", "-journal"] { try removeIfThere(path + suffix) }
            try SuspectMark(path).remove()
        } catch {
            throw MirrorError(.io, "can't delete the mirror \(path): \(MirrorError.reason(of: error))")
        }
    }

    /// Deletes damaged copies and unfinished new ones.
    static func removeCopies(of path: String) throws(MirrorError) {
        do {
            let copies = (1...MirrorLimit.setAsideFiles).map { "\(path).corrupt-\($0)" } + [path + newSuffix]
            for copy in copies {
                for suffix in ["", "-wal", "-shm"] { try removeIfThere(copy + suffix) }
            }
        } catch {
            throw MirrorError(.io, "can't delete the copies of the mirror \(path): \(MirrorError.reason(of: error))")
        }
    }

    private static func removeIfThere(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
}
