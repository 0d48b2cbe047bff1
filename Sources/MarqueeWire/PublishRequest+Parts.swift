// How a publication is cut into requests.

extension PublishRequest {
    /// Bytes of one change, at most: a request with nothing else in it stays within a frame.
    package static let changeBytes = 60_000
    /// Bytes of the changes of one part; with the rest of the request it stays within a frame.
    private static let partBytes = 48 << 10
    /// Changes of one part; their elements stay within a frame's.
    private static let partChanges = 1_024

    /// Splits documents into parts that fit frames.
    /// - Parameter documents: each of at most `changeBytes`.
    package static func parts(of documents: [[UInt8]]) -> [[[UInt8]]] {
        var parts: [[[UInt8]]] = [[]]
        var bytes = 0
        for document in documents {
            if bytes + document.count > partBytes || parts[parts.count - 1].count >= partChanges,
                !parts[parts.count - 1].isEmpty
            {
                parts.append([])
                bytes = 0
            }
            parts[parts.count - 1].append(document)
            bytes += document.count
        }
        return parts
    }
}
