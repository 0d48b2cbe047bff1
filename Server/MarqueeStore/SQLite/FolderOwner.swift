import Foundation

/// The owner of an open data folder, according to its lock file: the process, and the address if it serves the folder.
package struct FolderOwner: Hashable, Sendable {
    /// Bytes read from the file: a number, a host name and a port.
    private static let fileBytes = 512

    package var process: Int32
    /// `HOST:PORT`; `nil` while the process doesn't serve the folder.
    package var address: String?

    init(process: Int32, address: String?) {
        self.process = process
        self.address = address
    }

    /// Reads the lock file. Its process may have ended: only the lock itself proves ownership.
    /// - Parameter folder: the data folder.
    /// - Returns: `nil` if the file names no owner.
    package init?(of folder: String) {
        let descriptor = open("\(folder)/\(DataFolder.lockName)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        self.init(readingFrom: descriptor)
    }

    init?(readingFrom descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: FolderOwner.fileBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        guard let process = lines.first.flatMap({ Int32($0) }) else { return nil }
        self.init(process: process, address: lines.dropFirst().first.map(String.init))
    }

    /// Failures are ignored: this only helps others to name the owner, and must not stop a start on a full disk.
    func write(to descriptor: Int32) {
        let text = Array(([String(process)] + [address].compactMap { $0 }).map { "\($0)\n" }.joined().utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }
}
