import Foundation
import MarqueeMirror
import MarqueeModel

/// The part of a device that outlives its processes.
enum Disk {
    case memory(MemoryDisk)
    /// A real SQLite file, in this device's own folder.
    case file(FileDisk)

    /// - Parameter newClientID: for a newly created mirror.
    func open(newClientID: () -> [UInt8]) throws(MirrorError) -> any MirrorEngine {
        switch self {
        case .memory(let disk): MemoryMirror(disk)
        case .file(let disk): try disk.open(newClientID: newClientID)
        }
    }
}

/// A mirror's file, which moves to a new name at each crash: whatever a killed process left is copied, regardless of
/// what it still holds open.
final class FileDisk {
    private let folder: URL
    private var generation = 0

    init(folder: URL) { self.folder = folder }

    private func path(_ generation: Int) -> String { folder.appendingPathComponent("mirror-\(generation).sqlite").path }

    func open(newClientID: () -> [UInt8]) throws(MirrorError) -> any MirrorEngine {
        try Mirror(location: .file(path(generation)), newClientID: newClientID)
    }

    /// The process that had the file open is gone. Uncommitted writes may be torn at the end of the log.
    func crash(torn: [UInt8]) throws {
        let files = FileManager.default
        let (old, new) = (path(generation), path(generation + 1))
        for suffix in ["", "-wal"] where files.fileExists(atPath: old + suffix) {
            try files.copyItem(atPath: old + suffix, toPath: new + suffix)
        }
        generation += 1
        guard !torn.isEmpty, let log = FileHandle(forWritingAtPath: new + "-wal") else { return }
        defer { try? log.close() }
        try log.seekToEnd()
        try log.write(contentsOf: torn)
    }

    /// Copies what is stored to another device's disk.
    func copy(to other: FileDisk) throws {
        try FileManager.default.createDirectory(at: other.folder, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path(generation) + suffix) {
            try FileManager.default.copyItem(
                atPath: path(generation) + suffix, toPath: other.path(other.generation) + suffix)
        }
    }

    /// For schedules that damage stored content. Only while the file isn't open.
    var currentPath: String { path(generation) }
}
