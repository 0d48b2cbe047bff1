/// Limits on one record.
package enum RecordLimits {
    /// Bytes of a record.
    package static let bytes = 65_536
    /// Levels of nested messages, including the record. A map's value is one level below the message that has the map.
    package static let depth = 8
    /// Bytes of a record's JSON, which names and escapes can make longer than the record.
    package static let jsonBytes = 1 << 20
    /// Paths that one change may clear.
    package static let clearedPaths = 256
    /// Characters of a name shown in an error message.
    static let shownCharacters = 64
    /// Known names listed in an error message.
    static let listedNames = 24
}

/// The reason why a record can't be read or written, in terms of its JSON.
package struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field that is wrong, such as `episode.chapters[2].title`; empty for the document as a whole.
    package var path: String
    /// A message that says what was expected and what was found.
    package var reason: String

    package init(path: String = "", _ reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

    /// The same error as seen from the enclosing message or list.
    package func inside(_ place: String) -> RecordError {
        let joint = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return RecordError(path: place + joint + path, reason)
    }
}
