import Foundation

/// The repository's folders, found from this file's path, which may lead through a link.
enum Repository {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
    static let proto = root.appending(path: "Proto")
    static let vectors = proto.appending(path: "vectors")
}
