package import MarqueeModel

/// A page of what a search found, with the position that all of it belongs to.
package struct TitleMatches: Hashable, Sendable {
    /// Movies that are counted and can be paged to, at most: the most popular ones. It bounds the work of a search.
    package static let limit = 2_000
    /// Bytes of a query, at most.
    package static let queryBytes = 256

    package var head: LogHead
    /// Movies found, at most `limit`.
    package var total: Int
    /// Whether there are more than are counted.
    package var isCapped: Bool
    /// Those of the page, most popular first, then by id.
    package var movies: [Movie]
    /// The genres that these movies name.
    package var genres: [Genre]

    package init(head: LogHead, total: Int, isCapped: Bool, movies: [Movie], genres: [Genre]) {
        self.head = head
        self.total = total
        self.isCapped = isCapped
        self.movies = movies
        self.genres = genres
    }
}
