import MarqueeWire

/// How much fits into one publication.
package struct PublicationSize: Hashable, Sendable {
    /// The most changes in one publication.
    package static let maximumChanges = 65_536
    /// The most bytes of documents in one publication.
    package static let maximumBytes = 8 << 20

    package private(set) var changes = 0
    package private(set) var bytes = 0

    package init() {}

    /// Adds documents that belong together.
    /// - Returns: `false`, having added nothing, if they no longer fit.
    package mutating func add(_ documents: [[UInt8]]) -> Bool {
        let more = documents.reduce(0) { $0 + $1.count }
        guard changes + documents.count <= PublicationSize.maximumChanges,
            bytes + more <= PublicationSize.maximumBytes
        else { return false }
        changes += documents.count
        bytes += more
        return true
    }

    /// Why documents that belong together can't be published; `nil` if they can.
    package static func refusal(of documents: [[UInt8]]) -> String? {
        if let large = documents.first(where: { $0.count > PublishRequest.changeBytes }) {
            return "a change of \(large.count) bytes is too large to be published: \(PublishRequest.changeBytes) are "
                + "allowed. Without a server, it can be imported into the folder"
        }
        var alone = PublicationSize()
        guard alone.add(documents) else {
            return "\(documents.count) changes that belong together don't fit into one publication, which has at most "
                + "\(maximumChanges) of them, in \(maximumBytes) bytes"
        }
        return nil
    }
}
