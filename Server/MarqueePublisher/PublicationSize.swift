import MarqueeWire

/// The running size of one publication, kept within its limits.
package struct PublicationSize: Hashable, Sendable {
    /// The most changes in one publication.
    package static let maximumChanges = 65_536
    /// The most bytes of documents in one publication.
    package static let maximumBytes = 8 << 20

    package private(set) var changes = 0
    /// The bytes of all documents so far.
    package private(set) var bytes = 0

    package init() {}

    /// Adds documents that have to be published together.
    /// - Returns: whether they fit; if not, none was added.
    package mutating func add(_ documents: [[UInt8]]) -> Bool {
        let added = documents.reduce(0) { $0 + $1.count }
        guard changes + documents.count <= PublicationSize.maximumChanges,
            bytes + added <= PublicationSize.maximumBytes
        else { return false }
        changes += documents.count
        bytes += added
        return true
    }

    /// The reason why these documents can't be published together, for people; `nil` if they can.
    package static func refusal(of documents: [[UInt8]]) -> String? {
        if let large = documents.first(where: { $0.count > PublishRequest.changeBytes }) {
            return "a change of \(large.count) bytes is too large to be published: \(PublishRequest.changeBytes) are "
                + "allowed. Without a server, it can be imported into the folder"
        }
        var size = PublicationSize()
        guard size.add(documents) else {
            return "\(documents.count) changes that belong together don't fit into one publication, which has at most "
                + "\(maximumChanges) of them, in \(maximumBytes) bytes"
        }
        return nil
    }
}
