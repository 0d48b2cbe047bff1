import Foundation

/// The repository's folders, found from this file's path.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let proto = root.appending(path: "Proto")
    static let vectors = proto.appending(path: "vectors")
}
