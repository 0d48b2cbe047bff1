import Foundation
import GRDB

/// The stamps of the newest commits of a data folder's logs, in a small file beside them: written after each commit,
/// and read only to tell whether a store file lacks commits. It is never ahead of what is durable, and may be behind
/// after a power cut.
final class NewestCommits: Sendable {
    private static let fileName = "newest"
    /// A name, padding, a number and the line break: every line has the same length.
    private static let lineBytes = 32

    /// Negative if the file can't be written; then nothing is noted.
    private let descriptor: CInt

    init(in folder: String) {
        descriptor = open("\(folder)/\(Self.fileName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func note(_ log: StoreLog, _ stamp: Int64) {
        guard descriptor >= 0 else { return }
        let number = String(max(0, stamp)).utf8
        var line = Array(log.rawValue.utf8)
        let padding = max(1, Self.lineBytes - 1 - line.count - number.count)
        line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: padding))
        line.append(contentsOf: number)
        line.append(UInt8(ascii: "\n"))
        _ = pwrite(descriptor, line, line.count, off_t(log.place * Self.lineBytes))
    }

    /// The stamp of a log's newest commit; `nil` if it isn't known.
    static func stamp(of log: StoreLog, in folder: String) -> Int64? {
        let descriptor = open("\(folder)/\(fileName)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: lineBytes)
        guard pread(descriptor, &bytes, lineBytes, off_t(log.place * lineBytes)) == lineBytes else { return nil }
        let words = String(decoding: bytes.dropLast(), as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0] == log.rawValue else { return nil }
        return Int64(words[1])
    }
}

extension StoreLog {
    fileprivate var place: Int { self == .users ? 0 : 1 }

    /// The stamp of its newest commit, as a connection sees it.
    func newestStamp(_ db: Database) throws -> Int64 { try db.first(stamp()) { try $0.integer(0) } ?? 0 }

    /// The statement that reads the stamp of the newest commit, which rises with each mutation of users, and with each
    /// revision of the catalogue.
    func stamp(in database: String = "main") -> String {
        switch self {
        case .users: "SELECT coalesce(max(used), 0) FROM \(database).mutation_client"
        case .catalogue: "SELECT coalesce(max(revision), 0) FROM \(database).commit_log"
        }
    }
}
