/// Limits on a programme file, which keep a published programme from costing too much.
enum ProgrammeLimits {
    /// Bytes of the file.
    static let fileBytes = 1 << 20
    static let locales = 16
    static let screens = 64
    /// Sections of one screen.
    static let sections = 64
    /// Items of an `items` source, values of a facet.
    static let listItems = 500
    /// The `limit` of a query.
    static let queryLimit = 1_000
    /// Fields of one body's message, including those of nested messages.
    static let bodyFields = 64
    /// Types that one search covers. Each costs a query of its own.
    static let searchTypes = 16
    /// The `limit` of a search: items of a page. An answer has to fit into a client's bound.
    static let searchPage = 50
    /// Repeated fields of one `nested` source.
    static let nestedFields = 8
    /// Titles of one `categories` item.
    static let categories = 64
    static let actions = 8
    /// Conditions of one query.
    static let conditions = 8
    /// Values of one condition, fields of one card's record.
    static let values = 64
    /// Badges or facts of one card.
    static let cardEntries = 16
    static let windows = 8
    /// Orders on offer in one section.
    static let sorts = 8
    // Heads and items must fit into one part of data, so what adds up in them is small.
    /// Bytes of a title.
    static let textBytes = 512
    /// Bytes of running text.
    static let proseBytes = 8_192
    /// Bytes of an id.
    static let idBytes = 64
    /// Nesting depth of groups in a layout.
    static let layoutDepth = 8
    static let supplementaries = 8
    /// Per item.
    static let badges = 2
    /// Points of a dimension, inset, spacing or offset.
    static let points = 100_000.0
    /// Largest fraction of a container.
    static let fraction = 100.0
}
