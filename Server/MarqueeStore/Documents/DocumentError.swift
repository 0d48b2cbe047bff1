/// Why a JSON document can't be used, in terms of JSON.
package struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field that is wrong, such as `list.entries[2].record`; empty for the document as a whole.
    package var path: String
    /// The mismatch: the JSON that was expected, and the JSON that was found.
    package var reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
