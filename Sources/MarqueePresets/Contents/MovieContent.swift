public import MarqueeModel

/// A movie as one of many.
public struct MovieContent: Hashable, Sendable {
    /// `nil` if the id isn't a number; the item's subject holds it.
    public var id: UInt64?
    public var title: String
    public var originalTitle: String?
    public var releaseDate: CalendarDate?
    /// Minutes.
    public var runtime: UInt32?
    public var genres: [String]
    /// 0...10.
    public var voteAverage: Double?
    public var voteCount: UInt32?
    public var popularity: Double?
    public var poster: ImageReference?
    public var backdrop: ImageReference?
    public var certification: CertificationContent?
    public var overview: String?
    /// US dollars.
    public var revenue: UInt64?

    public init(id: UInt64?, title: String) {
        self.id = id
        self.title = title
        self.genres = []
    }
}
