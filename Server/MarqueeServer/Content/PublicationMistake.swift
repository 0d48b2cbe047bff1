/// A mistake in a publication.
package struct PublicationMistake: Hashable, Sendable {
    /// The most mistakes reported for a publication.
    package static let maximum = 100

    /// The index of the change.
    package var change: Int
    /// The field, such as `merge.clear[1]` or `movie.runtime`; for the change as a whole its name, such as `merge`;
    /// empty for a document that isn't a change.
    package var path: String
    /// The kind of mistake, for programs.
    package var reason: String
    /// An explanation for people: what was expected, and what was found.
    package var detail: String

    package init(change: Int, path: String, reason: String, detail: String) {
        self.change = change
        self.path = path
        self.reason = reason
        self.detail = detail
    }
}
