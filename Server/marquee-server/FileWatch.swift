import Foundation

/// Distinguishes versions of a file without reading it.
struct FileStamp: Hashable {
    private var modified: Date
    private var size: UInt64
    private var number: UInt64
    private var isReadable: Bool

    init(modified: Date, size: UInt64, number: UInt64, isReadable: Bool = true) {
        self.modified = modified
        self.size = size
        self.number = number
        self.isReadable = isReadable
    }

    /// - Returns: `nil` if there is no such file.
    init?(path: String) {
        // A symbolic link may come to point to another file.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let modified = attributes[.modificationDate] as? Date
        else { return nil }
        self.init(
            modified: modified, size: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
            number: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
            isReadable: access(path, R_OK) == 0)
    }
}

/// Decides when a file that is polled has changed.
struct FileWatch {
    /// Checks in a row that must find no file before it counts as gone: editors and tools remove a file for a moment to
    /// replace it.
    static let checksUntilGone = 5

    /// The version read last; none at first, as the file may have changed since it was read at startup.
    private var read: FileStamp?
    private var seen: FileStamp?
    /// Checks in a row that found no file.
    private var missed = 0

    /// - Parameter stamp: the stamp of the version that has been read; `nil` if that isn't known.
    init(readNow stamp: FileStamp? = nil) { (read, seen) = (stamp, stamp) }

    /// Whether to read the file now: it differs from the version read last, and looks the same as at the last check, so
    /// it isn't being written at the moment.
    ///
    /// A file that disappears counts as one change, so that its reader reports it, and its return as another.
    mutating func hasChanged(now stamp: FileStamp?) -> Bool {
        let hasSettled = stamp == seen
        seen = stamp
        guard let stamp else {
            missed = min(missed + 1, Self.checksUntilGone + 1)
            guard missed == Self.checksUntilGone else { return false }
            read = nil
            return true
        }
        missed = 0
        guard hasSettled, stamp != read else { return false }
        read = stamp
        return true
    }
}
