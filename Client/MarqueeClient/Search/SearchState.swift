/// The state of a search, as it is shown.
public enum SearchState: Sendable {
    /// There is no query.
    case idle
    /// The first page of this query is on its way.
    case searching(query: String)
    case found(SearchResults)
    case failed(query: String, ClientError)
}

/// The results of one query, and of no other.
public struct SearchResults: Sendable {
    /// The query that was searched for.
    public var query: String
    /// In the server's order; each subject once.
    public var items: [ScreenItem]
    /// How many match; the server counts only up to a limit of its own.
    public var total: Int
    /// Whether there are more matches than `total` counts.
    public var isTotalCapped: Bool
    /// Whether there are pages that have not been requested yet.
    public var hasMore: Bool
    /// Whether the next page is on its way.
    public var isLoadingMore: Bool

    /// A state made by hand, for tests and previews.
    package init(
        query: String, items: [ScreenItem] = [], total: Int = 0, isTotalCapped: Bool = false, hasMore: Bool = false,
        isLoadingMore: Bool = false
    ) {
        self.query = query
        self.items = items
        self.total = total
        self.isTotalCapped = isTotalCapped
        self.hasMore = hasMore
        self.isLoadingMore = isLoadingMore
    }
}
