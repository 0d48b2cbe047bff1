/// The state of a search as shown.
public enum SearchState: Sendable {
    /// There is no query.
    case idle
    /// The first page for this query has been requested.
    case searching(query: String)
    case found(SearchResults)
    case failed(query: String, ClientError)
}

/// The results of one query.
public struct SearchResults: Sendable {
    /// The query.
    public var query: String
    /// The items found, in the server's order; each subject once.
    public var items: [ScreenItem]
    /// The number of matches; the server counts only up to a limit of its own.
    public var total: Int
    /// Whether there are more matches than `total` counts.
    public var isTotalCapped: Bool
    /// Whether there are more pages to request.
    public var hasMore: Bool
    /// Whether the next page has been requested.
    public var isLoadingMore: Bool
    /// The most frequent values of the facets that were asked for, by field: each as it is written in a filter, and how
    /// many of the counted matches have it.
    public internal(set) var facets: [String: [(value: String, count: Int)]] = [:]

    /// Creates results, for tests and previews.
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
