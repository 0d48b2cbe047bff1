/// What a search shows.
public enum SearchState: Sendable {
    /// Nothing is searched for.
    case idle
    /// The first page of this query is on its way.
    case searching(query: String)
    case found(SearchResults)
    case failed(query: String, ClientError)
}

/// What was found for one query, and for no other.
public struct SearchResults: Sendable {
    public var query: String
    /// Most popular first; each movie once.
    public var items: [ScreenItem]
    /// Movies that match; a server counts up to a limit of its own.
    public var total: UInt32
    /// Whether more match than `total` counts.
    public var isTotalCapped = false
    /// Whether there are pages that were not asked for yet.
    public var hasMore: Bool
    /// Whether the next page is on its way.
    public var isLoadingMore: Bool
}
