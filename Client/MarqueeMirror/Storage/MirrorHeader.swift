import Foundation

/// The kind of a file, by its first bytes. Read before SQLite opens the file, because SQLite would create files beside
/// a foreign one.
enum MirrorHeader {
    /// No file, or an empty one.
    case absent
    /// A database marked as a mirror, or not marked yet.
    case candidate
    /// A database that another program marked as its own.
    case foreign
    /// Not an SQLite database.
    case unreadable

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let bytes = 100
    /// Where SQLite keeps the application id, big endian.
    private static let applicationID = 68..<72

    static func read(_ path: String) throws(MirrorError) -> MirrorHeader {
        guard FileManager.default.fileExists(atPath: path) else { return .absent }
        let header: [UInt8]
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            header = [UInt8](try file.read(upToCount: bytes) ?? Data())
        } catch {
            throw MirrorError(.io, "can't read \(path): \(MirrorError.reason(of: error))")
        }
        if header.isEmpty { return .absent }
        // Its creation was interrupted before the first page was written: SQLite rolls back from the journal beside it.
        if header.allSatisfy({ $0 == 0 }), FileManager.default.fileExists(atPath: path + "-journal") {
            return .candidate
        }
        guard header.count == bytes, header.starts(with: magic) else { return .unreadable }
        let id = header[applicationID].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return id == 0 || id == UInt32(bitPattern: MirrorSchema.applicationID) ? .candidate : .foreign
    }
}
