/// Something that is wrong with a publication.
package struct PublicationMistake: Hashable, Sendable {
    /// The most mistakes that are looked for in a publication.
    package static let maximum = 100

    /// The index of the change.
    package var change: Int
    /// The field, such as `merge.clear[1]` or `movie.runtime`; for the change as a whole its name, such as `merge`;
    /// empty for a document that has none.
    package var path: String
    /// For programs.
    package var reason: String
    /// For people: what was expected, and what was found.
    package var detail: String

    package init(change: Int, path: String, reason: String, detail: String) {
        self.change = change
        self.path = path
        self.reason = reason
        self.detail = detail
    }
}
