/// Limits on a programme file, which bound the cost of a published programme.
enum ProgrammeLimits {
    /// Bytes of the file.
    static let fileBytes = 1 << 20
    static let locales = 16
    static let screens = 64
    static let audiences = 1_000
    /// Sections of one screen.
    static let sections = 64
    /// Items of an `items` source, or values of a facet.
    static let listItems = 500
    /// Maximum `limit` of a query.
    static let queryLimit = 1_000
    /// Fields of one body's message, including those of nested messages.
    static let bodyFields = 64
    /// Types covered by one search. Each costs a separate query.
    static let searchTypes = 16
    /// Maximum `limit` of a search, the number of items on a page. An answer has to respect the client's limit on
    /// bytes.
    static let searchPage = 50
    /// Repeated fields of one `nested` source.
    static let nestedFields = 8
    /// Titles of one `categories` item.
    static let categories = 64
    static let actions = 8
    /// Fields of one sort.
    static let sortParts = 4
    /// Conditions of one query, or of one audience; the `any` of a query is one.
    static let conditions = 8
    /// Allowed settings: the fraction of an item that has to be in view, the milliseconds that it has to be, and the
    /// milliseconds until it is counted again.
    static let seenShare: ClosedRange<Double> = 0.01...1
    static let seenTime: ClosedRange<UInt32> = 100...3_600_000
    static let seenAgain: ClosedRange<UInt32> = 0...604_800_000
    /// Alternatives of `any`.
    static let alternatives = 8
    /// Conditions in all alternatives of `any` together.
    static let alternativeConditions = 16
    /// Values of one list by audience, with that for everybody else.
    static let audienceCases = 16
    /// Combinations of one section's values by audience.
    static let renditions = 64
    /// Values of one condition, audiences of one section, or fields of one card's record.
    static let values = 64
    /// Badges or facts of one card.
    static let cardEntries = 16
    static let windows = 8
    /// Rows of a window that can start anywhere, unless the section sets another limit.
    static let windowRows: UInt32 = 200
    /// Sorts offered by one section.
    static let sorts = 8
    // The following limits are small because a head or item must fit into one data part.
    /// Bytes of a title.
    static let textBytes = 512
    /// Bytes of running text.
    static let proseBytes = 8_192
    /// Bytes of an id.
    static let idBytes = 64
    /// Nesting depth of groups in a layout.
    static let layoutDepth = 8
    static let supplementaries = 8
    /// Badges per item.
    static let badges = 2
    /// Points of a dimension, inset, spacing or offset.
    static let points = 100_000.0
    /// Largest z-index, in front of items as well as behind them.
    static let zIndex = 1_000
    /// Largest fraction of a container.
    static let fraction = 100.0
}
