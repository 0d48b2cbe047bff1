public import MarqueeClient
public import Observation

/// Search as you type, for views: bind a text field to `query`.
@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class SearchModel<Content: Sendable> {
    /// The state of a query.
    public enum Phase: Hashable, Sendable {
        /// There is no query.
        case idle
        /// The first results have been requested.
        case searching
        case found
        case failed(ClientError)
    }

    /// The text to search for. Setting it starts a search; only the newest one is shown.
    public var query = "" {
        didSet { if query != oldValue { search?.search(query) } }
    }
    /// The state of the current query.
    public private(set) var phase = Phase.idle
    /// The results, in the server's order, each subject once. They stay during the next search.
    public private(set) var items: [ItemModel<Content>] = []
    /// The number of matches; the server counts only up to a limit of its own.
    public private(set) var total = 0
    /// Whether `showMore` can fetch more.
    public private(set) var hasMore = false
    /// Whether the next page has been requested.
    public private(set) var isLoadingMore = false

    @ObservationIgnored private let client: MarqueeClient
    @ObservationIgnored private let decode: @Sendable (ScreenItem) -> Content
    @ObservationIgnored private var search: LiveSearch?

    /// - Parameters:
    ///   - client: the client that searches.
    ///   - content: decodes an item.
    public init(of client: MarqueeClient, content: @escaping @Sendable (ScreenItem) -> Content) {
        self.client = client
        decode = content
    }

    /// Searches until the task is cancelled. Call it from `.task`.
    public func run() async {
        let search = client.liveSearch()
        self.search = search
        defer { self.search = nil }
        if !query.isEmpty { search.search(query) }
        for await state in search.states { show(state) }
    }

    /// Shows one more page.
    public func showMore() { search?.showMore() }

    private func show(_ state: SearchState) {
        switch state {
        case .idle: show(.idle, items: [])
        case .searching: show(.searching, items: items)
        case .failed(_, let error): show(.failed(error), items: [])
        case .found(let results):
            let known = Dictionary(items.map { ($0.source.id, $0) }) { first, _ in first }
            let items = results.items.map { item in
                let same = known[item.id].flatMap { $0.source.hasSameContent(as: item) ? $0.content : nil }
                return ItemModel(item, in: "", content: same ?? decode(item))
            }
            show(.found, items: items)
            total = results.total
            hasMore = results.hasMore
            isLoadingMore = results.isLoadingMore
        }
    }

    private func show(_ phase: Phase, items: [ItemModel<Content>]) {
        self.phase = phase
        self.items = items
        (total, hasMore, isLoadingMore) = (items.isEmpty ? 0 : total, false, false)
    }
}

extension SearchModel where Content == ItemContent {
    /// Creates a search with results that the protocol itself defines, such as cards.
    public convenience init(of client: MarqueeClient) {
        self.init(of: client) { $0.content }
    }
}
