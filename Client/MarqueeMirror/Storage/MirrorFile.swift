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
            throw MirrorError(.io, "can't make the folder \(folder): \(error.localizedDescription)")
        }
        lock = try MirrorLock(path: path + ".lock")
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

    /// A new database while it is made. It gets its name when it is complete, so a full disk or a crash loses nothing.
    private static let newSuffix = ".new"

    /// Makes a new file with what could be read of the client's own rows, and sets the corrupt one aside.
    private static func startAnew(
        _ path: String, because problem: MirrorError, newClientID: () -> [UInt8]
    ) throws -> (DatabaseQueue, MirrorRecovery) {
        let rescued = Rescued(path)
        let row = try rescued.row ?? MirrorDatabase.row(newClientID())
        let new = path + newSuffix
        try removeIfThere(new)
        try MirrorDatabase.make(new, row: row, entries: rescued.entries, rejections: rescued.rejections)
        let aside = try setAside(path)
        try FileManager.default.moveItem(atPath: new, toPath: path)
        return (
            try MirrorDatabase.open(path, newClientID: newClientID),
            MirrorRecovery(
                setAside: aside, reason: problem.message, keptIdentity: rescued.row != nil,
                rescuedMutations: rescued.entries.count)
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

/// What can still be read of a corrupt mirror: whose it is, and its outbox.
private struct Rescued {
    var row: MirrorRow?
    var entries: [OutboxEntry] = []
    var rejections: [RejectedMutation] = []

    /// Entries are kept only together with the row that holds their client id: under another id their numbers would
    /// mean other mutations.
    init(_ path: String) {
        guard let queue = try? MirrorDatabase.connect(path, readonly: false) else { return }
        defer { try? queue.close() }
        // Without transactions, which would fail as a whole at the first malformed page.
        guard var row = try? queue.unsafeRead({ try MirrorRow.load($0) }) else { return }
        entries = (try? queue.unsafeRead { try OutboxTable.readable($0) }) ?? []
        row.lastNumber = entries.reduce(row.lastNumber) { max($0, $1.number) }
        self.row = row
        rejections = (try? queue.unsafeRead { try OutboxTable.rejections($0) }) ?? []
    }
}
