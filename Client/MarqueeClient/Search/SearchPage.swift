public import Foundation
public import MarqueeModel

/// A page of what matches a query.
public struct SearchPage: Sendable {
    /// Given by the caller, so that late answers to an older query can be recognized.
    public var queryID: UInt64
    /// The items found, the best first.
    public var items: [ScreenItem]
    /// How many match; the server counts only up to a limit of its own.
    public var total: Int
    /// Whether there are more matches than `total` counts.
    public var isTotalCapped: Bool
    /// From 1.
    public var page: Int
    /// How many pages there are.
    public var pages: Int
    /// The position of the catalogue that was searched.
    public var revision: Cut
    /// When the server answered.
    public var asOf: Date

    /// A page made by hand, for tests and previews.
    public init(
        queryID: UInt64 = 0, items: [ScreenItem] = [], total: Int = 0, isTotalCapped: Bool = false, page: Int = 1,
        pages: Int = 1, revision: Cut = Cut(), asOf: Date = Date()
    ) {
        self.queryID = queryID
        self.items = items
        self.total = total
        self.isTotalCapped = isTotalCapped
        self.page = page
        self.pages = pages
        self.revision = revision
        self.asOf = asOf
    }

    /// Always: a search is answered by the server, never by the mirror.
    public var isLive: Bool { true }
}
