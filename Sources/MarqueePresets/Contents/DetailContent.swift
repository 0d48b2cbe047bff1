public import MarqueeModel

/// A movie on the screen that is about it.
public struct DetailContent: Hashable, Sendable {
    /// `nil` if the id isn't a number; the item's subject holds it.
    public var id: UInt64?
    /// As it is shown, in the language of the screen.
    public var title: String
    /// In the language in which it was made.
    public var originalTitle: String?
    /// When it was first shown.
    package var releaseDate: CalendarDate?
    /// Where it was made: two letters each, ISO 3166-1.
    public var countries: [String]
    /// Names of its genres, in the language of the screen.
    public var genres: [String]
    /// Minutes.
    public var runtime: UInt32?
    /// The sentence it was advertised with.
    public var tagline: String?
    /// A summary of the movie.
    public var overview: String?
    /// `2010.07.15 │ US │ Action │ 148 min`.
    public var infoLine: String
    /// Of the country that the screen is for.
    public var certification: CertificationContent?
    /// Their names.
    public var directors: [String]
    /// 0...10.
    public var voteAverage: Double?
    /// The number of votes in the average.
    public var voteCount: UInt32?
    /// An upright picture.
    public var poster: ImageReference?
    /// A wide picture.
    public var backdrop: ImageReference?
    /// US dollars.
    public var revenue: UInt64?

    /// The day of its release, as `YYYY-MM-DD`.
    public var releaseDay: String? { releaseDate?.description }

    /// A movie with a title and nothing else.
    public init(id: UInt64?, title: String) {
        self.id = id
        self.title = title
        self.countries = []
        self.genres = []
        self.infoLine = ""
        self.directors = []
    }
}
