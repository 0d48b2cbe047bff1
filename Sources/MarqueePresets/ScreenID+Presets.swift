public import MarqueeModel

extension ScreenID {
    /// The screen about a movie.
    public static func detail(_ movie: UInt64) -> ScreenID { ScreenID("detail/\(movie)") }
    /// The screen with the movies of a genre.
    public static func genre(_ genre: UInt64) -> ScreenID { ScreenID("genre/\(genre)") }
}

extension Subject {
    /// A movie, as the subject of a favorite.
    public static func movie(_ id: UInt64) -> Subject { Subject("movie/\(id)") }

    /// The movie's id, if the subject is a movie whose id is a number.
    public var movie: UInt64? {
        guard name.hasPrefix("movie/") else { return nil }
        return UInt64(name.dropFirst("movie/".count))
    }
}
