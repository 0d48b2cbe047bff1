import Foundation

/// A file beside a mirror that marks the mirror as damaged. It outlives the process that found the damage, so the next
/// opening recovers the mirror even if a recovery now fails.
struct SuspectMark {
    private let path: String

    /// - Parameter mirror: the path of the mirror.
    init(_ mirror: String) { path = mirror + ".suspect" }

    /// The damage found; `nil` when there is no mark.
    var reason: String? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: bytes.prefix(MirrorLimit.reasonBytes), as: UTF8.self)
    }

    /// Sets the mark durably. If that fails, as on a full disk, the damage has to be detected again.
    func set(_ reason: String) {
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(reason.utf8), attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forUpdatingAtPath: path)
        else { return }
        try? file.synchronize()
        try? file.close()
    }

    func remove() throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
}
