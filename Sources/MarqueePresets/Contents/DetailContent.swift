public import MarqueeModel

/// A movie on the screen that is about it.
public struct DetailContent: Hashable, Sendable {
    /// `nil` if the id isn't a number; the item's subject holds it.
    public var id: UInt64?
    public var title: String
    public var originalTitle: String?
    public var releaseDate: CalendarDate?
    public var countries: [String]
    public var genres: [String]
    /// Minutes.
    public var runtime: UInt32?
    public var tagline: String?
    public var overview: String?
    /// `2010.07.15 │ US │ Action │ 148 min`.
    public var infoLine: String
    public var certification: CertificationContent?
    public var directors: [String]
    /// 0...10.
    public var voteAverage: Double?
    public var voteCount: UInt32?
    public var poster: ImageReference?
    public var backdrop: ImageReference?
    /// US dollars.
    public var revenue: UInt64?

    public init(id: UInt64?, title: String) {
        self.id = id
        self.title = title
        self.countries = []
        self.genres = []
        self.infoLine = ""
        self.directors = []
    }
}
