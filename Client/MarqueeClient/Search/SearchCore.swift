/// Decides what a search shows. Every question has a number; an answer counts only while its question is the newest.
struct SearchCore {
    /// What to ask the server.
    struct Question: Hashable {
        var query: String
        var queryID: UInt64
        /// From 1.
        var page: Int
    }

    private(set) var state = SearchState.idle
    private var newest: UInt64 = 0
    private var page = 0
    private var isWaiting = false

    /// Starts over; answers still on their way no longer count.
    /// - Returns: `nil` for an empty or blank query, which shows nothing.
    mutating func search(_ query: String) -> Question? {
        newest += 1
        page = 0
        guard query.contains(where: { !$0.isWhitespace }) else {
            isWaiting = false
            state = .idle
            return nil
        }
        isWaiting = true
        state = .searching(query: query)
        return Question(query: query, queryID: newest, page: 1)
    }

    /// Asks for the next page.
    /// - Returns: `nil` if there is none, or while one is on its way.
    mutating func more() -> Question? {
        guard case .found(var results) = state, results.hasMore, !isWaiting else { return nil }
        isWaiting = true
        results.isLoadingMore = true
        state = .found(results)
        return Question(query: results.query, queryID: newest, page: page + 1)
    }

    /// Drops the question in flight, if there is one; what was found stays.
    mutating func stop() {
        guard isWaiting else { return }
        isWaiting = false
        if case .found(var results) = state {
            results.isLoadingMore = false
            state = .found(results)
        } else {
            newest += 1
            state = .idle
        }
    }

    /// Processes the answer to a question.
    /// - Returns: whether something different is shown now.
    mutating func answered(_ question: Question, _ answer: Result<SearchPage, ClientError>) -> Bool {
        guard question.queryID == newest, isWaiting, question.page == page + 1 else { return false }
        isWaiting = false
        switch answer {
        case .failure(let error):
            // The pages so far stay, and the next one can be requested again.
            if case .found(var results) = state {
                results.isLoadingMore = false
                state = .found(results)
            } else {
                state = .failed(query: question.query, error)
            }
        case .success(let found):
            page = question.page
            var items: [ScreenItem] = []
            if case .found(let results) = state { items = results.items }
            // An item whose rank has changed in the meantime may be on two pages.
            let known = Set(items.map(\.id))
            items += found.items.filter { !known.contains($0.id) }
            state = .found(
                SearchResults(
                    query: question.query, items: items, total: found.total, isTotalCapped: found.isTotalCapped,
                    hasMore: found.page < found.pages,
                    isLoadingMore: false))
        }
        return true
    }
}
