public import MarqueeModel

/// A genre, as a tile that leads to its movies.
public struct GenreContent: Hashable, Sendable {
    /// `nil` if the id isn't a number; the item's subject holds it.
    public var id: UInt64?
    /// As it is shown, in the language of the screen.
    public var name: String
    /// A picture for the tile.
    public var image: ImageReference?
    /// Number of movies in the genre.
    public var movies: UInt32

    /// A genre.
    public init(id: UInt64?, name: String, image: ImageReference? = nil, movies: UInt32 = 0) {
        self.id = id
        self.name = name
        self.image = image
        self.movies = movies
    }
}
