public import MarqueeModel

/// A title in a chart.
public struct ChartEntryContent: Hashable, Sendable {
    /// As it is shown, in the language of the screen.
    public var title: String
    /// The chart source's rank, from 1; `nil` if it equals the item's position in its section, counted from 1. They
    /// differ where ranks are tied or skipped.
    public var rank: UInt32?
    /// The rank in the previous list; `nil` if unknown or if there was none.
    public var previousRank: UInt32?
    /// Whether the chart's source marks the entry as new.
    public var isNew = false
    /// The id of the movie, if the catalogue has it.
    public var movie: UInt64?
    /// When the title was first shown in cinemas.
    package var releaseDate: CalendarDate?
    /// The gross of that day, in `currency`.
    public var gross: UInt64?
    /// The gross since release, in `currency`.
    public var grossToDate: UInt64?
    /// ISO 4217; `nil` for US dollars.
    public var currency: String?
    /// People, that day or hour.
    public var audience: UInt64?
    /// People since release.
    public var audienceToDate: UInt64?
    /// Percent of the chart's total, such as a share of all reservations.
    public var share: Double?
    /// Hours viewed.
    public var hours: UInt64?
    /// Hours viewed, divided by the length of the title.
    public var views: UInt64?
    /// Weeks in the chart so far.
    public var weeks: UInt32?
    /// Cinemas that showed it that day.
    public var theaters: UInt32?
    /// Days since release, counting the first.
    public var daysInRelease: UInt32?
    /// The company that brings it to cinemas.
    public var distributor: String?
    /// An upright picture.
    public var poster: ImageReference?
    /// 0...10.
    public var voteAverage: Double?

    /// The day of its release, as `YYYY-MM-DD`.
    public var releaseDay: String? { releaseDate?.description }

    /// An entry with a title and nothing else.
    public init(title: String) { self.title = title }
}
