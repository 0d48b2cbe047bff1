/// Bounds of a programme file. They keep a published programme from costing more than a programme should.
enum ProgrammeLimits {
    /// Bytes of the file.
    static let fileBytes = 1 << 20
    static let locales = 16
    static let screens = 64
    /// Sections of one screen.
    static let sections = 64
    /// Items of an `items` source, ids of a fixed list, genres.
    static let listItems = 500
    /// The `limit` of a query.
    static let queryLimit = 1_000
    /// Titles of one `categories` item.
    static let categories = 64
    static let actions = 8
    static let windows = 8
    // Heads and items must fit into one part of data, so what adds up in them is small.
    /// Bytes of a title.
    static let textBytes = 512
    /// Bytes of running text.
    static let proseBytes = 8_192
    /// Bytes of an id.
    static let idBytes = 64
    /// Groups within groups of a layout.
    static let layoutDepth = 8
    static let supplementaries = 8
    /// Of one item.
    static let badges = 2
    /// Points of a dimension, inset, spacing or offset.
    static let points = 100_000.0
    /// Times the container that a fraction may reach.
    static let fraction = 100.0
}
