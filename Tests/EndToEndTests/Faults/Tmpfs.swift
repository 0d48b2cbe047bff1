import Foundation
import SeededRandom
import Synchronization
import Testing

/// A small in-memory file system that can be filled up; returned when this object is released.
///
/// Only root may mount one. Other users get those that root has mounted for them: `MARQUEE_TEST_DISKS` names a folder
/// with file systems called `BYTES.NUMBER`, such as `4194304.1`.
final class Tmpfs: Sendable {
    /// Whether there is a file system to fill up, or this process may mount one.
    static let isPossible = prepared != nil || (try? Tmpfs(bytes: 64 << 10)) != nil
    static let howTo: Comment = """
        skipped: a full disk needs a small file system of its own, which only root may mount; MARQUEE_TEST_DISKS names a \
        folder of them
        """

    private static let prepared = TestEnvironment.variable("MARQUEE_TEST_DISKS").map { URL(filePath: $0) }
    /// The prepared file systems that tests are using.
    private static let taken = Mutex<Set<String>>([])

    let folder: URL
    private let isMounted: Bool
    private var filler: String { folder.appending(path: "filler").path }

    init(bytes: Int) throws {
        if let prepared = Self.prepared {
            folder = try Self.take(bytes: bytes, in: prepared)
            isMounted = false
            return
        }
        isMounted = true
        folder = FileManager.default.temporaryDirectory.appending(path: "marquee-tmpfs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            let reason = String(cString: strerror(errno))
            try? FileManager.default.removeItem(at: folder)
            throw Overdue(description: "a tmpfs can't be mounted: \(reason)")
        }
    }

    private static func take(bytes: Int, in prepared: URL) throws -> URL {
        let names = try FileManager.default.contentsOfDirectory(atPath: prepared.path).sorted()
            .filter { $0.hasPrefix("\(bytes).") }
        let free = taken.withLock { taken in names.first { taken.insert($0).inserted } }
        guard let free else {
            throw Overdue(description: "\(prepared.path) has no free file system of \(bytes) bytes")
        }
        let folder = prepared.appending(path: free)
        // Left behind by an earlier run.
        try empty(folder)
        return folder
    }

    private static func empty(_ folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    deinit {
        guard isMounted else {
            try? Self.empty(folder)
            Self.taken.withLock { _ = $0.remove(folder.lastPathComponent) }
            return
        }
        // A process that still has files open there keeps it alive until it ends.
        _ = umount2(folder.path, CInt(MNT_DETACH))
        try? FileManager.default.removeItem(at: folder)
    }

    /// Uses up all the room, to the last page.
    func fill() throws {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw Overdue(description: "no filler: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let bytes = [UInt8](repeating: 0x5A, count: 4_096)
        while write(file, bytes, bytes.count) > 0 {}
        guard errno == ENOSPC else { throw Overdue(description: "not full: \(String(cString: strerror(errno)))") }
    }

    /// Releases the room.
    func free() throws { try FileManager.default.removeItem(atPath: filler) }
}
