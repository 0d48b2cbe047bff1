import Foundation
import Testing

/// A small file system in memory that can be filled up. Unmounted when it is forgotten.
final class Tmpfs: Sendable {
    /// Whether this process may mount one.
    static let isPossible = (try? Tmpfs(bytes: 64 << 10)) != nil
    static let howTo: Comment = "skipped: a full disk needs a tmpfs of its own, which only root may mount"

    let folder: URL
    private var filler: String { folder.appending(path: "filler").path }

    init(bytes: Int) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "marquee-tmpfs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            let reason = String(cString: strerror(errno))
            try? FileManager.default.removeItem(at: folder)
            throw Overdue(description: "a tmpfs can't be mounted: \(reason)")
        }
    }

    deinit {
        // What still has files open there keeps it until it ends.
        _ = umount2(folder.path, CInt(MNT_DETACH))
        try? FileManager.default.removeItem(at: folder)
    }

    /// Takes all the room there is, to the last page.
    func fill() throws {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw Overdue(description: "no filler: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let bytes = [UInt8](repeating: 0x5A, count: 4_096)
        while write(file, bytes, bytes.count) > 0 {}
        guard errno == ENOSPC else { throw Overdue(description: "not full: \(String(cString: strerror(errno)))") }
    }

    /// Gives the room back.
    func free() throws { try FileManager.default.removeItem(atPath: filler) }
}
