import Foundation

/// A small file system in memory that can be filled up. Only root may mount one.
final class SmallDisk: Sendable {
    /// For PostgreSQL's files and some of its log.
    private static let bytes = 320 << 20

    let folder: URL
    private var filler: String { folder.appending(path: "filler").path }

    /// Why there can't be one; `nil` if there can.
    static let obstacle: @Sendable () -> String? = {
        geteuid() == 0 ? nil : "needs a small file system of its own, which only root may mount"
    }

    init() throws {
        folder = URL(filePath: "/tmp/marquee-disk-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(Self.bytes),mode=755") == 0 else {
            let reason = String(cString: strerror(errno))
            try? FileManager.default.removeItem(at: folder)
            throw NodesError("a tmpfs can't be mounted: \(reason)")
        }
    }

    deinit {
        // Also while something is still open there.
        umount2(folder.path, CInt(MNT_DETACH))
        try? FileManager.default.removeItem(at: folder)
    }

    /// Takes all the room that there is.
    func fill() throws {
        guard FileManager.default.createFile(atPath: filler, contents: nil),
            let file = FileHandle(forWritingAtPath: filler)
        else { throw NodesError("\(filler) can't be made") }
        defer { try? file.close() }
        // In ever smaller pieces, so that nothing is left.
        var size = 1 << 20
        while size >= 512 {
            do { try file.write(contentsOf: Data(count: size)) } catch { size /= 2 }
        }
    }

    func empty() { try? FileManager.default.removeItem(atPath: filler) }
}
