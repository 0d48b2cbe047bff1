public import MarqueeModel

/// The kinds whose bodies are messages of presets.proto.
extension ItemKind {
    /// ``MovieContent``.
    public static let movie = ItemKind(rawValue: 1)
    /// ``GenreContent``.
    public static let genre = ItemKind(rawValue: 2)
    /// ``CreditContent``.
    public static let credit = ItemKind(rawValue: 3)
    /// ``BannerContent``.
    public static let banner = ItemKind(rawValue: 4)
    /// ``TextContent``.
    public static let text = ItemKind(rawValue: 5)
    /// ``CourseContent``.
    public static let course = ItemKind(rawValue: 6)
    /// Names of categories, side by side.
    public static let categories = ItemKind(rawValue: 7)
    /// ``DetailContent``.
    public static let detail = ItemKind(rawValue: 8)
    /// ``ChartEntryContent``.
    public static let chartEntry = ItemKind(rawValue: 10)
    /// ``PlaceContent``.
    public static let place = ItemKind(rawValue: 11)

    /// All of them, ascending.
    package static let presets: [ItemKind] = [
        .movie, .genre, .credit, .banner, .text, .course, .categories, .detail, .chartEntry, .place,
    ]
}
