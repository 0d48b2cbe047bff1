public import MarqueeModel

/// A movie as one of many.
public struct MovieContent: Hashable, Sendable {
    /// `nil` if the id isn't a number; the item's subject holds it.
    public var id: UInt64?
    /// As it is shown, in the language of the screen.
    public var title: String
    /// In the language in which it was made.
    public var originalTitle: String?
    /// When it was first shown.
    package var releaseDate: CalendarDate?
    /// Minutes.
    public var runtime: UInt32?
    /// Names of its genres, in the language of the screen.
    public var genres: [String]
    /// 0...10.
    public var voteAverage: Double?
    /// The number of votes in the average.
    public var voteCount: UInt32?
    /// A number without a unit: the larger, the more popular.
    public var popularity: Double?
    /// An upright picture.
    public var poster: ImageReference?
    /// A wide picture.
    public var backdrop: ImageReference?
    /// Of the country that the screen is for.
    public var certification: CertificationContent?
    /// A summary of the movie.
    public var overview: String?
    /// US dollars.
    public var revenue: UInt64?

    /// The day of its release, as `YYYY-MM-DD`.
    public var releaseDay: String? { releaseDate?.description }

    /// A movie with a title and nothing else.
    public init(id: UInt64?, title: String) {
        self.id = id
        self.title = title
        self.genres = []
    }
}
