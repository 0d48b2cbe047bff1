public import MarqueeModel

/// The kinds whose bodies are messages of presets.proto.
extension ItemKind {
    public static let movie = ItemKind(rawValue: 1)
    public static let genre = ItemKind(rawValue: 2)
    public static let credit = ItemKind(rawValue: 3)
    public static let banner = ItemKind(rawValue: 4)
    public static let text = ItemKind(rawValue: 5)
    public static let course = ItemKind(rawValue: 6)
    public static let categories = ItemKind(rawValue: 7)
    public static let detail = ItemKind(rawValue: 8)
    public static let chartEntry = ItemKind(rawValue: 10)
    public static let place = ItemKind(rawValue: 11)

    /// All of them, ascending.
    package static let presets: [ItemKind] = [
        .movie, .genre, .credit, .banner, .text, .course, .categories, .detail, .chartEntry, .place,
    ]
}
