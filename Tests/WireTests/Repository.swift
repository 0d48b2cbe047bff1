import Foundation

/// Where the files of the repository are, as seen from this one.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let proto = root.appending(path: "Proto")
    static let vectors = proto.appending(path: "vectors")
}
