extension PublishRequest {
    /// Maximum bytes of one change, so that a request with a single change fits into a frame.
    package static let changeBytes = 60_000
    /// Maximum bytes of the changes in one part, so that the whole request fits into a frame.
    private static let partBytes = 48 << 10
    /// Maximum number of changes in one part, well within a frame's limit on elements.
    private static let partChanges = 1_024

    /// Splits documents into parts, each of which fits into one request frame.
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
