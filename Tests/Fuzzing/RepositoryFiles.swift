import Foundation

/// The repository's files that seeds are made of.
enum RepositoryFiles {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: root.appending(path: path)))
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// The lines of a file that aren't empty.
    static func lines(_ path: String) throws -> [[UInt8]] {
        try bytes(path).split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
}
